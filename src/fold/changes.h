/*
 * The changes between the events before and after of a profile, by frame of the tree and by
 * function.  All costs are inclusive: a caller includes the change of its callees.  docs/diff.md.
 */
#ifndef WICK_FOLD_CHANGES_H
#define WICK_FOLD_CHANGES_H

#include "fold/noise.h"
#include "fold/tree.h"

/* The divisor of the weights of a side: none, its total, or its duration. */
enum normalize { NORMALIZE_NONE, NORMALIZE_TOTAL, NORMALIZE_DURATION };

#define CONFIDENCE_DEFAULT 0.95

/* The events of a comparison; the excluded ones follow, see apart.h. */
enum { EVENT_BEFORE, EVENT_AFTER, DIFF_EVENTS = 4 };

/* The key of the label that says which run (file) of its side a count is from: 1, 2, … */
#define RUN_LABEL "run"

/* The basis of verdicts. */
enum change_basis {
	BASIS_NONE,	/* weights of unknown variance: no verdicts */
	BASIS_SAMPLES,	/* numbers of samples: sampling explains their variance */
	BASIS_MEASURED, /* measured weights: no verdicts below NOISE_MEASURED_RUNS runs a side */
};

struct changes_opts {
	struct tree_opts tree; /* spelling, direction and base; the rest is set here */
	enum normalize normalize;
	double confidence; /* that no verdict is wrong: 0.95, for example */
	enum change_basis basis;
	size_t nr_run[2]; /* runs (files) of a side; 0: as many as RUN_LABEL has */
	/*
	 * if not NORMALIZE_TOTAL: the divisors of runs, before's first; NULL: each is an equal part
	 * of its side
	 */
	const double *run_size;
};

/* Nodes or functions that are tested together, and the verdict on each. */
struct change_list {
	size_t nr;
	struct noise noise;
	struct noise_item *item;
	double *run;	  /* storage of item[].run; NULL: one run per side */
	uint8_t *verdict; /* enum noise_verdict; NOISE_INSIDE where there is no claim */
	uint32_t *like;	  /* of functions: the label tested for all with the same samples */
};

struct changes {
	struct tree tree;    /* of numbers of samples, or of weights if these are unknown */
	bool claim;	     /* there are verdicts; else there is no basis for any */
	double total[2];     /* by side */
	double truncated[2]; /* … and of these, in stacks that lack callers: TRUNCATED_FRAME */
	int scale;	     /* totals and counts are multiples of 10^scale */
	struct change_list nodes;     /* by node of the tree */
	struct change_list functions; /* by label, and one more for everything */
	double *run_size;	      /* storage of noise.run of both lists */
};

/*
 * Is the number of samples of an event known?  It is not if weights were measured (bytes, calls),
 * or if the unit is unknown.
 */
bool samples_known(const struct profile *p, uint32_t event);

/*
 * The share of the CPU time that a side did not sample, by the facts of both.  If the sides were sampled
 * differently, at least MISSED_UNKNOWN, below which recordings do not report it.
 */
double changes_missed(const struct profile *p, bool *differ);

/* The basis that both sides have in common. */
enum change_basis changes_basis(const struct profile *p);

/* The profile must outlive it. */
void changes_init(struct changes *c, const struct profile *p, const struct changes_opts *o);
void changes_release(struct changes *c);

#endif
