/*
 * Values over time in the traces of other programs, which become series of the profile.  Values may
 * come in any order of time, and the time at which the trace begins may be known only at the end.
 */
#ifndef WICK_READ_COUNTERS_H
#define WICK_READ_COUNTERS_H

#include "base/decimal.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "read/build.h"

struct counter {
	str_id unit, scope, process;
	struct series series; /* in order of time; counters_finish() shifts the times */
	struct series recent; /* points not yet added to `series`, in input order */
	int64_t largest;      /* the largest absolute value of a recent point */
};

/* Begins as { .b = … }. */
struct counters {
	struct build *b;
	struct intern keys;
	struct strbuf key;
	struct counter *at;
	size_t nr, cap;
};

/* Identifies a counter, as written in the file; process: its ID, "" if it has none. */
struct counter_name {
	struct span name, unit, scope, process;
};

/* Adds a value; time: ns since any fixed time. */
int counters_add(struct counters *c, const struct counter_name *name, int64_t time,
		 struct decimal value, struct error *e);

/* Adds all counters to the profile, with times since `first`.  If there are several processes, they are scopes. */
void counters_finish(struct counters *c, int64_t first);
void counters_release(struct counters *c);

#endif
