# bash complete.bash 'SCRIPTS' WORD...: what the scripts offer for the last of the words, one a line.
_of_cargo_itself() {
	COMPREPLY=("cargo's own")
}
complete -F _of_cargo_itself cargo
for script in $1; do
	# shellcheck disable=SC1090
	. "$script"
done
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
function=$(complete -p "$1")
function=${function##* -F }
"${function%% *}"
printf '%s\n' "${COMPREPLY[@]}"
