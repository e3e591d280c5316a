#include "image/dwarf/flat_ranges.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>

/* The ranges that contain the current place, innermost last. */
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

/* The pieces so far. */
struct found {
	uint32_t *at, *what;
	size_t nr;
};

static void add_piece(struct found *f, uint32_t at, uint32_t what)
{
	if (f->nr ? f->what[f->nr - 1] == what : what == PIECE_NONE)
		return;
	f->at[f->nr] = at;
	f->what[f->nr++] = what;
}

void flat_ranges_init(struct flat_ranges *p, const struct range *range, size_t nr)
{
	uint64_t *key = xcalloc(2 * nr + 1, sizeof(*key));
	struct open_ranges open = { .nr = 0 };
	struct found f = { .at = xcalloc(2 * nr + 1, sizeof(*f.at)),
			   .what = xcalloc(2 * nr + 1, sizeof(*f.what)) };

	/*
	 * Equal keys keep their order: where one range ends and another begins, the end comes
	 * first.
	 */
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
			add_piece(&f, sort_by(key[i]),
				  open.nr ? open.range[open.nr - 1]->what : PIECE_NONE);
	}
	free(key);
	sorted_addresses_init(&p->begin, f.at, f.nr);
	p->what = f.what;
}

void flat_ranges_release(struct flat_ranges *p)
{
	sorted_addresses_release(&p->begin);
	free(p->what);
	*p = (struct flat_ranges){ 0 };
}

uint32_t flat_ranges_find(const struct flat_ranges *p, uint32_t place)
{
	uint32_t i = sorted_addresses_find(&p->begin, place);

	return i == PLACE_NONE ? PIECE_NONE : p->what[i];
}
