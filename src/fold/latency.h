/*
 * Latency: each sample divided by the number of the target's threads that ran then (its label
 * `parallelism`), so that a phase in which one thread runs weighs as much as one in which many do for
 * as long.
 */
#ifndef WICK_FOLD_LATENCY_H
#define WICK_FOLD_LATENCY_H

#include "profile/profile.h"

/* The name of the event that has these weights. */
#define LATENCY "latency"

struct latency {
	uint32_t event;
	uint64_t nr_sample;
	uint64_t
		nr_alone; /* … of which so many do not say how many threads ran: they count whole */
};

/* Adds the event `latency`, with a share of each sample of the events that are in: at least one is. */
struct latency latency_add(struct profile *p, const bool *in);

#endif
