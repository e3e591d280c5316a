#include "base/row_index.h"

#include "base/alloc.h"

#include <stdlib.h>

void row_index_grow(struct row_index *x, size_t nr)
{
	free(x->slot);
	x->slot = NULL;
	x->mask = 63;
	while (nr >= x->mask - x->mask / 4)
		x->mask = x->mask * 2 + 1;
	x->slot = xcalloc_table((size_t)x->mask + 1, sizeof(*x->slot));
}
