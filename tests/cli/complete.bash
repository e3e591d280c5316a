# bash complete.bash 'SCRIPTS' WORD...: what the scripts offer for the last of the words, one a line.
for script in $1; do
	# shellcheck disable=SC1090
	. "$script"
done
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
"_${1//-/_}"
printf '%s\n' "${COMPREPLY[@]}"
