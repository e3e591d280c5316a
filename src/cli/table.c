#include "cli/table.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
	NAME_GOOD = 8, /* characters: shorter names are useless */
	BAR_WIDTH = 10,
	GAP = 2,
};

/* The width of a column that is left out. */
static const size_t GONE = SIZE_MAX;

static void push_cell(struct table *t, size_t begin, enum term_style style)
{
	GROW(t->cell, t->nr_cell, t->cap_cell);
	t->cell[t->nr_cell++] =
		(struct table_cell){ .begin = begin, .size = t->text.size - begin, .style = style };
}

void table_add(struct table *t, struct span text, enum term_style style)
{
	size_t begin = t->text.size;

	legible_add(&t->text, text);
	push_cell(t, begin, style);
}

void table_add_bar(struct table *t, double share)
{
	static const char *const parts[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	size_t begin = t->text.size;
	long eighths = lround(fmin(fmax(share, 0), 1) * BAR_WIDTH * 8);

	/* Only 0 has no bar. */
	if (!eighths && share > 0)
		eighths = 1;
	for (long i = 0; i < eighths / 8; i++)
		strbuf_add(&t->text, SPAN("█"));
	strbuf_add(&t->text, span_of(parts[eighths % 8]));
	push_cell(t, begin, term_style_of(share));
}

static struct span peek(const struct table *t, const struct table_cell *c)
{
	return span_upto(span_from(strbuf_peek(&t->text), c->begin), c->size);
}

static bool is_name(const struct table_column *c)
{
	return c->kind == TABLE_NAME || c->kind == TABLE_PATH;
}

/* The width of all columns, if names have at most `most_of_name` characters. */
static size_t width_of_row(const struct table *t, const size_t *width, size_t most_of_name)
{
	size_t all = 0;

	for (size_t k = 0; k < t->nr_column; k++) {
		size_t n = width[k];

		if (n == GONE)
			continue;
		if (is_name(&t->column[k]) && n > most_of_name)
			n = most_of_name;
		all += n + (all ? GAP : 0);
	}
	return all;
}

/* Leaves out bars, then spare columns, as long as names would get less than NAME_GOOD. */
static void leave_out(const struct table *t, size_t *width, size_t room)
{
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t k = 0; k < t->nr_column; k++) {
			bool spare = pass ? t->column[k].spare : t->column[k].kind == TABLE_BAR;

			if (spare && width_of_row(t, width, NAME_GOOD) > room)
				width[k] = GONE;
		}
}

/* Makes the widest names narrower until all fits. */
static void fit(const struct table *t, size_t *width, size_t room)
{
	leave_out(t, width, room);
	for (size_t all = width_of_row(t, width, SIZE_MAX); all > room; all--) {
		size_t *widest = NULL;

		for (size_t k = 0; k < t->nr_column; k++)
			if (is_name(&t->column[k]) && width[k] != GONE &&
			    (!widest || width[k] > *widest))
				widest = &width[k];
		if (!widest || *widest <= 1)
			return;
		--*widest;
	}
}

static size_t *find_widths(const struct table *t, size_t room)
{
	size_t *width = xcalloc(t->nr_column, sizeof(*width));

	assert(t->nr_column);
	for (size_t k = 0; k < t->nr_column; k++)
		width[k] = utf8_length(span_of(t->column[k].title));
	for (size_t i = 0; i < t->nr_cell; i++) {
		size_t n = utf8_length(peek(t, &t->cell[i]));

		if (n > width[i % t->nr_column])
			width[i % t->nr_column] = n;
	}
	if (room)
		fit(t, width, room);
	return width;
}

static void add_blanks(struct strbuf *out, size_t nr)
{
	while (nr-- > 0)
		strbuf_addch(out, ' ');
}

struct writer {
	const struct table *t;
	const struct term *term;
	struct strbuf *out;
	size_t *width;
};

/* An ellipsis and as much of the end as there is room for. */
static void shorten_path(struct strbuf *out, struct span path, size_t max)
{
	strbuf_add(out, SPAN("…"));
	strbuf_add(out, span_from(path, utf8_bytes(path, utf8_length(path) - (max - 1))));
}

