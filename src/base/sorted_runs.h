/*
 * Sorts more records than should be in memory (an external merge sort): when there are too many, those in
 * memory are sorted and written to a temporary file, as one run, and all runs are merged at the end.  Few
 * records never leave the memory; nor do those that could not be written to the file.
 */
#ifndef WICK_BASE_SORTED_RUNS_H
#define WICK_BASE_SORTED_RUNS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sorted_run; /* a part of the file */

/* Begins as { .size = …, .max = …, .compare = … }. */
struct sorted_runs {
	size_t size;				      /* of a record: bytes */
	size_t max;				      /* records in memory */
	int (*compare)(const void *a, const void *b); /* equal records come in any order */
	/*
	 * The first key of compare(), as a small number: if the records of each group are in order, they
	 * need not be sorted.  May be NULL.
	 */
	uint32_t (*group)(const void *record);
	/*
	 * Called for a record before it is compared, and again after it was read from the file: updates
	 * it with what the caller has learned since.  May be NULL.
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

/* To be called after the last sorted_runs_add(). */
int sorted_runs_finish(struct sorted_runs *s, struct error *e);

/* The next record in order: 1; 0 at the end; -1: the file cannot be read. */
int sorted_runs_next(struct sorted_runs *s, void *record, struct error *e);

#endif
