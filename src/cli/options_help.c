/* The text of --help, from a table. */
#include "base/strbuf.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/term.h"

/* The width to wrap lines at; 0: not a terminal, so lines are not wrapped. */
static size_t find_width(void)
{
	enum { READABLE = 100 };
	size_t width = term_find(COLOR_NEVER).width;

	return width < READABLE ? width : READABLE;
}

/* Appends words to a line that has `column` characters already; lines after it are indented. */
static void add_words(struct strbuf *out, struct span text, size_t column, size_t indent,
		      size_t width)
{
	struct span word;
	bool first = true;

	while ((word = span_word(&text)).size) {
		size_t size = utf8_length(word);

		if (!first && column + 1 + size > width) {
			strbuf_addf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			strbuf_addch(out, ' ');
			column++;
		}
		strbuf_add(out, word);
		column += size;
		first = false;
	}
}

static size_t widest(struct span text)
{
	size_t most = 0;

	while (text.size) {
		size_t size = utf8_length(span_line(&text));

		most = size > most ? size : most;
	}
	return most;
}

void options_prose(const char *text, struct strbuf *out)
{
	struct span rest = span_of(text);
	size_t width = find_width();

	if (!width || widest(rest) <= width) {
		strbuf_add(out, rest);
		return;
	}
	while (rest.size) {
		size_t end = span_find_text(rest, "\n\n");

		add_words(out, span_upto(rest, end), 0, 0, width);
		rest = span_from(rest, end + 2);
		if (rest.size)
			strbuf_add(out, SPAN("\n\n"));
	}
}

/* Each line of the usage is one way to call the program. */
static void add_usage(const char *usage, struct strbuf *out)
{
	enum { INDENT = 7, FURTHER = 14 };
	size_t width = find_width();
	struct span rest = span_of(usage);

	strbuf_add(out, SPAN("Usage: "));
	for (bool first = true; rest.size; first = false) {
		struct span line = span_trim(span_line(&rest));

		if (!first)
			strbuf_addf(out, "%*s", INDENT, "");
		if (width)
			add_words(out, line, INDENT, FURTHER, width);
		else
			strbuf_add(out, line);
		strbuf_addch(out, '\n');
	}
}

/* "  -v NAME=0           …" */
static void add_variable(const struct option *o, struct strbuf *out)
{
	strbuf_addf(out, "  -v %s=%s", o->name, o->argument ? o->argument : "1");
}

/* A long list of choices continues in the next line. */
static void add_argument(const struct option *o, struct strbuf *out)
{
	enum { WIDTH = 60, INDENT = 11 };
	struct span rest = span_of(o->argument);

	while (o->type == OPTION_CHOICE && rest.size > WIDTH) {
		size_t end = span_rfind(span_upto(rest, WIDTH), '|');

		if (end >= WIDTH)
			break;
		strbuf_add(out, span_upto(rest, end + 1));
		strbuf_addf(out, "\n%*s", INDENT, "");
		rest = span_from(rest, end + 1);
	}
	strbuf_add(out, rest);
}

/* "  -e, --event NAME    …", "      --root[=FLAGS]  …" */
static void add_spelling(const struct option *o, struct strbuf *out)
{
	strbuf_addf(out, "  %c%c%s %s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
		    o->letter && o->name ? "," : " ",
		    o->name ? (o->type == OPTION_NEGATE ? "--[no-]" : "--") : "",
		    o->name ? o->name : "");
	if (!o->argument)
		return;
	strbuf_add(out, o->type == OPTION_MAYBE ? SPAN("[=") : SPAN(" "));
	add_argument(o, out);
	if (o->type == OPTION_MAYBE)
		strbuf_addch(out, ']');
}

static void add_row(const struct option *o, enum option_syntax syntax, struct strbuf *out)
{
	enum { COLUMN = 30 };
	size_t begin = out->size, most = find_width(), width;

	if (syntax == SYNTAX_AWK && o->type != OPTION_HELP)
		add_variable(o, out);
	else
		add_spelling(o, out);
	width = out->size - begin;
	if (width >= COLUMN) {
		strbuf_addch(out, '\n');
		width = 0;
	}
	strbuf_addf(out, "%*s", COLUMN - (int)width, "");
	if (most)
		add_words(out, span_of(o->help), COLUMN, COLUMN, most);
	else
		strbuf_add(out, span_of(o->help));
	strbuf_addch(out, '\n');
}

void options_rows(const struct option_table *t, struct strbuf *out)
{
	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o))
		if (o->help)
			add_row(o, t->syntax, out);
}

void options_text(const struct option_table *t, struct strbuf *out)
{
	add_usage(t->usage, out);
	strbuf_addch(out, '\n');
	options_prose(t->about, out);
	strbuf_add(out, SPAN("\n\nOptions:\n"));
	options_rows(t, out);
	if (t->after) {
		strbuf_addch(out, '\n');
		options_prose(t->after, out);
		strbuf_addch(out, '\n');
	}
}

void options_help(const struct option_table *t)
{
	struct strbuf text = { 0 };

	options_text(t, &text);
	pager_show(strbuf_peek(&text), PAGER_ON_TERMINAL);
	strbuf_release(&text);
}
