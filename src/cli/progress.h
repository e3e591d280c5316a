/* A progress line on standard error, if that is a terminal. */
#ifndef WICK_CLI_PROGRESS_H
#define WICK_CLI_PROGRESS_H

#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
	bool on;		     /* standard error is a terminal */
	bool shown;		     /* there is a line to remove */
	struct timespec begin, last; /* when the work began; when the line was last updated */
};

void progress_init(struct progress *p);

/* A source_watcher: bytes read, rate and time left, after the first second; size 0: unknown. */
void progress_show(void *progress, uint64_t position, uint64_t size);

/* A fetch_watcher: the same for a file that is downloaded, shown at once. */
void progress_fetch(void *progress, struct span file, uint64_t position, uint64_t size);

/* Shows the current activity, at most five times per second. */
void progress_text(struct progress *p, const char *text);

/* Removes the line. */
void progress_end(struct progress *p);

#endif
