/*
 * What is spent where, by any facts in any order: functions, modules, lines,
 * threads, processors.  A row is what has the same text in all of them.
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
	uint32_t cells;		/* whose texts they are */
	weight_sum self, total; /* what is on a stack twice counts once */
};

struct sums {
	struct intern text;
	struct intern cells; /* an array of texts each, in the order of the keys */
	size_t nr_key;
	struct sums_row *row; /* the most by self, then total, then text first */
	size_t nr, cap;
	weight_sum all;
	int scale; /* sums are multiples of 10^scale */
};

void sums_init(struct sums *s, const struct profile *p, const struct sums_opts *o);
void sums_release(struct sums *s);

/* The text of a row by one of its keys; "" where that is not known. */
struct span sums_peek(const struct sums *s, const struct sums_row *row, size_t key);

/* Is anything known by that key? */
bool sums_tells(const struct sums *s, size_t key);

/* Appends a sum with every digit it has. */
void sum_add_digits(struct strbuf *out, weight_sum sum, int scale);

/* As near as a double gets. */
double sum_value(weight_sum sum, int scale);

#endif
