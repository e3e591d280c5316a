/*
 * The unwind rows of JIT-compiled code.  They are built when the code is read from the dump, not on
 * demand: the bytes of its .eh_frame are not kept.
 */
#include "base/alloc.h"
#include "image/cfi/cfi_build.h"

#include <stdlib.h>

struct cfi_grown {
	struct cfi_builder b; /* b.cfi is the table that owns this; ranges are sorted */
};

struct cfi *cfi_new_growing(unsigned elf)
{
	const struct cfi_machine *machine = cfi_machine_find(elf);
	struct cfi_grown *g;

	if (!machine)
		return NULL;
	g = xcalloc(1, sizeof(*g));
	cfi_builder_init(&g->b, machine, NULL, 0);
	g->b.cfi->grown = g;
	return g->b.cfi;
}

void cfi_grown_free(struct cfi_grown *g)
{
	if (!g)
		return;
	/* The caller frees that table. */
	g->b.cfi = NULL;
	cfi_builder_release(&g->b);
	free(g);
}

static int by_begin(const void *a, const void *b)
{
	const struct cfi_range *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->first_row < y->first_row ? -1 : x->first_row > y->first_row;
}

/* Sorts the ranges that were added last; if two overlap, the first wins. */
static void order_ranges(struct cfi_builder *b, size_t first)
{
	size_t nr = first;

	if (b->nr_range - first > 1)
		qsort(b->range + first, b->nr_range - first, sizeof(*b->range), by_begin);
	for (size_t i = first; i < b->nr_range; i++)
		if (nr == first || b->range[i].begin >= b->range[nr - 1].end)
			b->range[nr++] = b->range[i];
	b->nr_range = nr;
}

void cfi_grow(struct cfi *c, const struct cfi_code *code, struct span eh_frame)
{
	struct cfi_builder *b = &c->grown->b;
	struct cfi_section s = { .format = CFI_EH_FRAME,
				 .bytes = eh_frame,
				 .address = code->address + ((code->size + 7) & ~UINT64_C(7)) };
	size_t first = b->nr_range;

	b->code = code;
	b->nr_code = 1;
	cfi_add_section(b, &s);
	b->nr_code = 0;
	order_ranges(b, first);
}

uint32_t cfi_grown_find(const struct cfi_grown *g, uint64_t place)
{
	const struct cfi_range *range = g->b.range;
	size_t low = 0, high = g->b.nr_range;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (range[middle].begin <= place)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || place >= range[low - 1].end || !range[low - 1].nr_row)
		return 0;
	return cfi_row_find(g->b.row + range[low - 1].first_row, range[low - 1].nr_row, place);
}
