/*
 * Self and total by any keys in any order: functions, modules, lines, threads,
 * processors.  A row is what has the same text for all keys.
 */
#ifndef WICK_FOLD_SUMS_H
#define WICK_FOLD_SUMS_H

#include "base/intern.h"
#include "base/strbuf.h"
#include "fold/tree.h"
#include "profile/profile.h"

enum sum_key {
	/* Of a sample */
	SUM_COMM,
	SUM_THREAD, /* comm-pid/tid */
	SUM_CPU,
	/* Of each frame of its stack */
	SUM_MODULE, /* the last part of its path */
	SUM_FUNCTION,
	SUM_LINE, /* file:12 */
	NR_SUM_KEYS
};

static inline bool sum_key_is_of_frame(enum sum_key key)
{
	return key >= SUM_MODULE;
}

struct sums_opts {
	const enum sum_key *key;
	size_t nr_key;
	unsigned spelling; /* of functions */
	bool samples;	   /* count samples, not their weight */
	const bool *in;	   /* by event: does it count? */
};

struct sums_row {
	uint32_t cells;		/* its texts: a number in sums.cells */
	weight_sum self, total; /* recursion counts once */
};

struct sums {
	struct intern text;
	struct intern cells; /* arrays of numbers in `text`, one number for each key */
	size_t nr_key;
	struct sums_row *row; /* by self, then total, both largest first, then by text */
	size_t nr, cap;
	weight_sum all; /* of all samples */
	int scale;	/* sums are multiples of 10^scale */
};

void sums_init(struct sums *s, const struct profile *p, const struct sums_opts *o);
void sums_release(struct sums *s);

/* A row's text for key number `key`, as they stood in sums_opts; "": it is not known. */
struct span sums_peek(const struct sums *s, const struct sums_row *row, size_t key);

/* Does any row have a text for that key? */
bool sums_tells(const struct sums *s, size_t key);

/* Appends sum × 10^scale exactly: 1.5, say; scale is at most 0. */
void sum_add_digits(struct strbuf *out, weight_sum sum, int scale);

/* sum × 10^scale, as near as a double gets. */
double sum_value(weight_sum sum, int scale);

#endif
