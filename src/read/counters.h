/*
 * Values over time in the traces of other programs, which become series of the profile.  Their times
 * may come in any order, and the time that is 0 may be known only at the end.
 */
#ifndef WICK_READ_COUNTERS_H
#define WICK_READ_COUNTERS_H

#include "base/decimal.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "read/build.h"

struct counter {
	str_id unit, scope, process;
	struct series series; /* in order of time, but for the shift of counters_finish() */
	struct series recent; /* points since then, in the order of the input */
	int64_t largest;      /* absolute value of a recent one */
};

/* Begins as { .b = … }. */
struct counters {
	struct build *b;
	struct intern keys;
	struct strbuf key;
	struct counter *at;
	size_t nr, cap;
};

/* What a counter is, in the words of its file; process: its ID, "" if it has none. */
struct counter_name {
	struct span name, unit, scope, process;
};

/* A value at a time: ns since any fixed one. */
int counters_add(struct counters *c, const struct counter_name *name, int64_t time,
		 struct decimal value, struct error *e);

/* Adds all to the profile, where times begin at `first`.  If there are several processes, they are scopes. */
void counters_finish(struct counters *c, int64_t first);
void counters_release(struct counters *c);

#endif