static void write_cell(const struct writer *w, size_t column, struct span text,
		       enum term_style style)
{
	const struct table *t = w->t;
	struct strbuf shorter = { 0 };
	size_t nr = utf8_length(text), blanks;

	if (w->width[column] == GONE)
		return;
	if (nr > w->width[column]) {
		if (t->column[column].kind == TABLE_PATH)
			shorten_path(&shorter, text, w->width[column]);
		else
			t->shorten(&shorter, text, w->width[column]);
		text = strbuf_peek(&shorter);
		nr = utf8_length(text);
	}
	blanks = w->width[column] > nr ? w->width[column] - nr : 0;
	if (t->column[column].kind == TABLE_NUMBER)
		add_blanks(w->out, blanks);
	term_add(w->out, w->term, style, text);

	if (column + 1 < t->nr_column)
		add_blanks(w->out, GAP + (t->column[column].kind == TABLE_NUMBER ? 0 : blanks));
	strbuf_release(&shorter);
}

/* Removes blanks at the end of the line. */
static void end_line(struct strbuf *out)
{
	while (out->size && out->at[out->size - 1] == ' ')
		out->size--;
	strbuf_addch(out, '\n');
}

void table_write(const struct table *t, const struct term *term, struct strbuf *out)
{
	struct writer w = {
		.t = t, .term = term, .out = out, .width = find_widths(t, term->width)
	};

	assert(t->nr_column);
	for (size_t k = 0; k < t->nr_column; k++)
		write_cell(&w, k, span_of(t->column[k].title), STYLE_BOLD);
	end_line(out);
	for (size_t i = 0; i < t->nr_cell; i++) {
		size_t column = i % t->nr_column;

		write_cell(&w, column, peek(t, &t->cell[i]), t->cell[i].style);
		if (column + 1 == t->nr_column)
			end_line(out);
	}
	free(w.width);
}

/* Markdown */

/* A name as inline code, where only back quotes and, in a table, | have a meaning. */
static void add_code(struct strbuf *out, struct span name)
{
	const char *fence = span_find(name, '`') < name.size ? "``" : "`";

	if (!name.size)
		return;
	strbuf_addf(out, "%s%s", fence, fence[1] ? " " : "");
	for (size_t i = 0; i < name.size; i++) {
		if (name.at[i] == '|')
			strbuf_addch(out, '\\');
		strbuf_addch(out, name.at[i]);
	}
	strbuf_addf(out, "%s%s", fence[1] ? " " : "", fence);
}

void table_write_markdown(const struct table *t, struct strbuf *out)
{
	assert(t->nr_column);
	for (size_t k = 0; k < t->nr_column; k++)
		if (t->column[k].kind != TABLE_BAR)
			strbuf_addf(out, "| %s ", t->column[k].title);
	strbuf_add(out, SPAN("|\n"));
	for (size_t k = 0; k < t->nr_column; k++)
		if (t->column[k].kind != TABLE_BAR)
			strbuf_addf(out, "|%s", t->column[k].kind == TABLE_NUMBER ? "--:" : "---");
	strbuf_add(out, SPAN("|\n"));
	for (size_t i = 0; i < t->nr_cell; i++) {
		enum table_kind kind = t->column[i % t->nr_column].kind;
		struct span text = peek(t, &t->cell[i]);

		if (kind != TABLE_BAR)
			strbuf_add(out, SPAN("| "));
		if (is_name(&t->column[i % t->nr_column]))
			add_code(out, text);
		else if (kind == TABLE_NUMBER)
			strbuf_add(out, text);
		if (kind != TABLE_BAR)
			strbuf_addch(out, ' ');
		if (i % t->nr_column + 1 == t->nr_column)
			strbuf_add(out, SPAN("|\n"));
	}
}

void table_release(struct table *t)
{
	strbuf_release(&t->text);
	free(t->cell);
	*t = (struct table){ 0 };
}
