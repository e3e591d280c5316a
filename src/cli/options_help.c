/* What --help says of a table. */
#include "base/strbuf.h"
#include "cli/options.h"
#include "cli/pager.h"

/* "  -v NAME=0           …" */
static void add_variable(const struct option *o, struct strbuf *out)
{
	strbuf_addf(out, "  -v %s=%s", o->name, o->argument ? o->argument : "1");
}

/* "  -e, --event NAME    …", "      --root[=FLAGS]  …" */
static void add_spelling(const struct option *o, struct strbuf *out)
{
	const char *before = o->type == OPTION_MAYBE ? "[=" : " ";

	strbuf_addf(out, "  %c%c%s %s%s%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
		    o->letter && o->name ? "," : " ",
		    o->name ? (o->type == OPTION_NEGATE ? "--[no-]" : "--") : "",
		    o->name ? o->name : "", o->argument ? before : "",
		    o->argument ? o->argument : "",
		    o->argument && o->type == OPTION_MAYBE ? "]" : "");
}

static void add_row(const struct option *o, enum option_syntax syntax, struct strbuf *out)
{
	enum { COLUMN = 30 };
	size_t begin = out->size, width;

	if (syntax == SYNTAX_AWK && o->type != OPTION_HELP)
		add_variable(o, out);
	else
		add_spelling(o, out);
	width = out->size - begin;
	if (width >= COLUMN) {
		strbuf_addch(out, '\n');
		width = 0;
	}
	strbuf_addf(out, "%*s%s\n", COLUMN - (int)width, "", o->help);
}

void options_rows(const struct option_table *t, struct strbuf *out)
{
	for (const struct option *o = option_next(t, NULL); o; o = option_next(t, o))
		if (o->help)
			add_row(o, t->syntax, out);
}

void options_text(const struct option_table *t, struct strbuf *out)
{
	strbuf_addf(out, "Usage: %s\n\n%s\n\nOptions:\n", t->usage, t->about);
	options_rows(t, out);
	if (t->after)
		strbuf_addf(out, "\n%s\n", t->after);
}

void options_help(const struct option_table *t)
{
	struct strbuf text = { 0 };

	options_text(t, &text);
	pager_show(strbuf_peek(&text), PAGER_ON_TERMINAL);
	strbuf_release(&text);
}
