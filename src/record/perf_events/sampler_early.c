/*
 * Records that arrive before the main loop begins.  If wick attaches to thousands of threads, the events of the
 * last are opened long after those of the first have begun to fill the ring buffers, above all if the threads leave
 * wick little CPU time.  These records are stored unsorted: the main loop sorts them by time.
 */
#include "record/perf_events/sampler.h"

void sampler_read_early(struct sampler *s)
{
	for (size_t i = 0; i < s->nr_ring; i++)
		if (s->ring[i].page && s->early.size < EARLY_SIZE_MAX &&
		    ring_pending(&s->ring[i]) > s->ring[i].size / 4)
			ring_take(&s->ring[i], &s->early);
}
