#include "render/picture.h"

#include "render/number.h"
#include "render/peer/svg_text.h"
#include "render/picture_parts.h"

#include <math.h>

enum {
	DEFAULT_WIDTH = 1200,
	ABOVE = 58, /* room for the title and the line of details */
	BELOW = 12,
};

static double frames_width(const struct picture_opts *o)
{
	/* The frames are at least a pixel wide. */
	return fmax((o->width ? o->width : DEFAULT_WIDTH) - 2 * PICTURE_MARGIN, 1);
}

double picture_share_of_pixels(const struct picture_opts *o, double pixels)
{
	return pixels / frames_width(o);
}

void picture_write_text(struct picture *p)
{
	(p->in_page ? svg_text_ascii : svg_text)(p->out, strbuf_peek(&p->text));
}

void picture_add_amount(struct picture *p, weight_sum width, const weight_sum *sum)
{
	double unit = pow(10, p->l->scale);
	struct span name = span_of(p->o->count_name);

	if (!p->o->is_diff) {
		number_add_count(&p->text, (double)width * unit, name);
		return;
	}
	number_add_count(&p->text, (double)sum[0] * unit, name);
	strbuf_add(&p->text, SPAN(" → "));
	number_add_count(&p->text, (double)sum[1] * unit, name);
}

/* Sets p->text to the amount of everything, and what is missing. */
static void make_amount(struct picture *p)
{
	strbuf_reset(&p->text);
	picture_add_amount(p, p->l->total, p->l->sum);
	strbuf_add(&p->text, span_of(p->o->missing ? p->o->missing : ""));
}

/* The line below the title: the subtitle, or the amount. */
static void write_details(struct picture *p)
{
	output_add(p->out, SPAN("<text id=\"details\" x=\"10\" y=\"45\">"));
	if (p->o->subtitle) {
		svg_text(p->out, span_of(p->o->subtitle));
	} else {
		make_amount(p);
		picture_write_text(p);
	}
	output_add(p->out, SPAN("</text>\n"));
}

static void write_head(struct picture *p)
{
	svg_printf(p->out,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\""
		   " viewBox=\"0 0 %.0f %.0f\"",
		   p->width, p->height, p->width, p->height);
	output_add(
		p->out,
		SPAN(" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace\""
		     " font-size=\"12\" fill=\"#1a1a1a\">\n"));
	if (p->o->notes && *p->o->notes) {
		output_add(p->out, SPAN("<!--NOTES: "));
		svg_comment(p->out, span_of(p->o->notes));
		output_add(p->out, SPAN("-->\n"));
	}
	picture_write_style(p);
	output_add(p->out,
		   SPAN("<rect id=\"ground\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"));
}

/* The data- attributes tell the script how the frames were drawn, so that it can redraw them. */
static void open_frames(struct picture *p)
{
	svg_printf(
		p->out,
		"<svg id=\"frames\" x=\"%d\" y=\"%d\" width=\"%.0f\" overflow=\"visible\" data-row=\"%d\""
		" data-base=\"12.5\" data-letter=\"%g\" data-top=\"0\" data-room=\"%d\"%s%s>\n",
		PICTURE_MARGIN, ABOVE, frames_width(p->o), PICTURE_ROW, PICTURE_LETTER,
		ABOVE + BELOW, p->o->root_on_top ? "" : " data-up=\"1\"",
		p->o->width ? "" : " data-fluid=\"1\"");
}

static void set_size(struct picture *p)
{
	p->width = frames_width(p->o) + 2 * PICTURE_MARGIN;
	p->height = (double)(p->l->depth + 1) * PICTURE_ROW + ABOVE + BELOW;
	p->scale = p->l->total > 0 ? frames_width(p->o) / (double)p->l->total : 0;
}

void picture_write(struct output *out, const struct layout *l, const struct labels *labels,
		   const struct picture_opts *o)
{
	struct picture p = { .out = out, .l = l, .labels = labels, .o = o };

	set_size(&p);
	write_head(&p);
	open_frames(&p);
	for (size_t i = 0; i < l->nr; i++)
		if (l->box[i].label != LAYOUT_MORE)
			picture_write_box(&p, &l->box[i]);
	picture_write_more(&p);
	/* After the frames, so that the head covers them when a tall picture is scrolled. */
	output_add(
		out,
		SPAN("</svg>\n<g id=\"head\" font-family=\"system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif\""
		     " fill=\"#4a4d55\"><text id=\"title\" x=\"10\" y=\"24\" font-size=\"16\""
		     " font-weight=\"600\" fill=\"#1a1a1a\">"));
	svg_text(out, span_of(o->title));
	output_add(out, SPAN("</text>\n"));
	picture_write_legend(&p);
	write_details(&p);
	output_add(out, SPAN("</g>\n"));
	strbuf_release(&p.text);
}

static bool is_in_element(const struct picture *p, const struct box *b, double least)
{
	return b->label != LAYOUT_MORE && picture_box_width(p, b) >= least;
}

/* The size of the markup of all boxes that are at least `least` pixels wide. */
static size_t size_of_boxes(const struct picture *p, double least)
{
	size_t size = 0;

	for (size_t i = 0; i < p->l->nr; i++)
		if (is_in_element(p, &p->l->box[i], least))
			size += picture_box_size(p, &p->l->box[i]);
	return size;
}

/* The smallest minimum width of boxes, in pixels, with which the markup is within max_size. */
static double least_width(struct picture *p, size_t max_size)
{
	double least = 2;

	p->short_titles = size_of_boxes(p, least) > max_size;
	while (least <= p->width && size_of_boxes(p, least) > max_size)
		least *= 1.25;
	return least;
}

double picture_write_element(struct output *out, const struct layout *l,
			     const struct labels *labels, const struct picture_opts *o,
			     size_t max_size)
{
	struct picture p = { .out = out, .l = l, .labels = labels, .o = o, .in_page = true };
	bool all = true;
	double least;

	set_size(&p);
	least = least_width(&p, max_size);
	output_add(out, SPAN("<p>"));
	make_amount(&p);
	picture_write_text(&p);
	output_add(out, SPAN("</p>\n"));
	svg_printf(
		out,
		"<svg viewBox=\"0 %d %.0f %.0f\" font-family=\"monospace\" font-size=\"12\" fill=\"#1a1a1a\">\n",
		-PICTURE_LEGEND_ROW, frames_width(o),
		(double)(l->depth + 1) * PICTURE_ROW + PICTURE_LEGEND_ROW);
	picture_write_legend(&p);
	for (size_t i = 0; i < l->nr; i++) {
		if (is_in_element(&p, &l->box[i], least))
			picture_write_box(&p, &l->box[i]);
		else
			all = false;
	}
	output_add(out, SPAN("</svg>"));
	strbuf_release(&p.text);
	return all ? 0 : least / frames_width(o);
}
