#include "profile/cpu_labels.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

static void grow(struct cpu_labels *c, size_t nr)
{
	c->at = xreallocarray(c->at, nr, sizeof(*c->at));
	memset(c->at + c->nr, 0, (nr - c->nr) * sizeof(*c->at));
	c->nr = nr;
}

label_id cpu_labels_get(struct cpu_labels *c, struct profile *p, uint64_t cpu)
{
	char text[32];

	if (cpu >= CPU_LABELS_MAX)
		return (label_id){ 0 };
	if (cpu >= c->nr)
		grow(c, (size_t)cpu + 1);
	if (!c->at[cpu].i) {
		struct label label = { .key = profile_string(p, SPAN("cpu")) };

		snprintf(text, sizeof(text), "%u", (unsigned)cpu);
		label.value = profile_string(p, span_of(text));
		c->at[cpu] = profile_labels(p, &label, 1);
	}
	return c->at[cpu];
}

void cpu_labels_release(struct cpu_labels *c)
{
	free(c->at);
	*c = (struct cpu_labels){ 0 };
}
