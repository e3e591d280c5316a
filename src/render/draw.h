/*
 * A profile → its picture, as SVG or page, and the pack that both contain.
 *
 *	drawing_new()	checks the settings, before a profile is read
 *	drawing_make()	lays out the chosen part of the profile
 *	drawing_svg(), drawing_page(), drawing_pack()
 *	drawing_free()
 */
#ifndef WICK_RENDER_DRAW_H
#define WICK_RENDER_DRAW_H

#include "base/error.h"
#include "base/output.h"
#include "fold/chosen.h"
#include "render/color.h"
#include "render/layout.h"
#include "render/peer/svg.h"

/* wick's own picture, or one like that of the program that wick replaces. */
enum draw_style { STYLE_WICK, STYLE_PEER };

struct draw_opts {
	enum draw_style style;
	bool is_static; /* the picture has neither data nor script */
	bool packs;	/* a picture will be written, which contains the pack unless it is static */
	struct svg_opts svg;
	enum color_scheme scheme; /* of wick's own picture, unless it has a palette */
	bool scheme_given;	  /* if false, a comparison is colored by change */
	bool has_palette;	  /* use `palette` */
	/* Of a comparison: */
	bool either;	     /* a frame is as wide as its wider side, not as `after` */
	bool not_normalized; /* weights are compared, not shares of the total */
	/* By run, before's first: the divisors of its weights; NULL: none. */
	const double *run_size;
	bool in_time;	   /* run_size has durations, not only sampling rates */
	size_t nr_run[2];  /* if run_size: the number of runs before and after */
	double confidence; /* of claims that a change is significant; 0: 0.95 */
	/* For all pictures: */
	const char *background; /* a name or "#rrggbb"; NULL: the palette's */
	enum palette palette;
	enum shade shade;
	enum name_rules rules;
	enum tree_order order;
	bool chart; /* a flame chart: samples in their order, not merged */
	enum chart_direction direction;
	bool reverse;		 /* stacks begin with the leaf */
	bool sorted_input;	 /* it is an error if the lines are not sorted */
	const char *const *base; /* stacks begin at these functions; none: at the root */
	size_t nr_base;
	/* Narrower boxes are not drawn; the larger limit counts. */
	double min_percent; /* of the whole */
	double min_pixels;
	const char *attributes;	     /* a file, or NULL */
	attributes_watcher *watcher; /* called for each problem in it; NULL: none */
	void *watcher_arg;
	const char *color_map; /* a file that is read and written, or NULL */
};

#define SVG_OPTS_DEFAULT \
	{ \
		.title = "Flame Graph", .count_name = "samples", .font = "monospace", \
		.font_size = 12, .font_width = 0.59, .row_height = 16, .factor = 1, \
	}

/* wick's own picture: the unit is the event's, and the root is on top. */
#define DRAW_OPTS_DEFAULT \
	{ \
		.svg = { .title = "Flame Graph", \
			 .font = "monospace", \
			 .font_size = 12, \
			 .font_width = 0.59, \
			 .row_height = 16, \
			 .factor = 1, \
			 .root_on_top = true }, \
		.shade = SHADE_NAME, .min_pixels = 1, \
	}

/* A summary of the drawing. */
struct drawn {
	bool empty;   /* there was nothing to draw */
	double total; /* the weight that was drawn, in `unit` */
	const char *unit;
	size_t nr_stack;      /* distinct ones */
	size_t nr_bad_colors; /* invalid lines of the color map */
};

struct drawing;

/*
 * Also reads the files that the settings refer to.  The settings must outlive the drawing; those of
 * a comparison may change until it is made.  NULL: the settings are invalid.
 */
struct drawing *drawing_new(const struct draw_opts *o, struct error *e);

/* Draws the chosen part of a profile; both must outlive the drawing. */
int drawing_make(struct drawing *d, const struct profile *p, const struct chosen *c,
		 struct error *e);
const struct drawn *drawing_peek(const struct drawing *d);

/* An empty drawing becomes a picture that says so. */
void drawing_svg(struct drawing *d, struct output *out);
void drawing_page(struct drawing *d, struct output *out);

/* Only the profile and the settings: a .wick file. */
void drawing_pack(struct drawing *d, struct output *out);

/* Writes the colors of names back to the color map, if there is one. */
int drawing_keep_colors(struct drawing *d, struct error *e);
void drawing_free(struct drawing *d);

#endif
