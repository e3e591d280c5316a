/* What was probably meant by a word that nobody knows. */
#ifndef WICK_BASE_NEAREST_H
#define WICK_BASE_NEAREST_H

#include "base/span.h"

struct nearest {
	struct span word;
	const char *name; /* the nearest of those offered; NULL: none is near */
	size_t distance;  /* less than this is nearer */
};

void nearest_init(struct nearest *n, struct span word);

/* Might it be this one? */
void nearest_offer(struct nearest *n, const char *name);

#endif
