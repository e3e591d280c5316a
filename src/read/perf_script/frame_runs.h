/*
 * The frames of a text as a single number for a cache: usually the handle of one frame, else the
 * position of a run of several (inlined calls) or of none.
 */
#ifndef WICK_READ_PERF_SCRIPT_FRAME_RUNS_H
#define WICK_READ_PERF_SCRIPT_FRAME_RUNS_H

#include "read/build.h"

struct frame_runs {
	uint32_t *number; /* runs, one after the other: a length, followed by that many handles */
	size_t nr, cap;
};

/* Bits of a value. */
#define FRAME_RUN (UINT32_C(1) << 31) /* the rest is the position of a run */
#define FRAME_RUN_LAST \
	(UINT32_C(1) << 30) /* … whose callers are dropped: script_policy.skip_after */

static inline void frame_runs_push(const struct frame_runs *r, uint32_t value, struct build *b)
{
	const uint32_t *run;

	if (__builtin_expect(!(value & FRAME_RUN), 1)) {
		build_push(b, (frame_id){ value });
		return;
	}
	run = &r->number[value & ~(FRAME_RUN | FRAME_RUN_LAST)];
	for (uint32_t i = 1; i <= run[0]; i++)
		build_push(b, (frame_id){ run[i] });
}

/* The value of the frames that were pushed since b->nr was `from`; mark is 0 or FRAME_RUN_LAST. */
uint32_t frame_runs_add(struct frame_runs *r, const struct build *b, size_t from, uint32_t mark);
void frame_runs_release(struct frame_runs *r);

#endif
