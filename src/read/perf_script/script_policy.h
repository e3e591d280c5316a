/* Differences between programs that fold perf script text; wick's own behavior is all zeros. */
#ifndef WICK_READ_PERF_SCRIPT_SCRIPT_POLICY_H
#define WICK_READ_PERF_SCRIPT_SCRIPT_POLICY_H

#include <stdbool.h>
#include <stddef.h>

/* `a->b` means that b is inlined into a … */
enum script_arrows {
	ARROWS_OF_JIT, /* … in a JIT's code: elsewhere it is an operator, or the type of a function */
	ARROWS_ALL,    /* … in all code */
	ARROWS_INSIDE, /* … in all code, but arrows at the end of a name are dropped */
};

struct script_policy {
	enum script_arrows arrows;
	bool plain_kinds; /* only […] and vmlinux are kernel code, only /tmp/perf-PID.map is JIT code */
	bool timed_events; /* only an event between time and end of the line has a name */
	bool inlines;	   /* ask addr2line which calls were inlined */
	bool inline_lines; /* … and keep their source lines */
	bool names_alone;  /* functions of the same name are equal, whatever their modules */
	const char *const *skip_after; /* drop the callers of these functions */
	size_t nr_skip_after;
	/* Of the scheduler's events: */
	bool wake_stacks; /* append the waker's stack to the sleeper's */
	bool wake_chains; /* … and that of the waker's waker, and so on */
	bool waker_ids;	  /* names of wakers have their pid and tid */
};

#endif
