/* Threads by what they cost, and when. */
#ifndef WICK_TUI_THREADS_H
#define WICK_TUI_THREADS_H

#include "tui/model.h"

enum { THREAD_SLICES = 240 }; /* of the time that is known */

struct thread_row {
	uint32_t thread;
	weight_sum sum;
	uint32_t *slice; /* samples in each slice of the time */
};

struct threads {
	struct thread_row *row; /* the heaviest first */
	size_t nr;
	uint32_t *all; /* samples in each slice, of all threads; NULL: no times are known */
	uint64_t begin, end;
	uint64_t
		zero; /* what times are told from: the begin of all, not of the part that is seen */
};

/* Of the whole profile, of which the model may show a part. */
void threads_init(struct threads *t, const struct model *m, const struct profile *whole);
void threads_release(struct threads *t);

#endif
