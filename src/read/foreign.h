/* Files of profilers that are not read here: what they are, and how to get one that is. */
#ifndef WICK_READ_FOREIGN_H
#define WICK_READ_FOREIGN_H

#include "base/span.h"

struct foreign {
	const char *title; /* as in a sentence: "a recording of …" */
	const char *hint;  /* what to do */
};

/* What the first bytes show, or NULL. */
const struct foreign *foreign_find(struct span head);

#endif
