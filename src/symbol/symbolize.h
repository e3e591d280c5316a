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

/* What stays without a name is noted, by reason and file. */
void symbolize(struct profile *p, const struct symbolize_opts *o);

#endif
