/*
 * Advice on missing names: a note for each of the few files without which most samples have
 * unnamed frames, with what to install, to switch on or to compile with.
 */
#ifndef WICK_SYMBOL_ADVICE_H
#define WICK_SYMBOL_ADVICE_H

#include "image/image.h"
#include "profile/profile.h"

/* How naming the frames of one module went. */
struct fate {
	uint32_t module;
	enum image_state state;
	size_t nr_unnamed; /* frames */
	bool no_lines;	   /* there are symbols, but no debug info */
	bool symbols;	   /* there is a full symbol table: installing symbols would not help */
};

struct advice_opts {
	const char *root; /* prefix of /etc and /var/lib/dpkg, for tests; "": none */
	bool fetches;	  /* debuginfod servers are asked already */
};

enum {
	ADVICE_MAX = 5, /* notes */
	/* Samples are counted only for the files with the most unnamed frames, as bits of 64. */
	ADVICE_FILES_MAX = 64,
};

/* Adds the notes (NOTE_ADVICE). */
void advise(struct profile *p, const struct fate *fate, size_t nr, const struct advice_opts *o);

#endif
