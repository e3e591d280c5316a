/* The frames of wick's own picture: boxes, names, titles. */
#include "base/utf8.h"
#include "render/color_states.h"
#include "render/number.h"
#include "render/peer/svg_text.h"
#include "render/picture_parts.h"
#include "render/shorten.h"

#include <math.h>

enum {
	GAP = 1,
	CHANGE_LETTERS = 12, /* from here on, a change has room for its number */
	TITLE_MAX = 1000,    /* bytes of a name in a title */
	TITLE_LETTERS = 120, /* of a name in a short title */
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

/*
 * A box of a chart has no node: a reason ("[lock]") has its color, and all other frames have that
 * of running.
 */
static unsigned state_color(const struct picture *p, const struct box *b)
{
	struct span name = b->label < LAYOUT_MORE ? labels_peek(p->labels, b->label) : SPAN("");

	if (b->label == LAYOUT_ALL)
		return 0;
	return color_by_state(b->node ? p->o->state[b->node] : color_state_of(name), name);
}

static unsigned color_of(const struct picture *p, const struct box *b)
{
	switch (p->o->scheme) {
	case COLOR_SELF:
		return color_by_self(share(b->self, p->l->total));
	case COLOR_DIFF:
		return is_noise(p, b) ? COLOR_SAME : color_by_change(change_of(p, b));
	case COLOR_STATE:
		return state_color(p, b);
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
		strbuf_add(&p->text, SPAN(", not significant"));
}

/*
 * "1,234 samples, 12.3 %", and in the next line the name, so that long template arguments do not
 * hide the numbers.  The line break is a character reference, so that a frame is one line of the
 * file.
 */
static void write_title(struct picture *p, const struct box *b)
{
	struct span name = name_of(p, b);
	size_t size = utf8_cut(name, TITLE_MAX);

	output_add(p->out, SPAN("<title>"));
	strbuf_reset(&p->text);
	picture_add_amount(p, b->end - b->begin, b->sum);
	strbuf_add(&p->text, SPAN(", "));
	add_shares(p, b);
	picture_write_text(p);
	output_add(p->out, SPAN("&#10;"));
	strbuf_reset(&p->text);
	if (p->short_titles) {
		shorten(&p->text, name, TITLE_LETTERS);
	} else {
		strbuf_add(&p->text, span_upto(name, size));
		if (size < name.size)
			strbuf_add(&p->text, SPAN("…"));
	}
	picture_write_text(p);
	output_add(p->out, SPAN("</title>"));
}

static double row_of(const struct picture *p, const struct box *b)
{
	size_t row = p->o->root_on_top ? b->depth : p->l->depth - b->depth;

	return (double)row * PICTURE_ROW;
}

/* Sets the color of the rectangle only: text would inherit a group's. */
static void write_fill(struct picture *p, const struct box *b)
{
	if (p->o->rgb && b->label != LAYOUT_ALL) {
		struct rgb c = p->o->rgb[b->label];

		svg_printf(p->out, " fill=\"#%02x%02x%02x\"", c.r, c.g, c.b);
	} else {
		picture_write_color(p, p->o->rgb ? 0 : color_of(p, b));
	}
}

void picture_write_color(struct picture *p, unsigned color)
{
	if (!p->in_page) {
		svg_number(p->out, SPAN(" class=\"c"), color, 0);
		output_char(p->out, '"');
	}
	output_add(p->out, SPAN(" fill=\"#"));
	output_add(p->out, (struct span){ .at = color_hex(color, COLOR_LIGHT), .size = 6 });
	output_char(p->out, '"');
}

/*
 * Writes the sign of a change before the name, for people who cannot see the color, and if there is
 * room the number: "+12.5 ".  Returns the number of letters.
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
	/* A thin space after a sign without a number: the name needs the room. */
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
	svg_number(p->out, SPAN("<text x=\""), x + 3, 1);
	svg_number(p->out, SPAN("\" y=\""), y + 12.5, 1);
	output_add(p->out, SPAN("\">"));
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

static double drawn_width(const struct picture *p, const struct box *b)
{
	return fmax(picture_box_width(p, b) - SEAM, 0.1);
}

/* Writes the position and size of a rectangle, and ends it. */
static void write_place(struct picture *p, double x, double y, double width)
{
	svg_number(p->out, SPAN(" x=\""), x, 1);
	svg_number(p->out, SPAN("\" y=\""), y, 0);
	svg_number(p->out, SPAN("\" width=\""), width, 1);
	svg_number(p->out, SPAN("\" height=\""), PICTURE_ROW - GAP, 0);
	output_add(p->out, SPAN("\"/>"));
}

void picture_write_box(struct picture *p, const struct box *b)
{
	double x = (double)b->begin * p->scale, y = row_of(p, b), width = drawn_width(p, b);

	output_add(p->out, SPAN("<g>"));
	write_title(p, b);
	output_add(p->out, SPAN("<rect"));
	write_fill(p, b);
	write_place(p, x, y, width);
	write_label(p, b, x, y, width);
	output_add(p->out, SPAN("</g>\n"));
}

void picture_write_more(struct picture *p)
{
	output_add(p->out, SPAN("<g class=\"more\" fill=\"#d9dade\">"));
	for (size_t i = 0; i < p->l->nr; i++) {
		const struct box *b = &p->l->box[i];

		if (b->label == LAYOUT_MORE) {
			output_add(p->out, SPAN("<rect"));
			write_place(p, (double)b->begin * p->scale, row_of(p, b),
				    drawn_width(p, b));
			output_char(p->out, '\n');
		}
	}
	output_add(p->out, SPAN("</g>\n"));
}

size_t picture_box_size(const struct picture *p, const struct box *b)
{
	/*
	 * Bytes of markup without names: per box, per label, and for the numbers of a comparison.
	 */
	enum { MARKUP = 137, LABEL_MARKUP = 45, COMPARED = 90 };
	struct span name = name_of(p, b);
	double letters = picture_box_width(p, b) / PICTURE_LETTER;
	size_t size = MARKUP + (p->o->is_diff ? COMPARED : 0) +
		      svg_text_size(span_upto(name, p->short_titles ? TITLE_LETTERS : TITLE_MAX));

	if (letters >= 3)
		size += LABEL_MARKUP + svg_text_size(span_upto(name, (size_t)letters));
	return size;
}
