/*
 * bash: each table becomes a shell function, which is called with a word and sets what may follow
 * it.  The loop over the words before the cursor is the same for all programs.
 */
#include "cli/complete.h"

#include <stdio.h>

/* The part that is the same in every script; `_@` stands for `_` and the program's name. */
static const char walk[] =
	"# Offers completions.  $1: kind of value, $2: other valid words, $3: the typed part\n"
	"_@_offer() {\n"
	"\tlocal IFS=$'\\n'\n"
	"\tCOMPREPLY=($(IFS=' '; compgen -W \"$2\" -- \"$3\"))\n"
	"\tcase $1 in\n"
	"\tfile) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- \"$3\")) ;;\n"
	"\tfolder) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- \"$3\")) ;;\n"
	"\tprogram) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -c -- \"$3\" | sort -u)) ;;\n"
	"\tprocess) COMPREPLY+=($(compgen -W \"$(cd /proc && printf '%s\\n' [0-9]*)\" -- \"$3\")) ;;\n"
	"\tevent) COMPREPLY+=($(compgen -W \"$(wick list 2>/dev/null | sed 's/ .*//; /:/d')\" -- \"$3\")) ;;\n"
	"\tuser) COMPREPLY+=($(compgen -u -- \"$3\")) ;;\n"
	"\tesac\n"
	"}\n"
	"\n"
	"# The same for the next word of a comma-separated list, without those in it already\n"
	"_@_offer_more() {\n"
	"\tlocal before= word\n"
	"\tlocal -a all\n"
	"\t[[ $3 = *,* ]] && before=${3%,*},\n"
	"\t_@_offer \"$1\" \"$2\" \"${3#\"$before\"}\"\n"
	"\tcompopt -o nospace 2>/dev/null\n"
	"\tall=(\"${COMPREPLY[@]}\") COMPREPLY=()\n"
	"\tfor word in \"${all[@]}\"; do\n"
	"\t\t[[ ,$before = *\",$word,\"* ]] || COMPREPLY+=(\"$before$word\")\n"
	"\tdone\n"
	"}\n"
	"\n"
	"_@() {\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} table=_@_own option= operands= word kind words list i\n"
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\tword=${COMP_WORDS[i]}\n"
	"\t\tif [[ $word = '=' ]]; then\n"
	"\t\t\t[[ $option ]] || ((i++))\n"
	"\t\telif [[ $option ]]; then\n"
	"\t\t\toption=\n"
	"\t\telif [[ ! $operands && $word = -- ]]; then\n"
	"\t\t\toperands=1\n"
	"\t\telif [[ ! $operands && $word = -* ]]; then\n"
	"\t\t\t\"$table\" \"$word\" && option=$word\n"
	"\t\telif [[ $table = _@_own ]] && declare -F \"_@_at_$word\" >/dev/null; then\n"
	"\t\t\ttable=_@_at_$word\n"
	"\t\telse\n"
	"\t\t\t\"$table\" ''\n"
	"\t\t\t[[ $kind = program ]] && break\n"
	"\t\tfi\n"
	"\tdone\n"
	"\tkind=text words= list=\n"
	"\tif ((i < COMP_CWORD)); then\n"
	"\t\t# The command line of another program\n"
	"\t\tif declare -F _command_offset >/dev/null; then\n"
	"\t\t\t_command_offset \"$i\"\n"
	"\t\telse\n"
	"\t\t\t_@_offer file '' \"$cur\"\n"
	"\t\tfi\n"
	"\telif [[ $option ]]; then\n"
	"\t\t[[ $cur = '=' ]] && cur=\n"
	"\t\t\"$table\" \"$option\"\n"
	"\t\t\"_@_offer$list\" \"$kind\" \"$words\" \"$cur\"\n"
	"\telif [[ ! $operands && $cur = -* ]]; then\n"
	"\t\t\"$table\" options\n"
	"\t\t_@_offer text \"$words\" \"$cur\"\n"
	"\telse\n"
	"\t\t\"$table\" ''\n"
	"\t\t_@_offer \"$kind\" \"$words\" \"$cur\"\n"
	"\tfi\n"
	"}\n";

static const char *const kinds[NR_VALUES] = {
	[VALUE_TEXT] = "text",	     [VALUE_FILE] = "file",	  [VALUE_FOLDER] = "folder",
	[VALUE_PROGRAM] = "program", [VALUE_PROCESS] = "process", [VALUE_EVENT] = "event",
	[VALUE_USER] = "user",	     [VALUE_SUBCOMMAND] = "text",
};

/* Prints a name as a part of a function's name, with `_` for dashes. */
static void put_name(const char *name)
{
	for (; *name; name++)
		putchar(*name == '-' ? '_' : *name);
}

