/*
 * Resolves the frames of a profile: each frame that is a place in a module (FRAME_IN_MODULE) and
 * has no name yet is looked up in the module's file.  Threads process one module after the other.
 */
#ifndef WICK_SYMBOL_SYMBOLIZE_H
#define WICK_SYMBOL_SYMBOLIZE_H

#include "image/image.h"
#include "profile/profile.h"

struct symbolize_opts {
	unsigned threads; /* maximum number */
	struct image_opts image;
};

/*
 * Sets the members of *o that the profile knows: the kernel, and roots of processes that still run.
 */
void symbolize_find_files(const struct profile *p, struct image_opts *o, struct roots *roots);

/* Unresolved frames are counted in notes, by reason and file. */
void symbolize(struct profile *p, const struct symbolize_opts *o);

#endif
