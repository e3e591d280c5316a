#include "render/html.h"

#include "base/alloc.h"
#include "base/base64.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "render/assets.h"
#include "render/number.h"
#include "render/peer/svg_text.h"

#include <math.h>
#include <stdlib.h>

/*
 * Limits of what is shown without a script: bytes of the picture, rows of the table, bytes of a
 * name.
 */
enum { PICTURE_MAX = 70 * 1000, TOP_ROWS = 50, TEXT_MAX = 200 };

static void write_title(struct output *out, const struct html_opts *o)
{
	svg_text_ascii(out, span_of(o->picture->title));
}

/* Facts of the profile's info that are shown above the picture. */
static const char *const facts_shown[] = { "command", "captured" };

static void write_fact(struct output *out, const struct profile *p, const char *key)
{
	for (size_t i = 0; i < p->nr_info; i++) {
		struct span value = profile_peek(p, p->info[i].value);

		if (!span_is(profile_peek(p, p->info[i].key), key))
			continue;
		output_add(out, SPAN("<p>"));
		svg_text_ascii(out, span_upto(value, utf8_cut(value, TEXT_MAX)));
		output_add(out, SPAN("</p>\n"));
	}
}

static void write_picture(struct output *out, const struct html_opts *o)
{
	struct strbuf text = { 0 };
	double least;

	for (size_t i = 0; i < ARRAY_SIZE(facts_shown); i++)
		write_fact(out, o->profile, facts_shown[i]);
	least = picture_write_element(out, o->layout, &o->tree->labels, o->picture, PICTURE_MAX);
	if (least <= 0)
		return;
	strbuf_addf(&text,
		    "\n"
		    "\t<p>Frames narrower than %.2f %% of the picture are omitted here.</p>",
		    100 * least);
	output_add(out, strbuf_peek(&text));
	strbuf_release(&text);
}

static double whole_of(const struct html_opts *o, size_t column)
{
	weight_sum sum = 0;

	for (size_t i = 0; i < o->tree->nr_line; i++)
		sum += tree_line(o->tree, i).sum[column];
	return (double)sum;
}

static double share_of(weight_sum weight, double whole)
{
	return whole > 0 ? (double)weight / whole : 0;
}

static void write_cell(struct output *out, const struct html_opts *o, weight_sum weight,
		       double whole, struct strbuf *text)
{

	strbuf_reset(text);
	number_add_count(text, (double)weight * pow(10, o->tree->scale),
			 span_of(o->picture->count_name));
	strbuf_add(text, SPAN(", "));
	number_add_share(text, share_of(weight, whole));
	output_add(out, SPAN("<td>"));
	svg_text_ascii(out, strbuf_peek(text));
	output_add(out, SPAN("</td>"));
}

/* The value of 100 % on each side; without a comparison, both are the same. */
struct wholes {
	const struct html_opts *o;
	double whole[2];
};

/* The change of a row's share; if not normalized, the change of its weight as a share of before. */
static double change_of(const struct wholes *w, const struct top_row *row)
{
	const double *whole = w->whole;

	if (!w->o->picture->normalized)
		return share_of(row->total - row->before, whole[0] > 0 ? whole[0] : whole[1]);
	return share_of(row->total, whole[1]) - share_of(row->before, whole[0]);
}

/* The largest change first, in either direction: a function that is gone has changed, too. */
static int by_change(const void *a, const void *b, void *wholes)
{
	const struct top_row *x = a, *y = b;
	double dx = fabs(change_of(wholes, x)), dy = fabs(change_of(wholes, y));

	if (dx != dy)
		return dx > dy ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->label < y->label ? -1 : x->label > y->label;
}

static void write_change(struct output *out, const struct wholes *w, const struct top_row *row,
			 struct strbuf *text)
{
	strbuf_reset(text);
	number_add_change(text, change_of(w, row));
	output_add(out, SPAN("<td>"));
	svg_text_ascii(out, strbuf_peek(text));
	output_add(out, SPAN("</td>"));
}

static void write_heads(struct output *out, const struct html_opts *o)
{
	static const char *const heads[][3] = { { "Self", "Total", NULL },
						{ "Before", "After", "Change" } };
	const char *const *head = heads[o->picture->is_diff];

	for (size_t i = 0; i < 3 && head[i]; i++) {
		output_add(out, SPAN("<th scope=\"col\">"));
		output_add(out, span_of(head[i]));
		output_add(out, SPAN("</th>"));
	}
}

static void write_top(struct output *out, const struct html_opts *o)
{
	size_t nr;
	struct top_row *row = top_list(o->tree, &nr);
	struct strbuf text = { 0 };
	bool is_diff = o->picture->is_diff;
	struct wholes w = { .o = o,
			    .whole = { whole_of(o, 0), whole_of(o, o->tree->nr_column - 1) } };

	if (is_diff && nr)
		qsort_r(row, nr, sizeof(*row), by_change, &w);
	for (size_t i = 0; i < nr && i < TOP_ROWS; i++) {
		struct span name = labels_peek(&o->tree->labels, row[i].label);
		size_t size = utf8_cut(name, TEXT_MAX);

		output_add(out, SPAN("<tr>"));
		write_cell(out, o, is_diff ? row[i].before : row[i].self, w.whole[0], &text);
		write_cell(out, o, row[i].total, w.whole[1], &text);
		if (is_diff)
			write_change(out, &w, &row[i], &text);
		output_add(out, SPAN("<td>"));
		svg_text_ascii(out, span_upto(name, size));
		output_add(out,
			   size < name.size ? SPAN("&#8230;</td></tr>\n") : SPAN("</td></tr>\n"));
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
		{ "title", write_title }, { "picture", write_picture }, { "heads", write_heads },
		{ "top", write_top },	  { "data", write_data },
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
