/* Formats that wick recognizes but cannot read, and how to get one that it can. */
#ifndef WICK_READ_FOREIGN_H
#define WICK_READ_FOREIGN_H

#include "base/span.h"

struct foreign {
	const char *title; /* as in a sentence: "a recording of …" */
	const char *hint;  /* what to do */
};

/* The format detected from the first bytes of an input; NULL: none of these. */
const struct foreign *foreign_find(struct span head);

#endif
