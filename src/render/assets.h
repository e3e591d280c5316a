/* The page's modules as bytes of this program; scripts/embed makes assets.c of web/ while building. */
#ifndef WICK_RENDER_ASSETS_H
#define WICK_RENDER_ASSETS_H

#include "base/span.h"

extern const struct span asset_picture_script;

/* A piece of the page, and what is to be filled in behind it ("title"); NULL behind the last. */
struct asset_piece {
	struct span text;
	const char *place;
};
extern const struct asset_piece asset_page[];

#endif
