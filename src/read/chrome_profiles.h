/*
 * The profiles of V8's that traces of Chrome's and Node's carry in pieces: an
 * event `Profile`, and `ProfileChunk`s with more nodes and samples; in old
 * traces one event `CpuProfile` with all.
 */
#ifndef WICK_READ_CHROME_PROFILES_H
#define WICK_READ_CHROME_PROFILES_H

#include "read/slices.h"
#include "read/v8.h"

struct chrome_profile {
	struct v8_tree tree;
	struct v8_samples samples;
	uint32_t track; /* the thread that it is of */
};

/* { .b = … } */
struct chrome_profiles {
	struct build *b;
	struct chrome_profile *profile;
	size_t nr, cap;
	struct intern keys; /* whose it is → profile */
	struct strbuf key;
	struct arena *arena; /* what holds the nodes */
	size_t nr_arena, cap_arena;
};

bool chrome_profiles_has(struct span event);

/* Whose a profile is. */
struct chrome_owner {
	struct span pid, id;
	uint32_t track;
};

/* What an event tells of that profile.  Takes the arena that the data are in. */
int chrome_profiles_add(struct chrome_profiles *c, const struct chrome_owner *owner,
			const struct json_node *data, struct arena *arena, struct error *e);

/* Counts all samples, as threads of these tracks. */
int chrome_profiles_count(struct chrome_profiles *c, const struct slices *slices, struct error *e);
void chrome_profiles_release(struct chrome_profiles *c);

#endif