static void put_value(const struct program *p, const struct value *v)
{
	printf("kind=%s list=%s words='", kinds[v->kind], v->list ? "_more" : "");
	complete_put_words(p, v);
	puts("' ;;");
}

static void put_options(const struct option_table *t)
{
	fputs("\toptions) words='", stdout);
	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o)) {
		if (!o->help)
			continue;
		if (o->letter)
			printf("-%c ", o->letter);
		if (o->name)
			printf("--%s ", o->name);
		if (o->type == OPTION_NEGATE)
			printf("--no-%s ", o->name);
	}
	puts("' ;;");
}

/*
 * The body of a table's function.  If $1 is an option, it sets the kind of its value, or fails if
 * the option takes none; if $1 is "", the kind of an operand; if $1 is "options", the names of all
 * options.
 */
static void put_table(const struct program *p, const struct option_table *t)
{
	struct value operand = value_of(t, NULL);

	fputs("\tcase $1 in\n", stdout);
	put_options(t);
	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o)) {
		struct value v;

		if (!o->help || !option_takes_value(o))
			continue;
		v = value_of(t, o);
		putchar('\t');
		if (o->letter)
			printf("-%c%s", o->letter, o->name ? " | " : "");
		if (o->name)
			printf("--%s", o->name);
		fputs(") ", stdout);
		put_value(p, &v);
	}
	fputs("\t'') ", stdout);
	put_value(p, &operand);
	puts("\t*) return 1 ;;\n\tesac\n}\n");
}

void complete_bash(const struct program *p)
{
	/* wick's own operands, before a subcommand, are subcommands. */
	struct option_table own = *p->table;

	if (p->command) {
		own.command = false;
		own.operand = "SUBCOMMAND";
	}
	printf("# bash completion for %s: source this, or install it in a directory of bash-completion\n"
	       "\n",
	       p->name);
	for (const char *at = walk; *at; at++) {
		if (*at == '@' && at[-1] == '_')
			put_name(p->name);
		else
			putchar(*at);
	}
	putchar('\n');
	putchar('_');
	put_name(p->name);
	puts("_own() {");
	put_table(p, &own);
	for (const struct subcommand *c = p->command; c && c->name; c++) {
		putchar('_');
		put_name(p->name);
		printf("_at_%s() {\n", c->name);
		put_table(p, c->table);
	}
	fputs("complete -F _", stdout);
	put_name(p->name);
	printf(" %s\n", p->name);
}

/* cargo's own completion does not know commands of other programs, so ours runs first. */
static const char cargo[] =
	"# Saves the existing completion of cargo\n"
	"_wick_cargo_take() {\n"
	"\tlocal spec\n"
	"\tspec=$(complete -p cargo 2>/dev/null)\n"
	"\t[[ $spec = *' -F '* && $spec != *' -F _wick_cargo '* ]] || return\n"
	"\tspec=${spec##* -F }\n"
	"\t_wick_cargo_other=${spec%% *}\n"
	"}\n"
	"\n"
	"_wick_cargo() {\n"
	"\tlocal i=1 word\n"
	"\t[[ ${COMP_WORDS[1]} = +* ]] && i=2\n"
	"\tword=${COMP_WORDS[i]}\n"
	"\tif ((COMP_CWORD > i)) && [[ \" $_wick_cargo_words \" = *\" $word \"* ]]; then\n"
	"\t\tdeclare -F \"_cargo_$word\" >/dev/null || _completion_loader \"cargo-$word\" 2>/dev/null\n"
	"\t\tCOMP_WORDS=(\"cargo-$word\" \"${COMP_WORDS[@]:i + 1}\")\n"
	"\t\t((COMP_CWORD -= i))\n"
	"\t\t\"_cargo_$word\"\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tif [[ ! $_wick_cargo_other ]]; then\n"
	"\t\tcomplete -r cargo\n"
	"\t\t_completion_loader cargo 2>/dev/null\n"
	"\t\t_wick_cargo_take\n"
	"\t\tcomplete -F _wick_cargo cargo\n"
	"\tfi\n"
	"\t[[ ! $_wick_cargo_other ]] || \"$_wick_cargo_other\" \"$@\"\n"
	"}\n"
	"\n"
	"_wick_cargo_take\n"
	"complete -F _wick_cargo cargo";

void complete_bash_cargo(const struct program *list)
{
	puts("# bash completion for cargo flamegraph and cargo wick: source this in ~/.bashrc\n");
	fputs("_wick_cargo_words='", stdout);
	for (const struct program *p = list; (p = program_next_of_cargo(p)); p++)
		printf("%s%s", p == program_next_of_cargo(list) ? "" : " ", program_cargo_word(p));
	printf("'\n\n%s\n", cargo);
}
