/*
 * Sorts more records than should be in memory (an external merge sort): those that are too many are
 * sorted and written to a temporary file, as one run, and all runs are merged at the end.  Few
 * records never leave the memory; nor do those for which there is no room in a file.
 */
#ifndef WICK_BASE_SORTED_RUNS_H
#define WICK_BASE_SORTED_RUNS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sorted_run; /* of the file */

/* Begins as { .size = …, .max = …, .compare = … }. */
struct sorted_runs {
	size_t size;				      /* of a record: bytes */
	size_t max;				      /* records in memory */
	int (*compare)(const void *a, const void *b); /* records that are equal stay in no order */
	/*
	 * The first thing that compare() looks at, as a small number: records of several groups, each in
	 * order by itself, need no sorting then.  May be NULL.
	 */
	uint32_t (*group)(const void *record);
	/*
	 * Called for a record before it is compared, and again after it was in the file: brings it
	 * up to date with what became known since.  May be NULL.
	 */
	void (*update)(void *arg, void *record);
	void *arg;
	/* Private: */
	char *record;
	size_t nr, cap, at;
	int fd; /* valid if there are runs */
	uint64_t file_size;
	struct sorted_run *run;
	size_t nr_run, cap_run;
};

void sorted_runs_release(struct sorted_runs *s);

void sorted_runs_add(struct sorted_runs *s, const void *record);

/* After the last one was added. */
int sorted_runs_finish(struct sorted_runs *s, struct error *e);

/* The next record in order: 1; 0 at the end; -1: the file cannot be read. */
int sorted_runs_next(struct sorted_runs *s, void *record, struct error *e);

#endif
