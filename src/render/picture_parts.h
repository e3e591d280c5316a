/* Shared by the picture_*.c files: picture.c writes the whole, the others a part each. */
#ifndef WICK_RENDER_PICTURE_PARTS_H
#define WICK_RENDER_PICTURE_PARTS_H

#include "base/strbuf.h"
#include "render/picture.h"

/* In pixels. */
enum {
	PICTURE_MARGIN = 10,
	PICTURE_ROW = 18,	 /* the height of a frame including the gap */
	PICTURE_LEGEND_ROW = 20, /* the height of the legend above the frames of a page */
};

/* The width of a letter in pixels: a little more than in most monospace fonts at 12 px. */
#define PICTURE_LETTER 7.3

struct picture {
	struct output *out;
	const struct layout *l;
	const struct labels *labels;
	const struct picture_opts *o;
	double width, height; /* pixels */
	double scale;	      /* pixels per unit of weight */
	bool in_page;	      /* for picture_write_element(): no classes, only ASCII */
	bool short_titles;    /* names in titles are shortened */
	struct strbuf text;   /* scratch: the text that is written next */
};

/* Writes p->text, escaped. */
void picture_write_text(struct picture *p);

/* Appends "1,234 samples" to p->text; in a comparison "12 samples → 34 samples", from sum[]. */
void picture_add_amount(struct picture *p, weight_sum width, const weight_sum *sum);

/*
 * Writes a rectangle's color as attributes: a fill, and a class for the dark theme, which a page
 * does not need.
 */
void picture_write_color(struct picture *p, unsigned color);

/* picture_style.c: the <style>: dark colors, edges, cursor and hover. */
void picture_write_style(struct picture *p);

/* picture_legend.c: the meaning of the colors, as far as there is room. */
void picture_write_legend(struct picture *p);

/*
 * picture_frames.c: writes a frame; writes all LAYOUT_MORE boxes; a frame's width in pixels; about
 * how many bytes its markup has.
 */
void picture_write_box(struct picture *p, const struct box *b);
void picture_write_more(struct picture *p);
double picture_box_width(const struct picture *p, const struct box *b);
size_t picture_box_size(const struct picture *p, const struct box *b);

#endif
