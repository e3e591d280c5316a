/* fish: a `complete` line for each option, with the subcommand that it belongs to. */
#include "cli/complete.h"

#include <stdio.h>
#include <string.h>

/* The subcommand is the second word, not any word with such a name: `wick record -- flame`. */
static const char helpers[] = "function __wick_in\n"
			      "\tset -l words (commandline -opc)\n"
			      "\ttest \"$words[2]\" = \"$argv[1]\"\n"
			      "end\n"
			      "function __wick_alone\n"
			      "\ttest (count (commandline -opc)) -eq 1\n"
			      "end\n";

/* Completes the next word of a comma-separated list, without those that are in it already. */
static const char more[] = "function __wick_more\n"
			   "\tset -l before (commandline -ct | string replace -r '^--[^=]*=' '' |\n"
			   "\t\tstring match -r '^.*,')\n"
			   "\tfor word in $argv\n"
			   "\t\tcontains -- $word (string split , -- $before)\n"
			   "\t\tor echo \"$before\"$word\n"
			   "\tend\n"
			   "end\n";

/*
 * command: completes only in that subcommand; "": only before a subcommand; NULL: the program has
 * none.
 */
static void begin(const struct program *p, const char *command)
{
	printf("complete -c %s", p->name);
	if (command && *command)
		printf(" -n '__wick_in %s'", command);
	else if (command)
		fputs(" -n __wick_alone", stdout);
}

static void put_help(const char *help)
{
	fputs(" -d '", stdout);
	complete_put_escaped(help, "'\\", '\\');
	puts("'");
}

/* fish's -x: these words only; -F: also files. */
static void put_value(const struct program *p, const struct value *v)
{
	static const char *const lists[NR_VALUES] = {
		[VALUE_FOLDER] = "(__fish_complete_directories)",
		[VALUE_PROGRAM] = "(__fish_complete_command)",
		[VALUE_PROCESS] = "(__fish_complete_pids)",
		[VALUE_EVENT] = "(wick list 2>/dev/null | string replace -r \" .*\" \"\")",
		[VALUE_USER] = "(__fish_complete_users)",
	};

	if (v->words.size && v->list) {
		fputs(" -x -a '(__wick_more ", stdout);
		complete_put_words(p, v);
		fputs(")'", stdout);
	} else if (v->words.size || v->kind == VALUE_SUBCOMMAND) {
		fputs(v->kind == VALUE_FILE ? " -F -a '" : " -x -a '", stdout);
		complete_put_words(p, v);
		putchar('\'');
	} else if (lists[v->kind]) {
		printf(v->list ? " -x -a '(__wick_more %s)'" : " -x -a '%s'", lists[v->kind]);
	} else {
		fputs(v->kind == VALUE_FILE ? " -r -F" : " -x", stdout);
	}
}

/*
 * Completes the command line of another program.  To find its begin, fish must know which of our
 * options take a value.
 */
static void put_program(const struct option_table *t, int nr_skip)
{
	printf(" -x -a '(__fish_complete_subcommand --fcs-skip=%d --", nr_skip);
	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o)) {
		if (o->letter && option_takes_value(o))
			printf(" -%c", o->letter);
		if (o->name && option_takes_value(o))
			printf(" --%s", o->name);
	}
	puts(")'");
}

static void put_table(const struct program *p, const char *command, const struct option_table *t)
{
	struct value operand = value_of(t, NULL);

	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o)) {
		struct value v = value_of(t, o);

		if (!o->help)
			continue;
		begin(p, command);
		if (o->letter)
			printf(" -s %c", o->letter);
		if (o->name)
			printf(" -l %s", o->name);
		if (option_takes_value(o))
			put_value(p, &v);
		put_help(o->help);
		if (o->type == OPTION_NEGATE) {
			begin(p, command);
			printf(" -l no-%s", o->name);
			put_help(o->help);
		}
	}
	if (command && !*command)
		return;
	begin(p, command);
	if (operand.kind == VALUE_PROGRAM)
		put_program(t, command ? 2 : 1);
	else if (operand.kind == VALUE_FILE && !operand.words.size)
		fputs(" -F", stdout);
	else
		put_value(p, &operand);
	if (operand.kind != VALUE_PROGRAM)
		putchar('\n');
}

void complete_fish(const struct program *p)
{
	printf("# fish completion for %s: source this, or install it in ~/.config/fish/completions\n"
	       "\n",
	       p->name);
	fputs(more, stdout);
	puts(p->command ? helpers : "");
	printf("complete -c %s -f\n", p->name);
	for (const struct subcommand *c = p->command; c && c->name; c++) {
		if (!c->about)
			continue;
		begin(p, "");
		printf(" -a %s", c->name);
		put_help(c->about);
	}
	put_table(p, p->command ? "" : NULL, p->table);
	for (const struct subcommand *c = p->command; c && c->name; c++)
		put_table(p, c->name, c->table);
}

/* Completes `cargo WORD ...` by asking fish for the completions of `cargo-WORD ...`. */
static const char cargo[] =
	"function __wick_cargo_is\n"
	"\tset -l words (commandline -opc)\n"
	"\tstring match -q -- '+*' \"$words[2]\"; and set -e words[2]\n"
	"\ttest \"$words[2]\" = \"$argv[1]\"\n"
	"end\n"
	"function __wick_cargo\n"
	"\tset -l words (commandline -opc)\n"
	"\tstring match -q -- '+*' \"$words[2]\"; and set -e words[2]\n"
	"\tset -l line cargo-$argv[1] (string escape -- $words[3..-1]) (commandline -ct)\n"
	"\tcomplete -C (string join -- ' ' $line)\n"
	"end\n";

void complete_fish_cargo(const struct program *list)
{
	printf("# fish completion for cargo flamegraph and cargo wick: source this, or install it in ~/.config/fish/conf.d\n"
	       "\n"
	       "%s",
	       cargo);
	for (const struct program *p = list; (p = program_next_of_cargo(p)); p++)
		printf("complete -c cargo -n '__wick_cargo_is %s' -x -a '(__wick_cargo %s)'\n",
		       program_cargo_word(p), program_cargo_word(p));
}
