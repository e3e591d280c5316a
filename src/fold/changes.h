/*
 * What changed between the events before and after of a profile, by frame of the tree and by
 * function: everything is inclusive, a caller carries the change of its callees.  docs/diff.md.
 */
#ifndef WICK_FOLD_CHANGES_H
#define WICK_FOLD_CHANGES_H

#include "fold/noise.h"
#include "fold/tree.h"

/* Against what a change is held. */
enum normalize { NORMALIZE_NONE, NORMALIZE_TOTAL, NORMALIZE_DURATION };

#define CONFIDENCE_DEFAULT 0.95

/* The events of a comparison. */
enum { EVENT_BEFORE, EVENT_AFTER };

/* The label that says of which file of a side a count is: 1, 2, … */
#define RUN_LABEL "run"

struct changes_opts {
	struct tree_opts tree; /* spelling, direction and base; the rest is set here */
	enum normalize normalize;
	double confidence;
	bool known;		/* numbers of samples are */
	size_t nr_run[2];	/* files of a side; 0: as many as the labels tell */
	const double *run_time; /* of NORMALIZE_DURATION: seconds, before's runs first */
};

/* Things that may have changed, and what is known of each. */
struct change_list {
	size_t nr;
	struct noise noise;
	struct noise_item *item;
	double *run;	  /* what the items point to, where a side has several runs */
	uint8_t *verdict; /* enum noise_verdict; nothing is claimed where nothing is known */
	uint32_t *like;	  /* of functions: which other has the very same samples, or itself */
};

struct changes {
	struct tree tree; /* of samples, or of weights where these are not known */
	bool claim;	  /* else the verdicts are empty */
	double total[2];
	struct change_list nodes;     /* by node of the tree */
	struct change_list functions; /* by label, and one more that is everything */
	double *run_size;
};

/* Is the number of samples of an event known?  What was measured, not sampled, has none; without a unit nobody can tell. */
bool samples_known(const struct profile *p, uint32_t event);

/* Are the numbers of samples of both sides known? */
bool changes_known(const struct profile *p);

/* The profile must outlive it. */
void changes_init(struct changes *c, const struct profile *p, const struct changes_opts *o);
void changes_release(struct changes *c);

#endif
