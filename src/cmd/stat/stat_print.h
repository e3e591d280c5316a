/* Prints the counters of a command, for people and for programs. */
#ifndef WICK_CMD_STAT_STAT_PRINT_H
#define WICK_CMD_STAT_STAT_PRINT_H

#include "base/strbuf.h"

#include <stdbool.h>

struct stat_row {
	struct strbuf name;
	const char *unit;   /* "ns", "bytes", or "" */
	bool counted;	    /* there is a value */
	double value;	    /* the mean of all runs */
	double squares;	    /* sum of the squared distances of all runs from it */
	struct strbuf note; /* more about the value, or why there is none; or empty */
};

struct stat_rows {
	struct stat_row *at;
	size_t nr, cap;
	int status;	 /* the command's exit status */
	unsigned nr_run; /* that were added up */
};

/* Adds a row, to be filled in; the pointer is valid until the next call. */
struct stat_row *stat_rows_add(struct stat_rows *r, const char *unit);
void stat_rows_release(struct stat_rows *r);

/* Adds the same rows of one more run, which are taken from `run`. */
void stat_rows_add_run(struct stat_rows *r, struct stat_rows *run);

void stat_print_text(struct strbuf *out, const struct stat_rows *r);
void stat_print_json(struct strbuf *out, const struct stat_rows *r);

#endif
