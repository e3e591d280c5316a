/*
 * Self and total cost by any keys in any order: functions, modules, lines, threads, CPUs.  A row
 * has one text for each key.
 */
#ifndef WICK_FOLD_SUMS_H
#define WICK_FOLD_SUMS_H

#include "base/intern.h"
#include "base/strbuf.h"
#include "fold/tree.h"
#include "profile/profile.h"

/*
 * The keys: first those of a sample, then, from MODULE on, those of each frame of its stack: X(ID,
 * name, name in perf report, label that holds it, hint if no sample has it)
 *
 * A key that is a label of samples only needs a row here.
 */
#define SUM_WAITS_HINT "record with wick record --off-cpu, which stores reasons and locks of waits"
#define SUM_KEYS(X) \
	X(COMM, "comm", NULL, NULL, NULL) \
	X(THREAD, "thread", "tid", NULL, NULL) \
	X(CPU, "cpu", NULL, "cpu", \
	  "record CPUs: with wick record (ptrace sampling does not), perf record --sample-cpu or -a, or perf script -F +cpu") \
	X(PARALLELISM, "parallelism", NULL, "parallelism", \
	  "record with wick record, which stores how many threads ran at each sample") \
	X(REASON, "reason", NULL, "reason", SUM_WAITS_HINT) \
	X(LOCK, "lock", NULL, "lock", SUM_WAITS_HINT) \
	X(MODULE, "module", "dso", NULL, NULL) \
	X(FUNCTION, "function", "sym|symbol", NULL, NULL) \
	X(LINE, "line", "srcline", NULL, \
	  "compile with -g for source lines; perf script needs -F +srcline")

enum sum_key {
#define X(id, ...) SUM_##id,
	SUM_KEYS(X)
#undef X
		NR_SUM_KEYS
};

struct sum_key_row {
	const char *name;
	const char *other_names; /* separated by |; NULL: none */
	const char *label;	 /* NULL: it is not a label */
	const char *hint;	 /* NULL: none */
};
const struct sum_key_row *sum_key_row(enum sum_key key);

/* For help and completion: "comm, thread, " and "comm|thread", whose first | is skipped. */
#define SUM_KEY_COMMA(id, name, ...)  name ", "
#define SUM_KEY_CHOICE(id, name, ...) "|" name
#define SUM_KEY_LIST		      SUM_KEYS(SUM_KEY_COMMA)
#define SUM_KEY_CHOICES		      (&(SUM_KEYS(SUM_KEY_CHOICE))[1])

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
	uint32_t cells;		/* its texts: an index in sums.cells */
	weight_sum self, total; /* recursion counts once */
};

struct sums {
	struct intern text;
	struct intern cells; /* arrays of indices in `text`, one for each key */
	size_t nr_key;
	struct sums_row *row; /* by self, then total, both largest first, then by text */
	size_t nr, cap;
	weight_sum all; /* of all samples */
	int scale;	/* sums are multiples of 10^scale */
};

/* The value of a label of samples; 0: they do not have it. */
str_id sum_label(const struct profile *p, label_id labels, const char *key);

void sums_init(struct sums *s, const struct profile *p, const struct sums_opts *o);
void sums_release(struct sums *s);

/* A row's text for key number `key`, in the order of sums_opts; "": unknown. */
struct span sums_peek(const struct sums *s, const struct sums_row *row, size_t key);

/* Does any row have a text for that key? */
bool sums_has(const struct sums *s, size_t key);

/* Appends sum × 10^scale exactly, such as 1.5; scale is at most 0. */
void sum_add_digits(struct strbuf *out, weight_sum sum, int scale);

/* sum × 10^scale as a double. */
double sum_value(weight_sum sum, int scale);

#endif
