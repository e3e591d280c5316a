/*
 * Addresses → names, in place: every frame that is a place in a module and has
 * no name yet is looked up in the module's file, image by image, each image in
 * some thread.
 */
#ifndef WICK_SYMBOL_SYMBOLIZE_H
#define WICK_SYMBOL_SYMBOLIZE_H

#include "image/image.h"
#include "profile/profile.h"

struct symbolize_opts {
	unsigned threads; /* at most */
	struct image_opts image;
};

/* Where else the files of a profile are, as far as it tells: its kernel, and the roots of its processes. */
void symbolize_find_files(const struct profile *p, struct image_opts *o, struct roots *roots);

/* What stays without a name is noted, by reason and file. */
void symbolize(struct profile *p, const struct symbolize_opts *o);

#endif
