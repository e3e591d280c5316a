/*
 * The page: web/page.html with everything in it, a whole profile and the
 * viewer.  For paper and for browsers without scripts it also holds a picture and a
 * table of the functions that cost most.
 */
#ifndef WICK_RENDER_HTML_H
#define WICK_RENDER_HTML_H

#include "fold/top.h"
#include "render/picture.h"

struct html_opts {
	const struct picture_opts *picture;
	const struct layout *layout;
	const struct tree *tree;
	const struct profile *profile; /* for what is known of the whole */
	struct span pack;	       /* docs/pack.md */
};

void html_write(struct output *out, const struct html_opts *o);

#endif
