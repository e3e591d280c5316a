/* The frames of wick's own picture: boxes, names, titles. */
#include "base/utf8.h"
#include "render/number.h"
#include "render/picture_parts.h"
#include "render/shorten.h"
#include "render/svg_text.h"

#include <math.h>

enum {
	GAP = 1,
	CHANGE_LETTERS = 12, /* from here on there is room for the number of a change and a name */
	TITLE_MAX = 1000,    /* bytes of a name in a title; the pack has the whole name */
	TITLE_LETTERS = 120, /* of a name in a short title, which leaves room for more frames */
};

/* The gap between two frames in a row, in pixels. */
static const double SEAM = 0.5;

static struct span name_of(const struct picture *p, const struct box *b)
{
	return b->label == LAYOUT_ALL ? SPAN("all") : labels_peek(p->labels, b->label);
}

static double share(weight_sum part, weight_sum whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

/* The change of a box's share; if not normalized, the change of its weight as a share of before. */
static double change_of(const struct picture *p, const struct box *b)
{
	const weight_sum *whole = p->l->sum;

	if (p->o->normalized)
		return share(b->sum[1], whole[1]) - share(b->sum[0], whole[0]);
	return share(b->sum[1] - b->sum[0], whole[0] > 0 ? whole[0] : whole[1]);
}

static bool is_noise(const struct picture *p, const struct box *b)
{
	return p->o->noise && p->o->noise[b->node];
}

static unsigned color_of(const struct picture *p, const struct box *b)
{
	switch (p->o->scheme) {
	case COLOR_SELF:
		return color_by_self(share(b->self, p->l->total));
	case COLOR_DIFF:
		return is_noise(p, b) ? COLOR_SAME : color_by_change(change_of(p, b));
	case COLOR_KIND:
	case COLOR_MODULE:
	case COLOR_FUNCTION:
		break;
	}
	return b->label == LAYOUT_ALL ? 0 : p->o->color[b->label];
}

/* "12.3 %", or "12.3 % → 13.5 %, +1.2 pt" */
static void add_shares(struct picture *p, const struct box *b)
{
	if (!p->o->is_diff) {
		number_add_share(&p->text, share(b->end - b->begin, p->l->total));
		return;
	}
	number_add_share(&p->text, share(b->sum[0], p->l->sum[0]));
	strbuf_add(&p->text, SPAN(" → "));
	number_add_share(&p->text, share(b->sum[1], p->l->sum[1]));
	strbuf_add(&p->text, SPAN(", "));
	number_add_change(&p->text, change_of(p, b));
	if (is_noise(p, b) && change_of(p, b) != 0)
		strbuf_add(&p->text, SPAN(", inside the noise"));
}

/* "name (1 234 samples, 12.3 %)" */
static void make_title(struct picture *p, const struct box *b)
{
	struct span name = name_of(p, b);
	size_t size = utf8_cut(name, TITLE_MAX);

	strbuf_reset(&p->text);
	if (p->short_titles) {
		shorten(&p->text, name, TITLE_LETTERS);
	} else {
		strbuf_add(&p->text, span_upto(name, size));
		if (size < name.size)
			strbuf_add(&p->text, SPAN("…"));
	}
	strbuf_add(&p->text, SPAN(" ("));
	picture_add_amount(p, b->end - b->begin, b->sum);
	strbuf_add(&p->text, SPAN(", "));
	add_shares(p, b);
	strbuf_addch(&p->text, ')');
}

static double row_of(const struct picture *p, const struct box *b)
{
	size_t row = p->o->root_on_top ? b->depth : p->l->depth - b->depth;

	return (double)row * PICTURE_ROW;
}

/* The color: of the group, but in a page of the rectangle, since text would inherit it there. */
static void write_fill(struct picture *p, const struct box *b)
{
	if (p->o->rgb && b->label != LAYOUT_ALL) {
		struct rgb c = p->o->rgb[b->label];

		svg_printf(p->out, " fill=\"#%02x%02x%02x\"", c.r, c.g, c.b);
	} else if (p->in_page) {
		svg_printf(p->out, " fill=\"#%.6s\"",
			   color_hex(p->o->rgb ? 0 : color_of(p, b), COLOR_LIGHT));
	} else {
		svg_printf(p->out, " class=\"c%u\"", p->o->rgb ? 0 : color_of(p, b));
	}
}

/*
 * Writes the sign of a change in front of the name, for those who do not see the color, and where
 * there is room the number: "+12.5 ".  Returns how many letters that takes.
 */
static size_t write_change(struct picture *p, const struct box *b, double letters)
{
	double change = p->o->is_diff && !is_noise(p, b) ? change_of(p, b) : 0;

	if (color_by_change(change) == COLOR_SAME)
		return 0;
	strbuf_reset(&p->text);
	if (letters < CHANGE_LETTERS)
		strbuf_add(&p->text, change > 0 ? SPAN("+") : SPAN("−"));
	else
		number_add_points(&p->text, change);
	/* A thin space behind a bare sign: the name needs the room. */
	strbuf_add(&p->text, letters < CHANGE_LETTERS ? SPAN("\u2009") : SPAN(" "));
	picture_write_text(p);
	return utf8_length(strbuf_peek(&p->text));
}

/* Writes the name, shortened to the width of the box; nothing if that is too narrow. */
static void write_label(struct picture *p, const struct box *b, double x, double y, double width)
{
	double letters = (width - 6) / PICTURE_LETTER;
	struct span name = name_of(p, b);

	if (letters < 3)
		return;
	svg_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\">", x + 3, y + 12.5);
	letters -= (double)write_change(p, b, letters);
	strbuf_reset(&p->text);
	shorten(&p->text, name, (size_t)letters);
	picture_write_text(p);
	output_add(p->out, SPAN("</text>"));
}

double picture_box_width(const struct picture *p, const struct box *b)
{
	return (double)(b->end - b->begin) * p->scale;
}

void picture_write_box(struct picture *p, const struct box *b)
{
	double x = (double)b->begin * p->scale, y = row_of(p, b);
	double width = fmax(picture_box_width(p, b) - SEAM, 0.1);

	if (b->label == LAYOUT_MORE) {
		svg_printf(
			p->out,
			"<rect class=\"more\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\"/>\n",
			x, y, width, PICTURE_ROW - GAP);
		return;
	}
	output_add(p->out, SPAN("<g"));
	if (!p->in_page)
		write_fill(p, b);
	output_add(p->out, SPAN("><title>"));
	make_title(p, b);
	picture_write_text(p);
	output_add(p->out, SPAN("</title><rect"));
	if (p->in_page)
		write_fill(p, b);
	svg_printf(p->out, " x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\"/>", x, y, width,
		   PICTURE_ROW - GAP);
	write_label(p, b, x, y, width);
	output_add(p->out, SPAN("</g>\n"));
}

size_t picture_box_size(const struct picture *p, const struct box *b)
{
	/* Bytes without the name: of all boxes, of a label, and of the numbers of a comparison. */
	enum { MARKUP = 135, LABEL_MARKUP = 45, COMPARED = 90 };
	struct span name = name_of(p, b);
	double letters = picture_box_width(p, b) / PICTURE_LETTER;
	size_t title = p->short_titles ? TITLE_LETTERS : TITLE_MAX;
	size_t size =
		MARKUP + (p->o->is_diff ? COMPARED : 0) + svg_text_size(span_upto(name, title));

	if (letters >= 3)
		size += LABEL_MARKUP + svg_text_size(span_upto(name, (size_t)letters));
	return size;
}
