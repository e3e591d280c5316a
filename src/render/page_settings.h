/* The settings of a command line that a page needs: docs/pack.md, section `v`. */
#ifndef WICK_RENDER_PAGE_SETTINGS_H
#define WICK_RENDER_PAGE_SETTINGS_H

#include "pack/pack_write.h"
#include "render/draw.h"
#include "render/picture.h"

enum { VIEW_SETTINGS = 24 };

struct view {
	struct pack_view pack; /* what pack_write() takes */
	struct pack_setting setting[VIEW_SETTINGS];
	struct strbuf text; /* holds values that were made here */
};

/* Both options must outlive the view, which points into them. */
void view_init(struct view *v, const struct draw_opts *o, const struct profile *p,
	       const struct chosen *c, const struct picture_opts *picture);
void view_release(struct view *v);

#endif
