#include "tui/source_listing.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { COST_COLUMNS = 20 }; /* bytes of the two shares before the line number */

void listing_empty(struct listing *l)
{
	strbuf_release(&l->text);
	free(l->begin);
	*l = (struct listing){
		.label = LAYOUT_ALL, .what = l->what, .write = l->write, .arg = l->arg
	};
}

static void find_lines(struct listing *l)
{
	size_t cap = 0, at = 0;

	while (at < l->text.size) {
		GROW(l->begin, l->nr, cap);
		l->begin[l->nr++] = at;
		at += span_find(span_from(strbuf_peek(&l->text), at), '\n') + 1;
	}
	GROW(l->begin, l->nr, cap);
	l->begin[l->nr] = at;
}

bool listing_fill(struct listing *l, const struct model *m, uint32_t label)
{
	if (l->label == label)
		return false;
	listing_empty(l);
	if (label >= LAYOUT_MORE || !m->frame[label] || !l->write)
		return true;
	l->label = label;
	l->write(l->arg, m, label, l->what, &l->text);
	find_lines(l);
	return true;
}

struct span listing_line(const struct listing *l, size_t line)
{
	return span_between(l->text.at + l->begin[line], l->text.at + l->begin[line + 1] - 1);
}

bool listing_has_cost(struct span line)
{
	struct span costs = span_trim_start(span_upto(line, COST_COLUMNS));

	return line.size > COST_COLUMNS && costs.size && costs.at[0] >= '0' && costs.at[0] <= '9' &&
	       span_find(costs, '%') < costs.size;
}

size_t listing_heaviest(const struct listing *l)
{
	double most = 0;
	size_t found = 0;

	for (size_t i = 0; i < l->nr; i++) {
		struct span costs = span_trim_start(span_upto(listing_line(l, i), COST_COLUMNS));
		double share;

		if (listing_has_cost(listing_line(l, i)) &&
		    span_double(span_upto(costs, span_find(costs, ' ')), &share) && share > most) {
			most = share;
			found = i;
		}
	}
	return found;
}
