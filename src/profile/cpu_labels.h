/* The label set `cpu = N` of a sample: a cache, as samples have few different ones. */
#ifndef WICK_PROFILE_CPU_LABELS_H
#define WICK_PROFILE_CPU_LABELS_H

#include "profile/profile.h"

enum { CPU_LABELS_MAX = 64 * 1024 }; /* samples of further processors get no label */

struct cpu_labels {
	label_id *at; /* by processor; 0: not made yet */
	size_t nr;
};

/* The set with `cpu = 3` alone. */
label_id cpu_labels_get(struct cpu_labels *c, struct profile *p, uint64_t cpu);
void cpu_labels_release(struct cpu_labels *c);

#endif
