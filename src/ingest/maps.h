/*
 * What is mapped where in one address space, as it was last told.  A mapping
 * that is put over others takes their place; what sticks out of it stays.
 * Lists are shared between processes until one of them changes: a fork costs
 * nothing.
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
	str_id name; /* of all that is in it, where the kernel told; 0: not told */
};

struct maps {
	struct map *map; /* by begin, none over another */
	size_t nr, cap;
	unsigned users;
	bool cut; /* more than MAPS_MAX were told */
};

enum {
	/* Linux lets a process have 65,530 of them, code and data, unless it is told otherwise. */
	MAPS_MAX = 64 * 1024,
};

/* An empty list with one user, or one more user of the list. */
struct maps *maps_new(void);
struct maps *maps_share(struct maps *m);
void maps_free(struct maps *m);

/* Adds one; *m is another list afterwards where it was shared. */
void maps_add(struct maps **m, const struct map *map);

/* The one that has the address, or NULL. */
const struct map *maps_find(const struct maps *m, uint64_t address);

#endif
