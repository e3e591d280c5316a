/* What the files share that write wick's own picture: picture.c is the whole, and each part of it has one. */
#ifndef WICK_RENDER_PICTURE_PARTS_H
#define WICK_RENDER_PICTURE_PARTS_H

#include "base/strbuf.h"
#include "render/picture.h"

enum {
	PICTURE_MARGIN = 10,
	PICTURE_ROW = 18,
	PICTURE_LEGEND_ROW = 20, /* above the frames of a page */
};

/* A letter of the font, in pixels: a little more than most monospace fonts take at 12 px. */
#define PICTURE_LETTER 7.3

struct picture {
	struct output *out;
	const struct layout *l;
	const struct labels *labels;
	const struct picture_opts *o;
	double width, height;
	double scale;	   /* pixels of a weight */
	bool in_page;	   /* no classes: the style is the page's */
	bool short_titles; /* of TITLE_LETTERS */
	struct strbuf text;
};

/* What was made in p->text: a page is kept in ASCII. */
void picture_write_text(struct picture *p);

/* Appends "1 234 samples" to p->text; of a comparison, the widths are of neither side: "12 samples → 34 samples" */
void picture_add_amount(struct picture *p, weight_sum width, const weight_sum *sum);

/* picture_style.c: the colors that are classes. */
void picture_write_style(struct picture *p);

/* picture_legend.c: what the colors mean, as far as there is room. */
void picture_write_legend(struct picture *p);

/* picture_frames.c: a frame; how wide it is in pixels, and about how many bytes it takes, rather more than less. */
void picture_write_box(struct picture *p, const struct box *b);
double picture_box_width(const struct picture *p, const struct box *b);
size_t picture_box_size(const struct picture *p, const struct box *b);

#endif
