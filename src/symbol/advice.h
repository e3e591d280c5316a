/*
 * Hints for unresolved frames: a note for each of the few files that leave most samples with
 * unresolved frames, and what to install, enable or compile with.
 */
#ifndef WICK_SYMBOL_ADVICE_H
#define WICK_SYMBOL_ADVICE_H

#include "image/image.h"
#include "profile/profile.h"

/* The result of symbolizing one module. */
struct fate {
	uint32_t module;
	enum image_state state;
	size_t nr_unnamed; /* unresolved frames */
	bool no_lines;	   /* there are symbols, but no debug info */
	bool symbols;	   /* there is a full symbol table: installing symbols would not help */
	bool is_go;	   /* Go's linker has options of its own */
};

struct advice_opts {
	const char *root; /* prefix of /etc and /var/lib/dpkg, for tests; "": none */
	bool fetches;	  /* debuginfod servers are already queried */
};

enum {
	ADVICE_MAX = 5, /* limit of notes */
	/*
	 * Samples are counted only for the files with the most unresolved frames: each has a bit of
	 * 64.
	 */
	ADVICE_FILES_MAX = 64,
};

/* How to build a program so that it has symbols and debug info. */
const char *advice_build(bool is_go);

/* Adds the notes (NOTE_ADVICE). */
void advise(struct profile *p, const struct fate *fate, size_t nr, const struct advice_opts *o);

#endif
