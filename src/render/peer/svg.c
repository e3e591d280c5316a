#include "render/peer/svg.h"

#include "base/fixed.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "profile/spelling.h"
#include "render/peer/svg_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MARGIN = 10, GAP = 1, DEFAULT_WIDTH = 1200 };

struct picture {
	struct output *out;
	const struct layout *l;
	const struct labels *labels;
	struct colors *colors;
	const struct svg_opts *o;
	double width, height;	   /* pixels */
	double above, below;	   /* part of the height: the room above and below the frames */
	int digits;		   /* of heights: 0, unless the font's size has a fraction */
	double total;		   /* the value of 100 %, as a count */
	double total_width;	   /* the same in the units of the layout */
	struct strbuf name, title; /* of the current box */
};

static double drawn_width(const struct svg_opts *o)
{
	return o->width ? o->width : DEFAULT_WIDTH;
}

/* The width between the margins, at least a pixel. */
static double frames_width(const struct svg_opts *o)
{
	return fmax(drawn_width(o) - 2 * MARGIN, 1);
}

double svg_share_of_pixels(const struct svg_opts *o, double min_pixels)
{
	return min_pixels / frames_width(o);
}

/* Room above and below the rows, for titles and buttons. */
static void set_margins(struct picture *p)
{
	double size = p->o->font_size;
	bool details_above = p->o->root_on_top && !p->o->details_below;

	p->above = details_above ? size * 4 + 4 : size * 3;
	p->below = details_above ? size + 10 : size * 2 + 10;
	if (p->o->subtitle)
		p->above += size * 2;
	p->width = drawn_width(p->o);
	p->digits = size > floor(size) ? 2 : 0;
}

/* CSS has keywords for these, which must not be quoted. */
static bool is_generic_font(const char *font)
{
	static const char *const generic[] = { "cursive", "fantasy", "monospace", "serif",
					       "sans-serif" };

	for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++)
		if (!strcmp(font, generic[i]))
			return true;
	return false;
}

static void write_font(struct picture *p)
{
	struct span font = span_of(p->o->font);

	if (is_generic_font(p->o->font)) {
		svg_text(p->out, font);
		return;
	}
	/* Drops characters that could end the quotes. */
	strbuf_reset(&p->name);
	for (size_t i = 0; i < font.size; i++)
		if (!strchr("<>&{};\"'\\", font.at[i]) && (unsigned char)font.at[i] >= ' ')
			strbuf_addch(&p->name, font.at[i]);
	output_char(p->out, '\'');
	svg_text(p->out, strbuf_peek(&p->name));
	output_char(p->out, '\'');
}

static void write_header(struct picture *p)
{
	const struct svg_opts *o = p->o;

	output_add(p->out, SPAN("<?xml version=\"1.0\""));
	if (o->encoding) {
		output_add(p->out, SPAN(" encoding=\""));
		svg_text(p->out, span_of(o->encoding));
		output_char(p->out, '"');
	}
	svg_printf(p->out,
		   " standalone=\"no\"?>\n"
		   "<svg version=\"1.1\" width=\"%.0f\" height=\"%.*f\" viewBox=\"0 0 %.0f %.*f\""
		   " xmlns=\"http://www.w3.org/2000/svg\""
		   " xmlns:xlink=\"http://www.w3.org/1999/xlink\" font-size=\"%g\" font-family=\"",
		   p->width, p->digits, p->height, p->width, p->digits, p->height, o->font_size);
	write_font(p);
	output_add(p->out, SPAN("\">\n"));
	if (o->notes && *o->notes) {
		output_add(p->out, SPAN("<!--NOTES: "));
		svg_comment(p->out, span_of(o->notes));
		output_add(p->out, SPAN("-->\n"));
	}
}

/* Only what attributes cannot express: a content security policy may forbid inline styles. */
static void write_style(struct picture *p)
{
	const struct svg_opts *o = p->o;

	svg_printf(
		p->out,
		"<defs><linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">"
		"<stop stop-color=\"%s\" offset=\"5%%\"/><stop stop-color=\"%s\" offset=\"95%%\"/>"
		"</linearGradient></defs>\n<style type=\"text/css\">\n",
		o->background.top, o->background.bottom);
	if (o->soft)
		output_add(p->out, SPAN("#frames rect { rx:2px; ry:2px; }\n"));
	if (o->stroke)
		svg_printf(
			p->out,
			"#frames > g > rect, #frames > a > rect { stroke:%s; stroke-width:1; }\n",
			o->stroke);
	svg_printf(p->out,
		   "</style>\n<rect x=\"0\" y=\"0\" width=\"100%%\" height=\"%.*f\""
		   " fill=\"url(#background)\"/>\n",
		   p->digits, p->height);
}

