/* A cache of the label sets `cpu = N` of samples; there are only few. */
#ifndef WICK_PROFILE_CPU_LABELS_H
#define WICK_PROFILE_CPU_LABELS_H

#include "profile/profile.h"

enum { CPU_LABELS_MAX = 64 * 1024 }; /* samples of further CPUs get no label */

struct cpu_labels {
	label_id *at; /* by CPU; 0: not created yet */
	size_t nr;
};

/* The set with only `cpu = 3`. */
label_id cpu_labels_get(struct cpu_labels *c, struct profile *p, uint64_t cpu);
void cpu_labels_release(struct cpu_labels *c);

#endif
