/*
 * Latency: the weight of each sample divided by the number of the target's threads that ran then (its
 * label `parallelism`), so that equally long phases have the same weight, however many threads ran
 * in them.
 */
#ifndef WICK_FOLD_LATENCY_H
#define WICK_FOLD_LATENCY_H

#include "profile/profile.h"

/* The name of the event that has these weights. */
#define LATENCY "latency"

struct latency {
	uint32_t event;
	uint64_t nr_sample;
	uint64_t nr_alone; /* … without a number of threads: they count with their full weight */
};

/* Adds the event `latency`, made of the samples of the events in `in`, at least one. */
struct latency latency_add(struct profile *p, const bool *in);

#endif
