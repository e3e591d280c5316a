/*
 * What a piece of text stands for, as one number that a memo can remember:
 * mostly a frame, else a run of several (a call inlined into another is a
 * second one) or of none.
 */
#ifndef WICK_READ_FRAME_RUNS_H
#define WICK_READ_FRAME_RUNS_H

#include "read/build.h"

struct frame_runs {
	uint32_t *number; /* of frames, and as many frames; … */
	size_t nr, cap;
};

/* In a value: it is the place of a run; and whoever called these frames is not wanted. */
#define FRAME_RUN      (UINT32_C(1) << 31)
#define FRAME_RUN_LAST (UINT32_C(1) << 30)

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

/* The value of the frames that were pushed since there were `from`; mark is 0 or FRAME_RUN_LAST. */
uint32_t frame_runs_add(struct frame_runs *r, const struct build *b, size_t from, uint32_t mark);
void frame_runs_release(struct frame_runs *r);

#endif
