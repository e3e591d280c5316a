/*
 * The SVG of inferno and flamegraph.pl: the drop-in programs draw it.  Each box
 * of the layout is an element with a title, a rectangle and a name.
 */
#ifndef WICK_RENDER_PEER_SVG_H
#define WICK_RENDER_PEER_SVG_H

#include "base/output.h"
#include "render/layout.h"
#include "render/peer/color_map.h"
#include "render/peer/frame_attributes.h"
#include "render/peer/palette.h"

struct svg_opts {
	const char *title, *subtitle, *notes;
	const char *count_name; /* "samples" */
	const char *font;
	double font_size;
	double font_width; /* the width of a letter, as a part of the font size */
	unsigned width;	   /* pixels; 0: as wide as the window; without a script, 1200 */
	unsigned row_height;
	bool root_on_top;   /* an icicle, not a flame */
	bool details_below; /* the line of details is below the frames, even if the root is on top */
	bool half_even;	    /* counts are rounded half to even, as printf does, not away from 0 */
	bool snug;	    /* a name exactly as long as its box is shown whole, not shortened */
	bool soft;	    /* boxes have round corners */
	bool rounded;	    /* percentages are those of rounded counts */
	double factor;	    /* counts are multiplied by it */
	double total;	    /* the value of 100 %, if it exceeds the sum of samples; 0: not given */
	bool negate;	    /* the signs of a diff are swapped, and with them red and blue */
	bool by_width;	    /* colors by width: the widest are the reddest */
	enum diff_scale diff_scale;
	struct background background;
	const char *stroke; /* around every box: "#7d7d7d", or NULL */
	const char *ui_color;
	const char *search_color;
	const char *name_type;
	const char *encoding;		     /* of the XML declaration, or NULL */
	const struct attributes *attributes; /* of functions, or NULL */
	struct color_map *color_map;	     /* colors that names keep, or NULL */
	bool cut_left;			     /* the script shortens long names at their start */
	bool live;			     /* live_end() will add a script */
	/* By label, filled in by svg_write(): 0xrrggbb of its first box | RGB_PICKED; or NULL. */
	uint32_t *picked;
};

/* min_pixels as a share of the frames' width. */
double svg_share_of_pixels(const struct svg_opts *o, double min_pixels);

#define RGB_PICKED (UINT32_C(1) << 24)

/* Writes everything but the end, which live_end() writes. */
void svg_write(struct output *out, const struct layout *l, const struct labels *labels,
	       struct colors *colors, const struct svg_opts *o);

/* A picture that shows an error instead of frames. */
void svg_write_error(struct output *out, const char *text, const struct svg_opts *o);

#endif
