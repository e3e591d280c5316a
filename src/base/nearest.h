/* Did you mean …?  The known name with the smallest edit distance to an unknown word. */
#ifndef WICK_BASE_NEAREST_H
#define WICK_BASE_NEAREST_H

#include "base/span.h"

struct nearest {
	struct span word;
	const char *name; /* the nearest so far; NULL: none is near enough */
	size_t distance;  /* to it; at first, the limit that a name must be below */
};

void nearest_init(struct nearest *n, struct span word);

/* Compares with one more known name. */
void nearest_offer(struct nearest *n, const char *name);

#endif
