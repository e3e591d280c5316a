#include "ingest/wait_tasks.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdlib.h>

void wait_tasks_release(struct wait_tasks *t)
{
	free(t->task);
	free(t->slot);
	*t = (struct wait_tasks){ 0 };
}

static size_t home(uint32_t tid, size_t nr_slot)
{
	return (size_t)(tid * UINT64_C(2654435761) >> 7) & (nr_slot - 1);
}

/* The slot of a tid: its task, or the empty one where it belongs. */
static uint32_t *find_slot(const struct wait_tasks *t, uint32_t tid)
{
	size_t i = home(tid, t->nr_slot);

	while (t->slot[i] && t->task[t->slot[i] - 1].tid != tid)
		i = (i + 1) & (t->nr_slot - 1);
	return &t->slot[i];
}

struct wait_task *wait_tasks_find(const struct wait_tasks *t, uint32_t tid)
{
	uint32_t at = t->nr_slot ? *find_slot(t, tid) : 0;

	return at ? &t->task[at - 1] : NULL;
}

static void index_tasks(struct wait_tasks *t)
{
	memset(t->slot, 0, t->nr_slot * sizeof(*t->slot));
	for (size_t i = 0; i < t->nr; i++)
		*find_slot(t, t->task[i].tid) = (uint32_t)i + 1;
}

struct wait_task *wait_tasks_add(struct wait_tasks *t, uint32_t pid, uint32_t tid)
{
	if (t->nr == WAIT_TASKS_MAX)
		return NULL;
	GROW(t->task, t->nr, t->cap);
	assert(t->task);
	t->task[t->nr++] = (struct wait_task){ .pid = pid, .tid = tid };
	if (t->nr * 2 > t->nr_slot) {
		t->nr_slot = t->nr_slot ? t->nr_slot * 2 : 64;
		t->slot = xreallocarray(t->slot, t->nr_slot, sizeof(*t->slot));
		index_tasks(t);
	} else {
		*find_slot(t, tid) = (uint32_t)t->nr;
	}
	return &t->task[t->nr - 1];
}

void wait_tasks_drop_gone(struct wait_tasks *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->nr; i++)
		if (t->task[i].state != STATE_GONE)
			t->task[kept++] = t->task[i];
	t->nr = kept;
	t->nr_gone = 0;
	if (t->nr_slot)
		index_tasks(t);
}
