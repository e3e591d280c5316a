#include "cli/manual.h"

#include "base/span.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints text escaped for roff; text between back quotes becomes bold. */
static void put_text(struct span text)
{
	bool bold = false;

	if (span_starts(text, ".") || span_starts(text, "'"))
		fputs("\\&", stdout);
	for (size_t i = 0; i < text.size; i++) {
		if (text.at[i] == '`') {
			bold = !bold;
			fputs(bold ? "\\fB" : "\\fR", stdout);
		} else if (text.at[i] == '-') {
			fputs("\\-", stdout);
		} else if (text.at[i] == '\\') {
			fputs("\\e", stdout);
		} else if (text.at[i] == '\'') {
			fputs("\\(aq", stdout);
		} else if (span_starts(span_from(text, i), "…")) {
			fputs("...", stdout);
			i += strlen("…") - 1;
		} else {
			putchar(text.at[i]);
		}
	}
}

static void put_styled(const char *style, struct span text)
{
	printf("\\f%s", style);
	put_text(text);
	fputs("\\fR", stdout);
}

/* Synopsis */

/*
 * Prints a word of the usage: operands, which are in capitals, in italic, and literal words in
 * bold.
 */
static void put_usage_word(struct span word)
{
	while (word.size) {
		size_t n = 0;

		while (n < word.size && (isalnum((unsigned char)word.at[n]) || word.at[n] == '-'))
			n++;
		if (!n) {
			put_text(span_upto(word, n = 1));
		} else if (isupper((unsigned char)word.at[0])) {
			put_styled("I", span_upto(word, n));
		} else if (span_is(span_upto(word, n), "options")) {
			put_text(span_upto(word, n));
		} else {
			put_styled("B", span_upto(word, n));
		}
		word = span_from(word, n);
	}
}

static void put_synopsis(const struct option_table *t)
{
	struct span rest = span_of(t->usage);

	while (rest.size) {
		struct span line = span_trim(span_line(&rest));

		puts(".HP\n.ad l");
		while (line.size) {
			size_t n = span_find(line, ' ');

			put_usage_word(span_upto(line, n));
			line = span_from(line, n + 1);
			if (line.size)
				putchar(' ');
		}
		puts("\n.ad b");
	}
}

/* Options */

static void put_tag(const struct option *o)
{
	bool glued = o->type == OPTION_MAYBE;

	puts(".TP");
	if (o->letter)
		printf("\\fB\\-%c\\fR%s", o->letter, o->name ? ", " : "");
	if (o->name)
		printf("\\fB\\-\\-%s", o->type == OPTION_NEGATE ? "\\fR[\\fBno\\-\\fR]\\fB" : "");
	if (o->name) {
		put_text(span_of(o->name));
		fputs("\\fR", stdout);
	}
	if (o->argument && glued)
		fputs("[=", stdout);
	else if (o->argument)
		putchar(' ');
	if (o->argument)
		put_styled(o->type == OPTION_CHOICE ? "B" : "I", span_of(o->argument));
	puts(o->argument && glued ? "]" : "");
}

/* Prints a help text as a sentence, and the default, "[x]" at its end, as another one. */
static void put_sentence(const char *help)
{
	struct span text = span_of(help), said = text, word = span_upto(text, span_find(text, ' '));
	size_t open = span_rfind(text, '[');

	if (span_ends(text, "]") && open < text.size)
		said = span_trim(span_upto(text, open));
	/* A text that begins with values (`a, b` or `a (…)`) is not capitalized. */
	if (said.size && !span_ends(word, ",") && !span_starts(span_from(said, word.size), " (")) {
		putchar(toupper((unsigned char)said.at[0]));
		put_text(span_from(said, 1));
	} else {
		put_text(said);
	}
	puts(said.size ? "." : "");
	if (said.size < text.size) {
		fputs("Default: ", stdout);
		put_text(span_upto(span_from(text, open + 1), text.size - open - 2));
		puts(".");
	}
}

static void put_options(const struct option_table *t)
{
	struct span after = span_trim(span_of(t->after ? t->after : ""));

	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o))
		if (o->help) {
			put_tag(o);
			put_sentence(o->help);
		}
	if (after.size)
		puts(".PP");
	while (after.size) {
		put_text(span_line(&after));
		putchar('\n');
	}
}

/* Commands */

static void put_commands(const struct program *p)
{
	for (const struct subcommand *c = p->command; c->name; c++) {
		if (!c->about)
			continue;
		fputs(".TP\n", stdout);
		printf("\\fB%s\\-%s\\fR(1)\n", p->name, c->name);
		put_sentence(c->about);
	}
}

int manual_fill(const struct program *p, const struct option_table *t, struct error *e)
{
	char *line = NULL;
	size_t cap = 0;

	while (getline(&line, &cap, stdin) >= 0) {
		if (!strcmp(line, "@SYNOPSIS@\n"))
			put_synopsis(t);
		else if (!strcmp(line, "@OPTIONS@\n"))
			put_options(t);
		else if (!strcmp(line, "@COMMANDS@\n") && p)
			put_commands(p);
		else
			fputs(line, stdout);
	}
	free(line);
	return ferror(stdin) ? error_sys(e, "standard input") : 0;
}
