/*
 * The mappings of code in one address space, according to the latest records.  A new mapping
 * replaces what it covers; the rest of a partly covered mapping stays.  After a fork, parent and
 * child share one list until either changes (copy on write).
 */
#ifndef WICK_INGEST_MAPS_H
#define WICK_INGEST_MAPS_H

#include "profile/profile.h"

#include <stdint.h>

struct map {
	uint64_t begin, end;
	uint64_t offset; /* in the file, of begin */
	module_id module;
	enum frame_kind kind;
	str_id name; /* of a BPF program, which is a single function; 0: symbols come from the file */
};

struct maps {
	struct map *map; /* sorted by address, without overlaps */
	size_t nr, cap;
	unsigned users; /* processes that share the list */
	bool cut;	/* there were more than MAPS_MAX: further ones are ignored */
};

enum {
	/* Linux allows a process 65,530 mappings (vm.max_map_count). */
	MAPS_MAX = 64 * 1024,
};

/* An empty list with one user, or one more user of the list. */
struct maps *maps_new(void);
struct maps *maps_share(struct maps *m);
void maps_free(struct maps *m);

/* Adds a mapping; if the list was shared, *m becomes a copy. */
void maps_add(struct maps **m, const struct map *map);

/* The mapping that contains the address, or NULL. */
const struct map *maps_find(const struct maps *m, uint64_t address);

#endif
