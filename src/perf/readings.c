#include "perf/readings.h"

#include "base/alloc.h"

#include <stdlib.h>

struct reading {
	uint64_t id, value;
	uint32_t tid;
	bool used;
};

void readings_release(struct readings *t)
{
	free(t->last);
	*t = (struct readings){ 0 };
}

static struct reading *slot(const struct readings *t, uint64_t id, uint32_t tid)
{
	size_t mask = t->cap - 1;
	size_t i = (size_t)((id ^ (uint64_t)tid << 32) * 0x9e3779b97f4a7c15 >> 32) & mask;

	while (t->last[i].used && (t->last[i].id != id || t->last[i].tid != tid))
		i = (i + 1) & mask;
	return &t->last[i];
}

static void grow(struct readings *t)
{
	struct readings old = *t;

	t->cap = old.cap ? old.cap * 2 : 16;
	t->last = xcalloc(t->cap, sizeof(*t->last));
	for (size_t i = 0; i < old.cap; i++)
		if (old.last[i].used)
			*slot(t, old.last[i].id, old.last[i].tid) = old.last[i];
	free(old.last);
}

uint64_t readings_since(struct readings *t, uint64_t id, uint32_t tid, uint64_t value)
{
	struct reading *r;
	uint64_t before;

	if (t->nr * 2 >= t->cap)
		grow(t);
	r = slot(t, id, tid);
	if (!r->used && t->nr == READINGS_MAX)
		return 0;
	before = r->value;
	t->nr += !r->used;
	*r = (struct reading){ .id = id, .tid = tid, .value = value, .used = true };
	/* A smaller value: the counter was reset. */
	return value >= before ? value - before : value;
}
