#include "read/text/print_memo.h"

#include "base/alloc.h"

#include <stdlib.h>

static void grow(struct print_memo *m)
{
	struct print_slot *old = m->slot;
	uint32_t nr_old = old ? m->mask + 1 : 0, nr = old ? nr_old * 2 : 256;

	m->slot = xcalloc_table(nr, sizeof(*m->slot));
	m->mask = nr - 1;
	for (uint32_t i = 0; i < nr_old; i++)
		if (old[i].value)
			*print_memo_slot(m, (struct print){ old[i].low, old[i].high }) = old[i];
	free(old);
}

void print_memo_add(struct print_memo *m, struct print p, uint32_t value)
{
	if (m->nr >= PRINT_MEMO_MAX)
		print_memo_forget(m);
	if (!m->slot || m->nr >= m->mask / 2)
		grow(m);
	*print_memo_slot(m, p) =
		(struct print_slot){ .low = p.low, .high = p.high, .value = MEMO_NONE - value };
	m->nr++;
}

void print_memo_forget(struct print_memo *m)
{
	if (m->slot)
		memset(m->slot, 0, ((size_t)m->mask + 1) * sizeof(*m->slot));
	m->nr = 0;
}

void print_memo_release(struct print_memo *m)
{
	free(m->slot);
	*m = (struct print_memo){ 0 };
}
