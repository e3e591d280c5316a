/* zsh: a table becomes a call of _arguments. */
#include "cli/complete.h"

#include <stdio.h>
#include <string.h>

/* Functions that every script has; put_action() calls them. */
static const char helpers[] =
	"_wick_words_or_files() {\n"
	"\tcompadd -- \"$@\"\n"
	"\t_files\n"
	"}\n"
	"\n"
	"_wick_events() {\n"
	"\tlocal -a events\n"
	"\tevents=(${${(f)\"$(_call_program events wick list 2>/dev/null)\"}%% *})\n"
	"\tcompadd \"$@\" -a events\n"
	"}\n";

/* Text in single quotes; _arguments needs a backslash before brackets and colons. */
static void put_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs("'\\''", stdout);
			continue;
		}
		if (strchr("[]:\\", *text))
			putchar('\\');
		putchar(*text);
	}
}

static void put_action(const struct program *p, const struct value *v)
{
	static const char *const actions[NR_VALUES] = {
		[VALUE_TEXT] = " ",	      [VALUE_FILE] = "_files",
		[VALUE_FOLDER] = "_files -/", [VALUE_PROGRAM] = "_command_names -e",
		[VALUE_PROCESS] = "_pids",    [VALUE_EVENT] = "_wick_events",
		[VALUE_USER] = "_users",      [VALUE_SUBCOMMAND] = "",
	};
	bool words = v->words.size || v->kind == VALUE_SUBCOMMAND;

	if (words && v->kind == VALUE_FILE) {
		fputs(" _wick_words_or_files ", stdout);
		complete_put_words(p, v);
	} else if (words && v->list) {
		fputs("_sequence compadd - ", stdout);
		complete_put_words(p, v);
	} else if (words) {
		putchar('(');
		complete_put_words(p, v);
		putchar(')');
	} else {
		printf("%s%s", v->list && v->kind != VALUE_TEXT ? "_sequence " : "",
		       actions[v->kind]);
	}
}

/* One spelling of an option: "'(-o --output)--output=[write there]:FILE:_files' \". */
static void put_spec(const struct program *p, const struct option_table *t, const struct option *o,
		     const char *spelled)
{
	struct value v = value_of(t, o);
	bool is_long = spelled[1] == '-', takes = option_takes_value(o);
	bool maybe = is_long && (o->type == OPTION_MAYBE || o->type == OPTION_NEXT);

	fputs("\t\t'", stdout);
	if (option_repeats(o))
		putchar('*');
	else if (o->name && o->letter)
		printf("(-%c --%s)", o->letter, o->name);
	fputs(spelled, stdout);
	if (o->type == OPTION_MAYBE && is_long)
		fputs("=-", stdout);
	else if (takes || o->type == OPTION_NEXT)
		putchar(is_long ? '=' : '+');
	putchar('[');
	put_text(o->help);
	putchar(']');
	if (takes || maybe) {
		fputs(takes ? ":" : "::", stdout);
		put_text(v.name);
		putchar(':');
		put_action(p, &v);
	}
	puts("' \\");
}

static void put_options(const struct program *p, const struct option_table *t)
{
	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o)) {
		char spelled[64];

		if (!o->help)
			continue;
		if (o->letter) {
			snprintf(spelled, sizeof(spelled), "-%c", o->letter);
			put_spec(p, t, o, spelled);
		}
		if (o->name) {
			snprintf(spelled, sizeof(spelled), "--%s", o->name);
			put_spec(p, t, o, spelled);
		}
		if (o->type == OPTION_NEGATE) {
			snprintf(spelled, sizeof(spelled), "--no-%s", o->name);
			put_spec(p, t, o, spelled);
		}
	}
}

static void put_table(const struct program *p, const struct option_table *t)
{
	struct value operand = value_of(t, NULL);

	puts("\t_arguments -s -S \\");
	put_options(p, t);
	if (operand.kind == VALUE_PROGRAM) {
		puts("\t\t'(-)1:command:_command_names -e' \\\n\t\t'*::arguments:_normal'");
		return;
	}
	fputs("\t\t'*:", stdout);
	put_text(operand.name);
	putchar(':');
	put_action(p, &operand);
	puts("'");
}

/* A program with subcommands: its options, then a subcommand, whose function completes the rest. */
static void put_commands(const struct program *p)
{
	puts("\tlocal curcontext=$curcontext state line\n\tlocal -a names\n\t_arguments -C \\");
	put_options(p, p->table);
	puts("\t\t'1: :->command' \\\n\t\t'*:: :->rest'\n\tcase $state in\n\tcommand)\n\t\tnames=(");
	for (const struct subcommand *c = p->command; c->name; c++) {
		if (!c->about)
			continue;
		printf("\t\t\t'%s:", c->name);
		put_text(c->about);
		puts("'");
	}
	puts("\t\t)\n\t\t_describe -t commands command names ;;\n\trest)\n\t\tcase $words[1] in");
	for (const struct subcommand *c = p->command; c->name; c++)
		printf("\t\t%s) _%s-%s ;;\n", c->name, p->name, c->name);
	puts("\t\tesac ;;\n\tesac");
}

void complete_zsh(const struct program *p)
{
	printf("#compdef %s\n# zsh completion for %s: source this, or install it as _%s in a directory of $fpath\n\n%s",
	       p->name, p->name, p->name, helpers);
	for (const struct subcommand *c = p->command; c && c->name; c++) {
		printf("\n_%s-%s() {\n", p->name, c->name);
		put_table(p, c->table);
		puts("}");
	}
	printf("\n_%s() {\n", p->name);
	if (p->command)
		put_commands(p);
	else
		put_table(p, p->table);
	printf("}\n\nif [ \"$funcstack[1]\" = _%s ]; then\n\t_%s \"$@\"\nelse\n\tcompdef _%s %s\nfi\n",
	       p->name, p->name, p->name, p->name);
}