static void write_words(struct picture *p, const char *id, double y, double size, const char *words)
{
	svg_printf(p->out,
		   "<text id=\"%s\" x=\"50%%\" y=\"%.2f\" font-size=\"%g\" text-anchor=\"middle\"",
		   id, y, size);
	if (p->o->ui_color)
		svg_printf(p->out, " fill=\"%s\"", p->o->ui_color);
	output_char(p->out, '>');
	svg_text(p->out, span_of(words));
	output_add(p->out, SPAN("</text>\n"));
}

/* 1234567 → 1,234,567 */
static void add_thousands(struct strbuf *out, double count)
{
	char digits[FIXED_SIZE];
	size_t n = fixed_text(digits, count, 0);

	for (size_t i = 0; i < n; i++) {
		strbuf_addch(out, digits[i]);
		if (i + 1 < n && digits[i] != '-' && (n - 1 - i) % 3 == 0)
			strbuf_addch(out, ',');
	}
}

static void add_fixed(struct strbuf *out, double n, int digits)
{
	char text[FIXED_SIZE];
	size_t size = fixed_text(text, n, digits);

	strbuf_add(out, (struct span){ .at = text, .size = size });
}

static double weight_of(const struct picture *p, weight_sum weight)
{
	return (double)weight * pow(10, p->l->scale);
}

/* "name (1,234 samples, 12.34%)" */
static void make_title(struct picture *p, const struct box *b)
{
	const struct svg_opts *o = p->o;
	double weight = b->label == LAYOUT_ALL ? p->total : weight_of(p, b->end - b->begin);
	double count = o->half_even ? nearbyint(weight * o->factor) : round(weight * o->factor);
	double whole = p->total * o->factor, share;

	strbuf_reset(&p->title);
	strbuf_add(&p->title, strbuf_peek(&p->name));
	strbuf_add(&p->title, SPAN(" ("));
	add_thousands(&p->title, count);
	strbuf_addch(&p->title, ' ');
	strbuf_add(&p->title, span_of(o->count_name));
	strbuf_add(&p->title, SPAN(", "));
	if (b->label == LAYOUT_ALL) {
		strbuf_add(&p->title, SPAN("100%)"));
		return;
	}
	share = o->rounded ? 100 * count / whole : 100 * weight / p->total;
	add_fixed(&p->title, isfinite(share) ? share : 0.0, 2);
	strbuf_addch(&p->title, '%');
	if (b->has_delta) {
		double delta = weight_of(p, o->negate ? -b->delta : b->delta);

		if (delta == 0)
			strbuf_add(&p->title, SPAN("; 0.00%"));
		else
			strbuf_addf(&p->title, "; %+.2f%%", whole > 0 ? 100 * delta / whole : 0.0);
	}
	strbuf_addch(&p->title, ')');
}

static struct rgb color_of(struct picture *p, const struct box *b, struct span name)
{
	const struct svg_opts *o = p->o;

	if (span_is(name, "--") || span_is(name, "-"))
		return colors_pick(p->colors, name);
	if (o->by_width) {
		double share = (double)(b->end - b->begin) / (double)p->l->total;

		return colors_diff(trunc(sqrt(share) * 2000), 2000, o->diff_scale);
	}
	if (b->has_delta)
		return colors_diff((double)(o->negate ? -b->delta : b->delta),
				   (double)p->l->max_delta, o->diff_scale);
	if (o->color_map)
		return color_map_pick(o->color_map, p->colors, name);
	return colors_pick(p->colors, name);
}

static void open_element(struct picture *p, const struct function_attributes *f)
{
	output_add(p->out, f && f->is_link ? SPAN("<a") : SPAN("<g"));
	for (size_t i = 0; f && i < f->nr; i++) {
		output_char(p->out, ' ');
		svg_text(p->out, f->attribute[i].name);
		output_add(p->out, SPAN("=\""));
		svg_text(p->out, f->attribute[i].value);
		output_char(p->out, '"');
	}
	output_add(p->out, SPAN("><title>"));
	svg_text(p->out, f && f->title.at ? f->title : strbuf_peek(&p->title));
	output_add(p->out, SPAN("</title>"));
}

/* As much of the name as fits, in whole characters. */
static void write_label(struct picture *p, double x, double y, double width)
{
	double room = width / 100 * (p->o->snug ? frames_width(p->o) : p->width);
	double letters = room / (p->o->font_size * p->o->font_width);
	struct span name = strbuf_peek(&p->name);
	size_t fits;

	/* Infinite if the font size is 0. */
	if (!(letters >= 3) || !isfinite(letters))
		return;
	fits = (size_t)letters;
	svg_number(p->out, SPAN("<text x=\""), x + 100 * 3.0 / p->width, 4);
	svg_number(p->out, SPAN("%\" y=\""), y, 2);
	output_add(p->out, SPAN("\">"));
	if (p->o->snug ? utf8_length(name) <= fits : name.size < fits) {
		svg_text(p->out, name);
	} else {
		svg_text(p->out, span_upto(name, utf8_bytes(name, fits - 2)));
		output_add(p->out, SPAN(".."));
	}
	output_add(p->out, SPAN("</text>"));
}

