# zsh -f complete.zsh 'SCRIPTS' LINE WANTED: types the line and a tab into a real zsh, and waits for a list with
# WANTED in it.
zmodload zsh/zpty
zpty shell 'PS1= zsh -f -i'
zpty -w shell 'PS1= RPS1=; stty cols 200; autoload -Uz compinit; compinit -u -D; LISTMAX=10000'
zpty -w shell "bindkey '^I' list-choices"
for script in $=1; do
	zpty -w shell "source $script"
done
zpty -w shell 'echo "rea""dy"'
zpty -r -m shell out '*ready*'
zpty -w -n shell "$2"$'\t'
# What was typed comes back in front of the list.
zpty -r -m shell out "*$2*[[:space:]]*$3*"
print -r -- "$out"
zpty -d shell
