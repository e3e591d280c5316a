/* What the picture_*.c files share: picture.c writes the whole, the others a part each. */
#ifndef WICK_RENDER_PICTURE_PARTS_H
#define WICK_RENDER_PICTURE_PARTS_H

#include "base/strbuf.h"
#include "render/picture.h"

/* In pixels. */
enum {
	PICTURE_MARGIN = 10,
	PICTURE_ROW = 18,	 /* the height of a frame with the gap */
	PICTURE_LEGEND_ROW = 20, /* the height of the legend above the frames of a page */
};

/* A letter of the font, in pixels: a little more than most monospace fonts take at 12 px. */
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

/* Appends "1 234 samples" to p->text; in a comparison "12 samples → 34 samples", from sum[]. */
void picture_add_amount(struct picture *p, weight_sum width, const weight_sum *sum);

/* picture_style.c: the <style>, with a class for each color. */
void picture_write_style(struct picture *p);

/* picture_legend.c: what the colors mean, as far as there is room. */
void picture_write_legend(struct picture *p);

/* picture_frames.c: a frame, its width in pixels, and about how many bytes its markup has. */
void picture_write_box(struct picture *p, const struct box *b);
double picture_box_width(const struct picture *p, const struct box *b);
size_t picture_box_size(const struct picture *p, const struct box *b);

#endif
