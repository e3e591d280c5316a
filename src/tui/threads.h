/* Threads by what they cost, and when. */
#ifndef WICK_TUI_THREADS_H
#define WICK_TUI_THREADS_H

#include "tui/model.h"

enum { THREAD_SLICES = 960 }; /* of the time that is known */

struct thread_row {
	uint32_t thread;
	weight_sum sum;
	double *slice; /* what it took in each slice of the time; NULL: that is not shown */
};

struct threads {
	struct thread_row *row; /* the heaviest first */
	size_t nr;
	double *all; /* of all threads; NULL: no times are known */
	double most; /* what reaches the top of a row: see pane_threads.c */
	uint64_t begin, end;
	uint64_t zero; /* what times are told from: the begin of all, not of what is seen */
};

/* Of the whole profile, of which the model may show a part. */
void threads_init(struct threads *t, const struct model *m, const struct profile *whole);
void threads_release(struct threads *t);

#endif
