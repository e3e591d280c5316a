/*
 * Filters: which samples count, and which of their frames are shown.  They change the profile
 * itself, before it is used, so that every tree, chart, export and page shows the same; without
 * filters they cost nothing.
 *
 * A transform is one pass over the table of stacks: a caller comes before its callees, so each
 * stack only looks up what its caller has become.
 *
 * Patterns match names in any form in which they are shown (labels_fitting); the thread's name at
 * the root is not a frame.
 */
#ifndef WICK_FOLD_FILTER_H
#define WICK_FOLD_FILTER_H

#include "base/error.h"
#include "base/pattern.h"
#include "profile/profile.h"

enum transform {
	TRANSFORM_FOCUS,  /* keeps the samples with a frame that matches */
	TRANSFORM_IGNORE, /* keeps the samples without one */
	TRANSFORM_HIDE,	  /* removes frames that match; their self is added to their caller's */
	TRANSFORM_ROOT,	  /* stacks begin at the outermost frame that matches; others are removed */
	TRANSFORM_RECURSION, /* a function that calls itself is one frame */
	TRANSFORM_NO_KERNEL, /* removes the kernel's frames; their self is added to their caller's */
	TRANSFORM_MODULE,    /* merges adjacent frames of a module into one, called [module] */
};

struct filter_step {
	enum transform what;
	const struct pattern *pattern; /* NULL for the last three */
	struct span module;	       /* of TRANSFORM_MODULE: its path, or the last part of that */
};

struct filter {
	const struct filter_step *step; /* applied one after the other */
	size_t nr_step;
	const char *const *thread; /* a name, or the id of a thread or process; none: all */
	size_t nr_thread;
	/* of the leaf frame: its path, or the last part of that; none: all */
	const char *const *module;
	size_t nr_module;
	/* why the sample waited, "lock": a frame of its stack is called "[lock]"; none: all */
	const char *const *reason;
	size_t nr_reason;
	bool some;   /* of several threads or modules, one is enough: others are in other files */
	bool kernel; /* only samples whose leaf frame is in the kernel */
	const struct time_span *span; /* in ns since the first sample; NULL: all */
};

/*
 * -1: the profile has no such thread, module or reason, its samples have no times, or a pattern takes too
 * long to match.  Steps before the one that failed have been applied.
 */
int filter_apply(struct profile *p, const struct filter *f, unsigned spelling, struct error *e);

#endif
