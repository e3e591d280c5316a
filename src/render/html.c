#include "render/html.h"

#include "base/alloc.h"
#include "base/base64.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "render/assets.h"
#include "render/number.h"
#include "render/svg_text.h"

#include <math.h>
#include <stdlib.h>

enum { PICTURE_MAX = 70 * 1000, TOP_ROWS = 50, TEXT_MAX = 200 };

static void write_title(struct output *out, const struct html_opts *o)
{
	svg_text(out, span_of(o->picture->title));
}

static void write_picture(struct output *out, const struct html_opts *o)
{
	picture_write_element(out, o->layout, &o->tree->labels, o->picture, PICTURE_MAX);
}

static void write_cell(struct output *out, const struct html_opts *o, weight_sum weight,
		       struct strbuf *text)
{
	double whole = (double)o->layout->total;

	strbuf_reset(text);
	number_add_count(text, (double)weight * pow(10, o->tree->scale),
			 span_of(o->picture->count_name));
	strbuf_add(text, SPAN(", "));
	number_add_share(text, whole > 0 ? (double)weight / whole : 0);
	output_add(out, SPAN("<td>"));
	svg_text(out, strbuf_peek(text));
	output_add(out, SPAN("</td>"));
}

static void write_top(struct output *out, const struct html_opts *o)
{
	size_t nr;
	struct top_row *row = top_list(o->tree, &nr);
	struct strbuf text = { 0 };

	for (size_t i = 0; i < nr && i < TOP_ROWS; i++) {
		struct span name = labels_peek(&o->tree->labels, row[i].label);
		size_t size = utf8_cut(name, TEXT_MAX);

		output_add(out, SPAN("<tr>"));
		write_cell(out, o, row[i].self, &text);
		write_cell(out, o, row[i].total, &text);
		output_add(out, SPAN("<td>"));
		svg_text(out, span_upto(name, size));
		output_add(out, size < name.size ? SPAN("…</td></tr>\n") : SPAN("</td></tr>\n"));
	}
	strbuf_release(&text);
	free(row);
}

static void write_data(struct output *out, const struct html_opts *o)
{
	base64_write(out, o->pack);
}

void html_write(struct output *out, const struct html_opts *o)
{
	static const struct {
		const char *name;
		void (*write)(struct output *out, const struct html_opts *o);
	} places[] = {
		{ "title", write_title },
		{ "picture", write_picture },
		{ "top", write_top },
		{ "data", write_data },
	};

	for (const struct asset_piece *piece = asset_page;; piece++) {
		output_add(out, piece->text);
		if (!piece->place)
			return;
		for (size_t i = 0; i < ARRAY_SIZE(places); i++)
			if (!strcmp(places[i].name, piece->place))
				places[i].write(out, o);
	}
}
