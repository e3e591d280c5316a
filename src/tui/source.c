#include "tui/source.h"

#include "base/alloc.h"

#include <stdlib.h>

enum {
	AROUND_LINES = 8,      /* that are shown before and behind */
	LINES_MAX = 10 * 1000, /* of a function; what is longer is cut */
};

void source_lines_init(struct source_lines *s)
{
	*s = (struct source_lines){ .label = LAYOUT_ALL };
}

void source_lines_release(struct source_lines *s)
{
	free(s->row);
	free(s->begin);
	strbuf_release(&s->text);
	source_lines_init(s);
}

/* The line of a frame that is called so, the innermost of several; NULL: none is. */
static const struct line *line_of(const struct model *m, uint32_t frame, uint32_t label)
{
	const struct labels *l = model_labels(m);
	const struct frame *f = &m->o.p->frame[frame];

	for (size_t k = 0; k < f->nr_line && k < l->first[frame + 1] - l->first[frame]; k++)
		if (l->of_frame[l->first[frame + 1] - 1 - k] == label && f->line[k].line)
			return &f->line[k];
	return NULL;
}

static int by_place(const void *a, const void *b)
{
	const struct source_row *x = a, *y = b;

	if (x->file.i != y->file.i)
		return x->file.i < y->file.i ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static size_t drop_doubles(struct source_row *row, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (!kept || by_place(&row[kept - 1], &row[i]) != 0)
			row[kept++] = row[i];
	return kept;
}

static size_t find_row(const struct source_lines *s, str_id file, uint32_t line)
{
	struct source_row key = { .file = file, .line = line };
	const struct source_row *found =
		s->nr ? bsearch(&key, s->row, s->nr, sizeof(key), by_place) : NULL;

	return found ? (size_t)(found - s->row) : s->nr;
}

/* The rows, by place; returns by frame its row + 1. */
static uint32_t *find_rows(struct source_lines *s, const struct model *m, uint32_t label)
{
	const struct profile *p = m->o.p;
	uint32_t *row_of = xcalloc(p->nr_frame, sizeof(*row_of));
	const struct line *line;
	size_t cap = 0;

	for (uint32_t f = 0; f < p->nr_frame; f++) {
		line = line_of(m, f, label);
		if (!line)
			continue;
		GROW(s->row, s->nr, cap);
		s->row[s->nr++] = (struct source_row){ .file = line->file, .line = line->line };
	}
	if (s->nr)
		qsort(s->row, s->nr, sizeof(*s->row), by_place);
	s->nr = drop_doubles(s->row, s->nr);
	for (uint32_t f = 0; f < p->nr_frame; f++) {
		line = line_of(m, f, label);
		if (line)
			row_of[f] = (uint32_t)find_row(s, line->file, line->line) + 1;
	}
	return row_of;
}

/* A sample counts once in each line that it is in, and as its own in the innermost. */
static void add_samples(struct source_lines *s, const struct model *m, uint32_t label,
			const uint32_t *row_of)
{
	const struct labels *l = model_labels(m);
	const struct profile *p = m->o.p;
	size_t *seen = xcalloc(s->nr, sizeof(*seen));

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		uint32_t leaf = p->stack[c->stack.i].frame.i;
		weight_sum w = m->o.samples ? (weight_sum)c->nr
					    : tree_weight(p, c->event, c->weight, m->tree[0].scale);

		if (!m->o.in[m->o.nr_column - 1][c->event])
			continue;
		for (uint32_t k = c->stack.i; k; k = p->stack[k].caller.i) {
			uint32_t row = row_of[p->stack[k].frame.i];

			if (row && seen[row - 1] != i + 1) {
				s->row[row - 1].total += w;
				seen[row - 1] = i + 1;
			}
		}
		/* It is its own where the innermost call of the leaf is the function. */
		if (c->stack.i && row_of[leaf] && l->of_frame[l->first[leaf + 1] - 1] == label)
			s->row[row_of[leaf] - 1].self += w;
	}
	free(seen);
}

static int by_total(const void *a, const void *b)
{
	const struct source_row *x = a, *y = b;

	return x->total != y->total ? (x->total < y->total ? 1 : -1) : by_place(a, b);
}

/* The file in which most of it is. */
static void find_file(struct source_lines *s)
{
	weight_sum most = -1, sum = 0;

	for (size_t i = 0; i < s->nr; i++) {
		sum = i && s->row[i].file.i == s->row[i - 1].file.i ? sum : 0;
		sum += s->row[i].total;
		if (sum > most) {
			most = sum;
			s->file = s->row[i].file;
		}
	}
	for (size_t i = 0; i < s->nr; i++) {
		if (s->row[i].file.i != s->file.i)
			continue;
		if (!s->first)
			s->first = s->row[i].line;
		s->last = s->row[i].line;
	}
}

static void find_lines(struct source_lines *s)
{
	size_t cap = 0;

	for (size_t at = 0; at < s->text.size;) {
		struct span rest = span_from(strbuf_peek(&s->text), at);

		GROW(s->begin, s->nr_line, cap);
		s->begin[s->nr_line++] = at;
		at += span_find(rest, '\n') + 1;
	}
	GROW(s->begin, s->nr_line, cap);
	s->begin[s->nr_line] = s->text.size + 1;
}

/* The lines that are shown; what the profile says of lines past the end of the file is not of this file. */
static void find_range(struct source_lines *s)
{
	if (s->last > s->nr_line) {
		strbuf_reset(&s->text);
		s->nr_line = 0;
		return;
	}
	s->first = s->first > AROUND_LINES ? s->first - AROUND_LINES : 1;
	s->last = s->last + AROUND_LINES < s->nr_line ? s->last + AROUND_LINES : s->nr_line;
	if (s->last - s->first > LINES_MAX)
		s->last = s->first + LINES_MAX;
}

void source_lines_fill(struct source_lines *s, const struct model *m, uint32_t label,
		       source_loader *load)
{
	uint32_t *row_of;

	if (s->label == label)
		return;
	source_lines_release(s);
	if (label >= LAYOUT_MORE)
		return;
	s->label = label;
	row_of = find_rows(s, m, label);
	add_samples(s, m, label, row_of);
	free(row_of);
	if (!s->nr)
		return;
	find_file(s);
	if (load && load(profile_peek(m->o.p, s->file), &s->text)) {
		find_lines(s);
		find_range(s);
	}
	/* Without the text, a list: the heaviest first. */
	if (!s->text.size)
		qsort(s->row, s->nr, sizeof(*s->row), by_total);
}

const struct source_row *source_lines_find(const struct source_lines *s, size_t line)
{
	size_t row = find_row(s, s->file, (uint32_t)line);

	return row < s->nr ? &s->row[row] : NULL;
}
