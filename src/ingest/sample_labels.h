/*
 * The labels of a sample: `cpu`, and `parallelism`, which is how many threads of the target ran when
 * it was taken.  Cached, since samples have few distinct sets of labels.
 */
#ifndef WICK_INGEST_SAMPLE_LABELS_H
#define WICK_INGEST_SAMPLE_LABELS_H

#include "base/intern.h"
#include "profile/profile.h"

/* The CPU is unknown. */
#define CPU_UNKNOWN UINT64_MAX

struct sample_labels {
	struct intern known; /* by both numbers */
	label_id *at;	     /* in the same order */
	size_t nr, cap;
};

/* parallelism 0: unknown.  sample_labels_make() does not use the cache, sample_labels_get() does. */
label_id sample_labels_make(struct profile *p, uint64_t cpu, uint64_t parallelism);
label_id sample_labels_get(struct sample_labels *l, struct profile *p, uint64_t cpu,
			   uint64_t parallelism);
void sample_labels_release(struct sample_labels *l);

#endif
