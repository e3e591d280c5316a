/*
 * wick's own picture: an SVG of the frames that are wide enough to be seen, with
 * a title each, in colors that are CSS classes so that the picture follows
 * light and dark wherever it is shown.  A plain image anywhere.
 */
#ifndef WICK_RENDER_PICTURE_H
#define WICK_RENDER_PICTURE_H

#include "base/output.h"
#include "render/color.h"
#include "render/layout.h"
#include "render/palette.h"

struct picture_opts {
	const char *title, *subtitle, *notes; /* subtitle and notes may be NULL */
	const char *count_name;		      /* "samples" */
	const char *missing; /* behind how much there is: what is lost or not shown; may be NULL */
	unsigned width;	     /* 0: as wide as the window, drawn for 1200 */
	bool root_on_top;    /* an icicle, not a flame */
	enum color_scheme scheme;
	const uint8_t *color;		     /* by label; NULL where the scheme needs none */
	const struct color_modules *modules; /* of COLOR_MODULE, for the legend */
	const struct rgb *rgb;		     /* by label, a palette's; NULL: the scheme's colors */
	bool is_diff;			     /* both columns count, the change is told */
	bool normalized;		     /* … as that of shares, not of weights */
	const uint8_t *noise; /* by node, 1: its change is nothing but noise; NULL: nobody knows */
	const char *changed;  /* where it is more, for the script: hashes of ways; NULL likewise */
};

/* The smallest share of the width that is so many pixels wide. */
double picture_share_of_pixels(const struct picture_opts *o, double pixels);

/* Everything but what live_end() writes. */
void picture_write(struct output *out, const struct layout *l, const struct labels *labels,
		   const struct picture_opts *o);

/*
 * How much there is, and the same frames as an element of a page whose style is not ours: colors are attributes.
 * About max_size bytes: titles get shorter, and the narrowest frames are left out until it fits.
 * Returns the share of the width below which they are; 0: none is.
 */
double picture_write_element(struct output *out, const struct layout *l,
			     const struct labels *labels, const struct picture_opts *o,
			     size_t max_size);

#endif
