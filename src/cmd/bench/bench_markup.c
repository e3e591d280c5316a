/* The summary as a table in a markup language, as hyperfine writes it. */
#include "base/alloc.h"
#include "cmd/bench/bench_parts.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 5 };

struct markup {
	const char *header, *footer; /* of the table */
	const char *divider;	     /* after the row of titles */
	const char *begin, *second, *between,
		*end; /* of a row: before its cells, between them, and at its end */
	char quote;   /* around commands */
};

static const struct markup markdown = {
	.header = "",
	.footer = "",
	.divider = "|:---|---:|---:|---:|---:|\n",
	.begin = "| ",
	.second = " | ",
	.between = " | ",
	.end = " |\n",
	.quote = '`',
};

static const struct markup asciidoc = {
	.header = "[cols=\"<,>,>,>,>\"]\n|===",
	.footer = "|===\n",
	.divider = "",
	.begin = "\n| ",
	.second = " \n| ",
	.between = " \n| ",
	.end = " \n",
	.quote = '`',
};

static const struct markup orgmode = {
	.header = "",
	.footer = "",
	.divider = "|--+--+--+--+--|\n",
	.begin = "| ",
	.second = "  |  ",
	.between = " |  ",
	.end = " |\n",
	.quote = '=',
};

static void add_row(const struct markup *m, struct strbuf *cell, struct strbuf *out)
{
	for (int i = 0; i < COLUMNS; i++) {
		strbuf_addf(out, "%s", !i ? m->begin : i == 1 ? m->second : m->between);
		strbuf_add(out, strbuf_peek(&cell[i]));
		strbuf_reset(&cell[i]);
	}
	strbuf_addf(out, "%s", m->end);
}

static void add_titles(const struct markup *m, const char *unit, struct strbuf *cell,
		       struct strbuf *out)
{
	static const char *const times[] = { "Mean", "Min", "Max" };

	strbuf_add(&cell[0], SPAN("Command"));
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		strbuf_addf(&cell[1 + i], "%s [%s]", times[i], unit);
	strbuf_add(&cell[4], SPAN("Relative"));
	add_row(m, cell, out);
	strbuf_addf(out, "%s", m->divider);
}

static void add_command(const struct markup *m, const char *text, struct strbuf *out)
{
	strbuf_addch(out, m->quote);
	for (; *text; text++) {
		if (*text == '|')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *text == '\n' ? ' ' : *text);
	}
	strbuf_addch(out, m->quote);
}

/* The mean time relative to the base. */
static void add_relative(const struct bench_stats *s, const struct bench_stats *base,
			 bool has_deviation, struct strbuf *out)
{
	double ratio = s->mean / base->mean;

	if (s->mean == base->mean)
		strbuf_add(out, SPAN("1.00"));
	else if (!(base->mean > 0))
		strbuf_add(out, SPAN("–"));
	else
		strbuf_addf(out, "%.2f", ratio);
	if (s->mean != base->mean && base->mean > 0 && has_deviation)
		strbuf_addf(out, " ± %.2f",
			    hypot(s->deviation / base->mean, ratio * base->deviation / base->mean));
}

struct row {
	const struct bench_command *c;
	struct bench_stats s;
	size_t number;
};

static int by_mean(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->s.mean != y->s.mean)
		return x->s.mean < y->s.mean ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Times are relative to the fastest command, or to --reference. */
static void add_table(const struct bench *b, const struct markup *m, struct strbuf *out)
{
	struct row *row = xcalloc(b->nr_command, sizeof(*row));
	struct strbuf cell[COLUMNS] = { 0 };
	struct bench_stats base = { 0 };
	struct bench_time_unit u;

	for (size_t i = 0; i < b->nr_command; i++) {
		row[i] = (struct row){ &b->command[i], bench_stats(&b->command[i]), i };
		if (!i || (row[i].s.mean < base.mean && !b->o.reference))
			base = row[i].s;
	}
	u = bench_unit(b, row[0].s.mean);
	if (b->o.sort == BENCH_SORT_MEAN)
		qsort(row, b->nr_command, sizeof(*row), by_mean);
	strbuf_addf(out, "%s", m->header);
	add_titles(m, u.name, cell, out);
	for (size_t i = 0; i < b->nr_command; i++) {
		const struct bench_stats *s = &row[i].s;
		const double times[] = { s->mean, s->min, s->max };
		bool has_deviation = row[i].c->timed.nr > 1;

		add_command(m, row[i].c->title, &cell[0]);
		for (size_t k = 0; k < ARRAY_SIZE(times); k++)
			strbuf_addf(&cell[1 + k], "%.*f", u.digits, times[k] / u.ns);
		if (has_deviation)
			strbuf_addf(&cell[1], " ± %.*f", u.digits, s->deviation / u.ns);
		add_relative(s, &base, has_deviation, &cell[4]);
		add_row(m, cell, out);
	}
	strbuf_addf(out, "%s", m->footer);
	for (int i = 0; i < COLUMNS; i++)
		strbuf_release(&cell[i]);
	free(row);
}

void bench_markdown_add(const struct bench *b, struct strbuf *out)
{
	add_table(b, &markdown, out);
}

void bench_asciidoc_add(const struct bench *b, struct strbuf *out)
{
	add_table(b, &asciidoc, out);
}

void bench_orgmode_add(const struct bench *b, struct strbuf *out)
{
	add_table(b, &orgmode, out);
}
