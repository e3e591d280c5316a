#include "fold/hottest.h"

#include "base/alloc.h"

#include <stdlib.h>

static int by_cost(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	if (x->before != y->before)
		return x->before < y->before ? 1 : -1;
	return x->label < y->label ? -1 : x->label > y->label;
}

/* Adds a line to every label on its path; seen[label] is the last line that was added there. */
static void add_line(const struct tree *t, const struct tree_line *line, struct top_row *row,
		     uint32_t *seen, uint32_t number)
{
	weight_sum sum = line->sum[t->nr_column - 1];
	weight_sum before = t->nr_column == 2 ? line->sum[0] : 0;
	uint32_t label;

	for (uint32_t n = line->node; n; n = tree_parent(t, n)) {
		label = tree_label(t, n);
		if (n == line->node)
			row[label].self += sum;
		if (seen[label] != number) {
			row[label].total += sum;
			row[label].before += before;
		}
		seen[label] = number;
	}
	if (t->root && seen[t->root - 1] != number) {
		row[t->root - 1].total += sum;
		row[t->root - 1].before += before;
	}
}

/* By label: is it the name of a frame?  Thread names, which stacks may begin with, are not. */
static bool *find_functions(const struct labels *l)
{
	bool *is = xcalloc(l->nr, sizeof(*is));

	for (size_t i = 0; i < l->nr_of_frame; i++)
		is[l->of_frame[i]] = true;
	return is;
}

struct top_row *top_list(const struct tree *t, size_t *nr)
{
	size_t nr_label = t->labels.nr;
	struct top_row *row = xcalloc(nr_label, sizeof(*row));
	uint32_t *seen = xcalloc(nr_label, sizeof(*seen));
	bool *is_function = find_functions(&t->labels);

	for (size_t i = 0; i < nr_label; i++)
		row[i].label = (uint32_t)i;
	for (size_t i = 0; i < t->nr_line; i++) {
		struct tree_line line = tree_line(t, i);

		add_line(t, &line, row, seen, (uint32_t)i + 1);
	}
	*nr = 0;
	for (size_t i = 0; i < nr_label; i++)
		if (is_function[i] && (row[i].total > 0 || row[i].before > 0))
			row[(*nr)++] = row[i];
	if (*nr)
		qsort(row, *nr, sizeof(*row), by_cost);
	free(is_function);
	free(seen);
	return row;
}
