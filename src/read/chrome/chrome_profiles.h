/*
 * V8 profiles inside traces of Chrome and Node.  They come in parts: an event `Profile`, then
 * `ProfileChunk`s with more nodes and samples; in old traces, one event `CpuProfile` with
 * everything.
 */
#ifndef WICK_READ_CHROME_CHROME_PROFILES_H
#define WICK_READ_CHROME_CHROME_PROFILES_H

#include "read/slices.h"
#include "read/v8/v8.h"

struct chrome_numbers {
	int64_t *value;
	size_t nr, cap;
};

struct chrome_profile {
	struct v8_tree tree;
	/* Of samples that are not stored yet: the node, and the time since the previous sample */
	struct chrome_numbers node, delta;
	uint64_t nr;	    /* number of samples stored */
	int64_t begin, end; /* of the whole profile */
	bool has_begin, has_end;
	uint32_t track; /* its thread: slices.track */
};

/*
 * All profiles of a trace.  Begins as { .b = … }.  Names of threads may come last, so samples are
 * stored until chrome_profiles_count(); if there are many, in a temporary file.
 */
struct chrome_profiles {
	struct build *b;
	struct sorted_runs stored;
	struct chrome_profile *profile;
	size_t nr, cap;
	struct intern keys; /* struct chrome_owner as text → profile */
	struct strbuf key;
};

/* Is an event with this name a part of a profile? */
bool chrome_profiles_has(struct span event);

/* Parts with the same process and id are one profile. */
struct chrome_owner {
	struct span pid, id; /* as written; id may be empty: then there is one profile per thread */
	uint32_t track;
};

/* Adds a part, the event's args.data, to its profile. */
int chrome_profiles_add(struct chrome_profiles *c, const struct chrome_owner *owner,
			const struct json_node *data, struct error *e);

/* Counts the samples of all profiles, with the threads of these tracks. */
int chrome_profiles_count(struct chrome_profiles *c, const struct slices *slices, struct error *e);
void chrome_profiles_release(struct chrome_profiles *c);

#endif
