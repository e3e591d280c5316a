/* The files of web/ as bytes of this program: scripts/embed makes assets.c in the build. */
#ifndef WICK_RENDER_ASSETS_H
#define WICK_RENDER_ASSETS_H

#include "base/span.h"

/* The script of an SVG: web/picture.js with all that it imports. */
extern const struct span asset_picture_script;

/* A part of web/page.html, and what is written after it ("title"); NULL: it is the last. */
struct asset_piece {
	struct span text;
	const char *place;
};
extern const struct asset_piece asset_page[];

#endif
