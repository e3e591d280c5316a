/* On which processor a sample was taken, as a label of the sample; each is made once. */
#ifndef WICK_PROFILE_CPU_LABELS_H
#define WICK_PROFILE_CPU_LABELS_H

#include "profile/profile.h"

enum { CPU_LABELS_MAX = 64 * 1024 }; /* of further processors nobody has heard: they have none */

struct cpu_labels {
	label_id *at; /* by number; 0: not made yet */
	size_t nr;
};

/* The set with nothing but `cpu = 3`. */
label_id cpu_labels_get(struct cpu_labels *c, struct profile *p, uint64_t cpu);
void cpu_labels_release(struct cpu_labels *c);

#endif
