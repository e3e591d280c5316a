/*
 * A layout as the SVG that inferno and flamegraph.pl draw: every box that is
 * wide enough as markup with its name, share and color.
 */
#ifndef WICK_RENDER_SVG_H
#define WICK_RENDER_SVG_H

#include "base/output.h"
#include "render/attributes.h"
#include "render/color_map.h"
#include "render/layout.h"
#include "render/palette.h"

struct svg_opts {
	const char *title, *subtitle, *notes;
	const char *count_name; /* "samples" */
	const char *font;
	double font_size;
	double font_width; /* of a letter, in font sizes */
	unsigned width;	   /* 0: as wide as the window, drawn for 1200 */
	unsigned row_height;
	bool root_on_top; /* an icicle, not a flame */
	bool half_even;	  /* counts are rounded as printf does, not halves up */
	bool snug;	  /* a name that fits to the letter is shown whole */
	bool soft;	  /* boxes have round corners */
	bool rounded;	  /* shares are those of rounded counts, as the peers print them */
	double factor;	  /* counts are shown times this */
	double total;	  /* what 100 % is, when it is more than there is; 0: not given */
	bool negate;	  /* less is more, in a diff */
	bool by_width;	  /* colors by width: the widest are the reddest */
	enum diff_scale diff_scale;
	struct background background;
	const char *stroke; /* around every box: "#7d7d7d", or NULL */
	const char *ui_color;
	const char *search_color;
	const char *name_type;
	const char *encoding;		     /* of the XML declaration, or NULL */
	const struct attributes *attributes; /* of functions, or NULL */
	struct color_map *color_map;	     /* colors that names keep, or NULL */
	bool cut_left;			     /* when redrawn, long names lose their begin */
	bool live;			     /* a script will go on with the picture */
	uint32_t *
		picked; /* by label: the color of its first box and RGB_PICKED, filled in; or NULL */
};

/* The smallest share of the width that is min_pixels wide. */
double svg_share_of_pixels(const struct svg_opts *o, double min_pixels);

#define RGB_PICKED (UINT32_C(1) << 24)

/* Everything but what live_end() writes. */
void svg_write(struct output *out, const struct layout *l, const struct labels *labels,
	       struct colors *colors, const struct svg_opts *o);

/* A picture that says why there is none. */
void svg_write_error(struct output *out, const char *text, const struct svg_opts *o);

#endif
