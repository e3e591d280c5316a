/*
 * wick's own picture: an SVG of the frames that are wide enough to be visible, each with a <title>.
 * Colors are CSS classes, so that the picture follows the light or dark theme of the viewer.  It is
 * complete without a script; live_end() can add one.
 */
#ifndef WICK_RENDER_PICTURE_H
#define WICK_RENDER_PICTURE_H

#include "base/output.h"
#include "render/color.h"
#include "render/layout.h"
#include "render/peer/palette.h"

struct picture_opts {
	const char *title, *subtitle, *notes; /* subtitle and notes may be NULL */
	const char *count_name;		      /* "samples" */
	const char *missing; /* after the amount: lost samples, events not shown; may be NULL */
	unsigned width;	     /* pixels; 0: as wide as the window; without a script, 1200 */
	bool root_on_top;    /* an icicle, not a flame */
	enum color_scheme scheme;
	const uint8_t *color;		     /* by label; NULL if the scheme needs none */
	const uint8_t *state;		     /* of COLOR_STATE: by node, color_states() */
	const struct color_modules *modules; /* of COLOR_MODULE, for the legend */
	const struct rgb *rgb;		     /* by label, a palette's; NULL: the scheme's colors */
	bool is_diff;			     /* titles show both columns and the change */
	bool normalized;		     /* changes are those of shares, not of weights */
	const uint8_t *noise; /* by node, 1: its change is not significant; NULL: unknown */
	/*
	 * the nodes with significant changes, for the script: hashes of their paths (docs/pack.md),
	 * or NULL
	 */
	const char *changed;
};

/* A number of pixels as a share of the frames' width. */
double picture_share_of_pixels(const struct picture_opts *o, double pixels);

/* Writes everything but the end, which live_end() writes. */
void picture_write(struct output *out, const struct layout *l, const struct labels *labels,
		   const struct picture_opts *o);

/*
 * Writes the amount and the same frames for an HTML page, which has its own style: colors are
 * attributes.  The result has about max_size bytes: if needed, titles are shortened and the
 * narrowest frames dropped.  Returns the narrowest width that is kept, as a share of all; 0: no
 * frame was dropped.
 */
double picture_write_element(struct output *out, const struct layout *l,
			     const struct labels *labels, const struct picture_opts *o,
			     size_t max_size);

#endif
