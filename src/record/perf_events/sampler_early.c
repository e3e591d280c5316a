/*
 * Records that come before the loop of the recording begins.  Where thousands of threads are attached
 * to, the events of the last are opened long after those of the first have begun to fill the rings,
 * above all if the threads leave us little of a CPU.  Their records are put aside, in no order: the
 * loop sorts them by time.
 */
#include "record/perf_events/sampler.h"

static void read_ring(struct sampler *s, struct ring *ring)
{
	struct span record;
	bool stays;

	while (s->early.size < EARLY_SIZE_MAX && ring_next(ring, &record, &stays))
		strbuf_add(&s->early, record);
	/* Nothing of it is needed any more: twice, as records usually stay for a round. */
	ring_round(ring);
	ring_round(ring);
}

void sampler_read_early(struct sampler *s)
{
	for (size_t i = 0; i < s->nr_ring; i++)
		if (s->ring[i].page && ring_look(&s->ring[i]) > s->ring[i].size / 4)
			read_ring(s, &s->ring[i]);
}