static void write_box(struct picture *p, const struct box *b)
{
	struct span label = b->label == LAYOUT_ALL ? SPAN("") : labels_peek(p->labels, b->label);
	const struct function_attributes *f =
		p->o->attributes ? attributes_find(p->o->attributes, label) : NULL;
	double row = p->o->row_height, scale = 100 / (double)p->total_width;
	double x = (double)b->begin * scale;
	double width = b->label == LAYOUT_ALL ? 100 : (double)(b->end - b->begin) * scale;
	double y = p->o->root_on_top ? p->above + b->depth * row
				     : p->height - p->below - (b->depth + 1) * row + GAP;
	struct frame unused = { 0 };
	struct rgb c = color_of(p, b, label);

	if (p->o->picked && b->label != LAYOUT_ALL && !p->o->picked[b->label])
		p->o->picked[b->label] = RGB_PICKED | (uint32_t)(c.r << 16 | c.g << 8 | c.b);
	strbuf_reset(&p->name);
	strbuf_add(&p->name,
		   b->label == LAYOUT_ALL ? SPAN("all") : spelling_unmark(label, &unused));
	make_title(p, b);
	open_element(p, f);
	svg_number(p->out, SPAN("<rect x=\""), x, 4);
	svg_number(p->out, SPAN("%\" y=\""), y, p->digits);
	svg_number(p->out, SPAN("\" width=\""), width, 4);
	svg_number(p->out, SPAN("%\" height=\""), fmax(row - GAP, 0), 0);
	svg_number(p->out, SPAN("\" fill=\"rgb("), c.r, 0);
	svg_number(p->out, SPAN(","), c.g, 0);
	svg_number(p->out, SPAN(","), c.b, 0);
	output_add(p->out, SPAN(")\"/>"));
	write_label(p, x, 3 + y + (row - GAP) / 2, width);
	output_add(p->out, f && f->is_link ? SPAN("</a>\n") : SPAN("</g>\n"));
}

static void write_titles(struct picture *p)
{
	double size = p->o->font_size;

	write_words(p, "title", size * 2, size + 5, p->o->title);
	if (p->o->subtitle)
		write_words(p, "subtitle", size * 4, size, p->o->subtitle);
}

static void write_data(struct picture *p, const char *name, const char *value)
{
	if (!value)
		return;
	svg_printf(p->out, " data-%s=\"", name);
	svg_text(p->out, span_of(value));
	output_char(p->out, '"');
}

/* The data- attributes tell the script how the frames were drawn, so that it can redraw them. */
static void open_frames(struct picture *p)
{
	const struct svg_opts *o = p->o;

	svg_printf(p->out, "<svg id=\"frames\" x=\"%d\" width=\"%.0f\"", MARGIN, frames_width(o));
	if (o->live) {
		svg_printf(
			p->out,
			" data-peer=\"1\" data-row=\"%u\" data-base=\"%g\" data-letter=\"%g\" data-top=\"%g\""
			" data-room=\"%g\"%s%s%s%s",
			o->row_height, 3 + (o->row_height - GAP) / 2.0,
			o->font_size * o->font_width, o->root_on_top ? p->above : p->above + GAP,
			p->above + p->below, o->root_on_top ? "" : " data-up=\"1\"",
			o->root_on_top && o->details_below ? " data-below=\"1\"" : "",
			o->width ? "" : " data-fluid=\"1\"", o->snug ? " data-snug=\"1\"" : "");
		write_data(p, "hit", o->search_color);
		write_data(p, "ui", o->ui_color);
		write_data(p, "nametype", o->name_type);
		write_data(p, "cut", o->cut_left ? "left" : NULL);
	}
	output_add(p->out, SPAN(">\n"));
}

void svg_write(struct output *out, const struct layout *l, const struct labels *labels,
	       struct colors *colors, const struct svg_opts *o)
{
	struct picture p = { .out = out, .l = l, .labels = labels, .colors = colors, .o = o };

	set_margins(&p);
	p.total_width = (double)l->total;
	p.total = weight_of(&p, l->total);
	if (o->total > p.total) {
		p.total_width *= o->total / p.total;
		p.total = o->total;
	}
	p.height = (double)(l->depth + 1) * o->row_height + p.above + p.below;
	write_header(&p);
	write_style(&p);
	write_titles(&p);
	open_frames(&p);
	for (size_t i = 0; i < l->nr; i++)
		write_box(&p, &l->box[i]);
	output_add(out, SPAN("</svg>\n"));
	strbuf_release(&p.name);
	strbuf_release(&p.title);
}

void svg_write_error(struct output *out, const char *text, const struct svg_opts *o)
{
	struct picture p = { .out = out, .o = o };

	set_margins(&p);
	p.height = o->font_size * 5;
	write_header(&p);
	write_style(&p);
	write_words(&p, "title", o->font_size * 2, o->font_size + 5, text);
	strbuf_release(&p.name);
}
