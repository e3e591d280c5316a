/*
 * Records that come before the loop of the recording begins.  Where thousands of threads are attached
 * to, the events of the last are opened long after those of the first have begun to fill the rings,
 * above all if the threads leave us little of a CPU.  Their records are put aside, in no order: the
 * loop sorts them by time.
 */
#include "record/perf_events/sampler.h"

void sampler_read_early(struct sampler *s)
{
	for (size_t i = 0; i < s->nr_ring; i++)
		if (s->ring[i].page && s->early.size < EARLY_SIZE_MAX &&
		    ring_pending(&s->ring[i]) > s->ring[i].size / 4)
			ring_take(&s->ring[i], &s->early);
}
