#include "fold/chosen.h"

#include "fold/changes.h"

#include <stdlib.h>

struct span chosen_unit(const struct profile *p, const struct chosen *c)
{
	const bool *in = c->in[c->nr_column - 1];
	struct span unit = SPAN("");

	for (uint32_t i = 0; i < p->nr_event; i++) {
		struct span own = profile_peek(p, p->event[i].unit);

		if (!in[i])
			continue;
		if (!own.size || (c->samples && samples_known(p, i)))
			own = SPAN("samples");
		unit = !unit.size || span_eq(unit, own) ? own : SPAN("count");
	}
	return unit.size ? unit : SPAN("samples");
}

void chosen_release(struct chosen *c)
{
	free(c->in[0]);
	free(c->in[1]);
	*c = (struct chosen){ 0 };
}
