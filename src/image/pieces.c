#include "image/pieces.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>

/* The ranges that hold the place where we are, the innermost last. */
struct open_ranges {
	const struct range *range[PIECES_OVERLAP_MAX];
	size_t nr;
};

static void enter(struct open_ranges *o, const struct range *r)
{
	size_t at = o->nr;

	if (o->nr == PIECES_OVERLAP_MAX)
		return;
	for (; at && o->range[at - 1]->depth > r->depth; at--)
		o->range[at] = o->range[at - 1];
	o->range[at] = r;
	o->nr++;
}

static void leave(struct open_ranges *o, const struct range *r)
{
	size_t at = o->nr;

	while (at && o->range[at - 1] != r)
		at--;
	if (!at)
		return;
	for (; at < o->nr; at++)
		o->range[at - 1] = o->range[at];
	o->nr--;
}

static void add_piece(struct pieces *p, uint32_t at, uint32_t what)
{
	if (p->nr ? p->what[p->nr - 1] == what : what == PIECE_NONE)
		return;
	p->at[p->nr] = at;
	p->what[p->nr++] = what;
}

void pieces_init(struct pieces *p, const struct range *range, size_t nr)
{
	uint64_t *key = xcalloc(2 * nr + 1, sizeof(*key));
	struct open_ranges open = { .nr = 0 };

	*p = (struct pieces){ .at = xcalloc(2 * nr + 1, sizeof(*p->at)),
			      .what = xcalloc(2 * nr + 1, sizeof(*p->what)) };
	/* Equal keys keep their order: where one range ends and another begins, it ends first. */
	for (size_t i = 0; i < nr; i++) {
		key[i] = sort_key(range[i].end, i);
		key[nr + i] = sort_key(range[i].begin, nr + i);
	}
	sort_keys(key, 2 * nr);
	for (size_t i = 0; i < 2 * nr; i++) {
		uint32_t what = sort_what(key[i]);

		if (what < nr)
			leave(&open, &range[what]);
		else
			enter(&open, &range[what - nr]);
		if (i + 1 == 2 * nr || sort_by(key[i + 1]) != sort_by(key[i]))
			add_piece(p, sort_by(key[i]),
				  open.nr ? open.range[open.nr - 1]->what : PIECE_NONE);
	}
	free(key);
}

void pieces_release(struct pieces *p)
{
	free(p->at);
	free(p->what);
	*p = (struct pieces){ 0 };
}

uint32_t pieces_find(const struct pieces *p, uint32_t place)
{
	size_t first = 0, nr = p->nr;

	if (!nr || place < p->at[0])
		return PIECE_NONE;
	/* The last that begins at or before it; no branch depends on where that is. */
	while (nr > 1) {
		size_t half = nr / 2;

		first = p->at[first + half] <= place ? first + half : first;
		nr -= half;
	}
	return p->what[first];
}
