/*
 * Cutting a profile down to a question: which samples count, and which of
 * their frames are seen.  It is done to the profile, before anything is made
 * of it, so that every tree, chart, export and page shows the same, and costs
 * nothing where there is no filter.  A transform is one pass over the table of
 * stacks, in which a caller hands on to what it calls where that is now:
 * about a word a stack while it lasts.
 *
 * Names are those that are shown, without marks like _[k]; the thread's name at
 * the root is no frame.
 */
#ifndef WICK_FOLD_FILTER_H
#define WICK_FOLD_FILTER_H

#include "base/error.h"
#include "base/pattern.h"
#include "profile/profile.h"

enum transform {
	TRANSFORM_FOCUS,  /* only samples with such a frame */
	TRANSFORM_IGNORE, /* only samples without one */
	TRANSFORM_HIDE,	  /* such frames go; what they cost is their caller's */
	TRANSFORM_ROOT,	  /* stacks begin at the outermost such frame; only those that have one */
	TRANSFORM_RECURSION, /* a function that calls itself is one frame */
	TRANSFORM_MODULE, /* frames of a module that follow each other are one, called [module] */
};

struct filter_step {
	enum transform what;
	const struct pattern *pattern; /* what such a frame is; not for the last two */
	struct span module;	       /* the last part of its path, or all of it */
};

struct filter {
	const struct filter_step *step; /* each is given what the one before left */
	size_t nr_step;
	const char *const *thread; /* a name, or the id of a thread or process; none: all */
	size_t nr_thread;
	const char *const *module; /* where a sample ended: the last part of a path, or all of it */
	size_t nr_module;
	bool kernel;		      /* only samples that ended in the kernel */
	const struct time_span *span; /* in ns since the first sample; NULL: all */
};

/* -1: a thread, a module or a time that the profile does not have, or a pattern that does not end. */
int filter_apply(struct profile *p, const struct filter *f, unsigned spelling, struct error *e);

#endif
