/*
 * Ticks are bounded.  When there are too many, the quantum of time grows: ticks of the same thread,
 * stack, event and labels in one quantum become one.  Sums stay exact, only times get coarser.
 */
#include "profile/ticks.h"

#include "base/alloc.h"

#include <stdlib.h>

void profile_keep_ticks(struct profile *p, size_t max)
{
	p->max_tick = max;
	p->tick_quantum = 1;
}

void profile_drop_ticks(struct profile *p)
{
	free(p->tick);
	p->tick = NULL;
	p->nr_tick = p->cap_tick = p->max_tick = 0;
	p->timed = false;
}

/* By event: the weight of its counts minus that of its ticks; 0 if it has no ticks.  To be freed. */
static uint64_t *missing_weights(const struct profile *p)
{
	uint64_t *missing = xcalloc(p->nr_event, sizeof(*missing));
	bool *has = xcalloc(p->nr_event, sizeof(*has));

	for (size_t i = 0; i < p->nr_tick; i++) {
		has[p->tick[i].event] = true;
		missing[p->tick[i].event] -= (uint64_t)p->tick[i].weight;
	}
	for (size_t i = 0; i < p->nr_count; i++)
		if (has[p->count[i].event])
			missing[p->count[i].event] += (uint64_t)p->count[i].weight;
	free(has);
	return missing;
}

bool profile_ticks_add_up(const struct profile *p)
{
	uint64_t *missing = missing_weights(p);
	bool right = true;

	for (size_t i = 0; i < p->nr_event; i++)
		right &= !missing[i];
	free(missing);
	return right;
}

void profile_drop_partial_ticks(struct profile *p)
{
	uint64_t *missing = missing_weights(p);
	uint64_t *dropped = xcalloc(p->nr_event, sizeof(*dropped));
	size_t kept = 0;

	for (size_t i = 0; i < p->nr_tick; i++)
		if (missing[p->tick[i].event])
			dropped[p->tick[i].event]++;
		else
			p->tick[kept++] = p->tick[i];
	p->nr_tick = kept;
	for (size_t i = 0; i < p->nr_event; i++)
		if (dropped[i])
			notes_add(&p->notes, NOTE_TICKS_PARTIAL, dropped[i], 0,
				  profile_peek(p, p->event[i].name));
	free(dropped);
	free(missing);
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Ticks of one quantum that are to be merged become neighbors. */
static int by_row(const void *a, const void *b)
{
	const struct tick *x = a, *y = b;
	int order = compare(x->thread.i, y->thread.i);

	if (!order)
		order = compare(x->stack.i, y->stack.i);
	if (!order)
		order = compare(x->event, y->event);
	if (!order)
		order = compare(x->labels.i, y->labels.i);
	return order ? order : compare(x->time, y->time);
}

static bool same_row(const struct tick *a, const struct tick *b)
{
	return a->thread.i == b->thread.i && a->stack.i == b->stack.i && a->event == b->event &&
	       a->labels.i == b->labels.i;
}

/* Merges the nr ticks of one quantum into the front of `to`; returns how many are left. */
static size_t merge_quantum(struct tick *to, struct tick *from, size_t nr)
{
	size_t kept = 0;

	qsort(from, nr, sizeof(*from), by_row);
	for (size_t i = 0; i < nr; i++) {
		int64_t sum;

		if (kept && same_row(&to[kept - 1], &from[i]) &&
		    !__builtin_add_overflow(to[kept - 1].weight, from[i].weight, &sum))
			to[kept - 1].weight = sum;
		else
			to[kept++] = from[i];
	}
	return kept;
}

/* Merges the ticks of each quantum.  They are in input order, so those of a quantum are mostly adjacent. */
static void merge_ticks(struct profile *p)
{
	size_t before = p->nr_tick, kept = 0, begin = 0;

	for (size_t i = 1; i <= p->nr_tick; i++) {
		if (i < p->nr_tick &&
		    p->tick[i].time / p->tick_quantum == p->tick[begin].time / p->tick_quantum)
			continue;
		kept += merge_quantum(p->tick + kept, p->tick + begin, i - begin);
		begin = i;
	}
	p->nr_tick = kept;
	if (kept < before)
		notes_add(&p->notes, NOTE_TICKS_COARSE, before - kept, 0, SPAN(""));
}

static void make_room(struct profile *p)
{
	/* The newest ticks were not merged yet in the current quantum. */
	merge_ticks(p);
	while (p->nr_tick >= p->max_tick - p->max_tick / 4) {
		if (p->tick_quantum > UINT64_MAX / 4) {
			/* All are different: exceed the limit rather than lose a sample. */
			p->max_tick *= 2;
			return;
		}
		p->tick_quantum *= 4;
		merge_ticks(p);
	}
}

void ticks_add(struct profile *p, const struct tick *t)
{
	if (p->nr_tick >= p->max_tick)
		make_room(p);
	GROW(p->tick, p->nr_tick, p->cap_tick);
	p->tick[p->nr_tick++] = *t;
}
