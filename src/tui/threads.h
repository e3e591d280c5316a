/* The threads of a profile by weight, and their weight over time. */
#ifndef WICK_TUI_THREADS_H
#define WICK_TUI_THREADS_H

#include "tui/model.h"

enum { THREAD_SLICES = 960 }; /* equal parts of the time that is shown */

struct thread_row {
	uint32_t thread; /* of the profile */
	weight_sum sum;
	double *slice; /* weight per slice; NULL: unknown, or too many threads */
};

struct threads {
	struct thread_row *row; /* by sum, largest first */
	size_t nr;
	uint32_t *row_of; /* by thread: its row + 1, or 0: no slices; NULL: no times */
	double *all;	  /* the slices of all threads together; NULL: no times are known */
	double most; /* the weight that reaches the top of a thread's strip: set by pane_threads.c */
	uint64_t begin, end; /* the time that is shown: its first and last moment */
	uint64_t zero;	     /* the first moment of the whole profile: shown as 0 */
};

/* whole: the unfiltered profile; the model may show a part of it. */
void threads_init(struct threads *t, const struct model *m, const struct profile *whole);
void threads_release(struct threads *t);

#endif
