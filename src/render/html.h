/*
 * The HTML page: web/page.html with the viewer and a whole profile in it.  For
 * printing and for browsers without scripts it also has a picture and a table of
 * the functions that cost most.
 */
#ifndef WICK_RENDER_HTML_H
#define WICK_RENDER_HTML_H

#include "fold/hottest.h"
#include "render/picture.h"

struct html_opts {
	const struct picture_opts *picture;
	const struct layout *layout;
	const struct tree *tree;
	const struct profile *profile; /* for its info: command, time */
	struct span pack;	       /* the same profile, for the viewer: docs/pack.md */
};

void html_write(struct output *out, const struct html_opts *o);

#endif
