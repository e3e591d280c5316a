/*
 * What changed between the events before and after of a profile, by frame of the tree and by
 * function: everything is inclusive, a caller carries the change of its callees.  docs/diff.md.
 */
#ifndef WICK_FOLD_CHANGES_H
#define WICK_FOLD_CHANGES_H

#include "fold/noise.h"
#include "fold/tree.h"

/* By what a side is divided before it is compared: nothing, its total, or how long it ran. */
enum normalize { NORMALIZE_NONE, NORMALIZE_TOTAL, NORMALIZE_DURATION };

#define CONFIDENCE_DEFAULT 0.95

/* The events of a comparison. */
enum { EVENT_BEFORE, EVENT_AFTER };

/* The key of the label that says which run (file) of its side a count is from: 1, 2, … */
#define RUN_LABEL "run"

struct changes_opts {
	struct tree_opts tree; /* spelling, direction and base; the rest is set here */
	enum normalize normalize;
	double confidence;	/* that no verdict is wrong: 0.95, say */
	bool known;		/* changes_known(); else weights are compared, without verdicts */
	size_t nr_run[2];	/* runs (files) of a side; 0: as many as RUN_LABEL tells */
	const double *run_time; /* for NORMALIZE_DURATION: seconds, before's runs first */
};

/* Nodes or functions that are tested together, and the verdict on each. */
struct change_list {
	size_t nr;
	struct noise noise;
	struct noise_item *item;
	double *run;	  /* what item[].run points into; NULL: a side has one run */
	uint8_t *verdict; /* enum noise_verdict; NOISE_INSIDE where there is no claim */
	uint32_t *like;	  /* of functions: the label that is tested for all with the same samples */
};

struct changes {
	struct tree tree; /* of numbers of samples, or of weights where these are not known */
	bool claim;	  /* there are verdicts; else there were no samples to judge by */
	double total[2];  /* by side */
	struct change_list nodes;     /* by node of the tree */
	struct change_list functions; /* by label, and one more that is everything */
	double *run_size;	      /* what noise.run of both lists points to */
};

/*
 * Is the number of samples of an event known?  It is not where weights were measured, not sampled
 * (bytes, calls), nor where the unit is unknown.
 */
bool samples_known(const struct profile *p, uint32_t event);

/* Are the numbers of samples of both sides known? */
bool changes_known(const struct profile *p);

/* The profile must outlive it. */
void changes_init(struct changes *c, const struct profile *p, const struct changes_opts *o);
void changes_release(struct changes *c);

#endif
