/* A line on the terminal while something takes long; nothing in a pipe. */
#ifndef WICK_CLI_PROGRESS_H
#define WICK_CLI_PROGRESS_H

#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
	bool on;    /* standard error is a terminal */
	bool shown; /* a line is there */
	struct timespec begin, last;
};

void progress_init(struct progress *p);

/* Shows bytes, rate and time left, once a second has passed; size 0: unknown.  A source_watcher. */
void progress_show(void *progress, uint64_t position, uint64_t size);

/* The same for a file that comes from elsewhere: shown at once.  A fetch_watcher. */
void progress_fetch(void *progress, struct span file, uint64_t position, uint64_t size);

/* Takes the line away. */
void progress_end(struct progress *p);

#endif
