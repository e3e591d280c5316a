/*
 * What stays without names, and what would help: a note for each of the few files
 * whose names most samples miss, and what to install, switch on or compile with.
 */
#ifndef WICK_SYMBOL_ADVICE_H
#define WICK_SYMBOL_ADVICE_H

#include "image/image.h"
#include "profile/profile.h"

/* What became of the frames of one module. */
struct fate {
	uint32_t module;
	enum image_state state;
	size_t nr_unnamed;
	bool no_lines; /* there are symbols, but no debug info */
	bool symbols;  /* nothing was stripped off, or that is here too: there is no more to find */
};

struct advice_opts {
	const char *root; /* where the distribution's own files are; "": here */
	bool fetches;	  /* servers are asked for debug files already */
};

enum {
	ADVICE_MAX = 5,
	/* Files are compared by the samples they are in; this many that have most nameless addresses. */
	ADVICE_FILES_MAX = 64,
};

void advise(struct profile *p, const struct fate *fate, size_t nr, const struct advice_opts *o);

#endif
