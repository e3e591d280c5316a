#include "image/sorted_addresses.h"

#include "base/alloc.h"

#include <stdlib.h>

void sorted_addresses_init(struct sorted_addresses *p, uint32_t *at, size_t nr)
{
	uint32_t i = 0, span = nr ? at[nr - 1] - at[0] : 0;

	*p = (struct sorted_addresses){ .at = at, .nr = (uint32_t)nr };
	if (!nr)
		return;
	while (span >> p->shift > p->nr)
		p->shift++;
	p->nr_hint = (span >> p->shift) + 2;
	p->hint = xcalloc(p->nr_hint, sizeof(*p->hint));
	for (uint32_t k = 0; k < p->nr_hint; k++) {
		uint64_t begin = at[0] + ((uint64_t)k << p->shift);

		while (i + 1 < p->nr && at[i + 1] <= begin)
			i++;
		p->hint[k] = i;
	}
}

void sorted_addresses_release(struct sorted_addresses *p)
{
	free(p->at);
	free(p->hint);
	*p = (struct sorted_addresses){ 0 };
}
