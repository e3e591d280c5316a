#include "render/picture.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "render/number.h"
#include "render/shorten.h"
#include "render/svg_text.h"

#include <math.h>
#include <stdlib.h>

enum {
	MARGIN = 10,
	DEFAULT_WIDTH = 1200,
	ROW = 18,
	GAP = 1,
	ABOVE = 58, /* room for the title and a line that tells */
	BELOW = 12,
	LEGEND_ROW = 20,     /* above the frames of a page */
	CHANGE_LETTERS = 12, /* room for the number of a change and some of the name */
	TITLE_MAX = 1000,    /* bytes of a name that a title shows; the data has them all */
	TITLE_LETTERS = 120, /* in a page with little room: rather all frames than all of a name */
};

/* A letter of the font, in pixels: a little more than most monospace fonts take at 12 px. */
static const double LETTER = 7.3;
/* Of those of the title and of the legend, which are not all alike, a wide one. */
static const double TITLE_LETTER = 9.5, LEGEND_LETTER = 6.9;
/* Between two frames in a row. */
static const double SEAM = 0.5;

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

static double frames_width(const struct picture_opts *o)
{
	/* A picture has room for a pixel at least. */
	return fmax((o->width ? o->width : DEFAULT_WIDTH) - 2 * MARGIN, 1);
}

double picture_share_of_pixels(const struct picture_opts *o, double pixels)
{
	return pixels / frames_width(o);
}

/* What a frame is called. */
static struct span name_of(const struct picture *p, const struct box *b)
{
	return b->label == LAYOUT_ALL ? SPAN("all") : labels_peek(p->labels, b->label);
}

static double share(weight_sum part, weight_sum whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

/* How much more of everything a box is, after than before; without normalizing, of all that before had. */
static double change_of(const struct picture *p, const struct box *b)
{
	const weight_sum *whole = p->l->sum;

	if (p->o->normalized)
		return share(b->sum[1], whole[1]) - share(b->sum[0], whole[0]);
	return share(b->sum[1] - b->sum[0], whole[0] > 0 ? whole[0] : whole[1]);
}

/* Is its change no news? */
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

/* "1 234 samples"; of a comparison, the widths are of neither side: "12 samples → 34 samples" */
static void add_amount(struct picture *p, weight_sum width, const weight_sum *sum)
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
	add_amount(p, b->end - b->begin, b->sum);
	strbuf_add(&p->text, SPAN(", "));
	add_shares(p, b);
	strbuf_addch(&p->text, ')');
}

static double row_of(const struct picture *p, const struct box *b)
{
	size_t row = p->o->root_on_top ? b->depth : p->l->depth - b->depth;

	return (double)row * ROW;
}

/* Of the group; in a page of the rectangle, since no style there keeps the text from inheriting it. */
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

/* What was made: a page is kept in ASCII. */
static void write_text(struct picture *p)
{
	(p->in_page ? svg_text_ascii : svg_text)(p->out, strbuf_peek(&p->text));
}

/*
 * A change has a sign, for those who do not see the color, and is told where there is room: "+12.5 ".
 * Returns how many letters that takes.
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
	/* A thin one: the name is as good as what it takes. */
	strbuf_add(&p->text, letters < CHANGE_LETTERS ? SPAN("\u2009") : SPAN(" "));
	write_text(p);
	return utf8_length(strbuf_peek(&p->text));
}

/* What a name says in the room of a box; nothing when that is too little. */
static void write_label(struct picture *p, const struct box *b, double x, double y, double width)
{
	double letters = (width - 6) / LETTER;
	struct span name = name_of(p, b);

	if (letters < 3)
		return;
	svg_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\">", x + 3, y + 12.5);
	letters -= (double)write_change(p, b, letters);
	strbuf_reset(&p->text);
	shorten(&p->text, name, (size_t)letters);
	write_text(p);
	output_add(p->out, SPAN("</text>"));
}

static void write_box(struct picture *p, const struct box *b)
{
	double x = (double)b->begin * p->scale, y = row_of(p, b);
	double width = fmax((double)(b->end - b->begin) * p->scale - SEAM, 0.1);

	if (b->label == LAYOUT_MORE) {
		svg_printf(
			p->out,
			"<rect class=\"more\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\"/>\n",
			x, y, width, ROW - GAP);
		return;
	}
	output_add(p->out, SPAN("<g"));
	if (!p->in_page)
		write_fill(p, b);
	output_add(p->out, SPAN("><title>"));
	make_title(p, b);
	write_text(p);
	output_add(p->out, SPAN("</title><rect"));
	if (p->in_page)
		write_fill(p, b);
	svg_printf(p->out, " x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\"/>", x, y, width,
		   ROW - GAP);
	write_label(p, b, x, y, width);
	output_add(p->out, SPAN("</g>\n"));
}

/* The colors of a ground, one class each. */
static void write_classes(struct picture *p, enum color_ground ground)
{
	static const char *const edges[] = { [COLOR_LIGHT] = "4f6fae", [COLOR_DARK] = "93a9d6" };
	static const char *const dashes[] = { [COLOR_LIGHT] = "8a7a1f", [COLOR_DARK] = "b5ab62" };
	unsigned first, end, kernel = COLOR_KERNEL * COLOR_KIND_SHADES,
			     inlined = COLOR_INLINED * COLOR_KIND_SHADES;

	color_scheme_range(p->o->scheme, &first, &end);
	if (p->o->rgb)
		first = end = 1;
	svg_printf(p->out, ".c0{fill:#%.6s}", color_hex(0, ground));
	for (unsigned i = first ? first : 1; i < end; i++)
		svg_printf(p->out, ".c%u{fill:#%.6s}", i, color_hex(i, ground));
	/* Kernel and inlined code are told by their edges too, not by the hue alone. */
	if (first == 0 && end > inlined)
		svg_printf(
			p->out,
			".c%u,.c%u,.c%u,.c%u{stroke:#%s}.c%u,.c%u,.c%u,.c%u{stroke:#%s;stroke-dasharray:3 2}",
			kernel, kernel + 1, kernel + 2, kernel + 3, edges[ground], inlined,
			inlined + 1, inlined + 2, inlined + 3, dashes[ground]);
}

static void write_style(struct picture *p)
{
	output_add(
		p->out,
		SPAN("<style>"
		     "text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:#1a1a1a}"
		     "#title{font:600 16px system-ui,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}"
		     "#details,.legend,.button{font:12px system-ui,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;fill:#4a4d55}"
		     /* Where the picture is the whole window, the rest of it too. */
		     "svg:root{background:#fff}#ground,#lid{fill:#fff}"
		     "#frames rect{stroke-width:.6;stroke-opacity:.6}"
		     "#frames text{pointer-events:none;stroke:none}"
		     ".more{fill:#d9dade}"));
	write_classes(p, COLOR_LIGHT);
	if (p->o->rgb) {
		/* A palette has no dark half: its fills and the text on them stay. */
		output_add(
			p->out,
			SPAN("@media (prefers-color-scheme:dark){svg:root{background:#16181c}#ground,#lid{fill:#16181c}"
			     "#title{fill:#f2f2f2}#details,.legend,.button{fill:#b4b8c0}.more{fill:#33363c}}"));
	} else {
		output_add(
			p->out,
			SPAN("@media (prefers-color-scheme:dark){svg:root{background:#16181c}#ground,#lid{fill:#16181c}text{fill:#f2f2f2}"
			     "#details,.legend,.button{fill:#b4b8c0}.more{fill:#33363c}"));
		write_classes(p, COLOR_DARK);
		output_char(p->out, '}');
	}
	output_add(p->out, SPAN("</style>\n"));
}

/* What a color means. */
struct meaning {
	struct span text;
	unsigned color;
	double width; /* of both, and the room behind them */
};

enum { MEANINGS_MAX = 8, MEANING_LETTERS = 20 };

/* Is there a frame in one of these colors? */
static bool is_shown(const struct picture *p, unsigned first, unsigned nr)
{
	for (size_t i = 0; i < p->l->nr; i++)
		if (p->l->box[i].label < LAYOUT_MORE &&
		    p->o->color[p->l->box[i].label] - first < nr)
			return true;
	return false;
}

static size_t add_kind(const struct picture *p, enum color_kind kind, struct meaning *to)
{
	static const char *const texts[] = { "no code", "user",	   "library",
					     "kernel",	"inlined", "JIT, crate" };
	unsigned first = kind * COLOR_KIND_SHADES;

	if (!is_shown(p, first, COLOR_KIND_SHADES))
		return 0;
	*to = (struct meaning){ .text = span_of(texts[kind]), .color = first + 1 };
	return 1;
}

static size_t mean_kinds(const struct picture *p, struct meaning *to)
{
	size_t nr = 0;

	for (int kind = COLOR_USER; kind < NR_COLOR_KINDS; kind++)
		nr += add_kind(p, (enum color_kind)kind, to + nr);
	return nr;
}

/* The kernel, and the modules that fill the most of the picture. */
static size_t mean_modules(const struct picture *p, struct meaning *to)
{
	size_t nr = add_kind(p, COLOR_KERNEL, to);

	for (size_t i = 0; i < p->o->modules->nr && nr < MEANINGS_MAX; i++) {
		const struct color_module *m = &p->o->modules->list[i];
		unsigned first = COLOR_HUES + m->hue * COLOR_HUE_SHADES;

		if (is_shown(p, first, COLOR_HUE_SHADES))
			to[nr++] = (struct meaning){ .text = m->name, .color = first + 1 };
	}
	return nr;
}

static size_t mean_changes(const struct picture *p, struct meaning *to)
{
	struct span same = p->o->noise ? SPAN("same, or noise") : SPAN("same");

	to[0] = (struct meaning){ .text = SPAN("less"), .color = COLOR_SAME - 4 };
	to[1] = (struct meaning){ .text = same, .color = COLOR_SAME };
	to[2] = (struct meaning){ .text = SPAN("more"), .color = COLOR_SAME + 4 };
	return 3;
}

/* A name as the legend says it. */
static struct span make_meaning(struct picture *p, const struct meaning *m)
{
	strbuf_reset(&p->text);
	shorten(&p->text, m->text, MEANING_LETTERS);
	return strbuf_peek(&p->text);
}

/* About how wide a text is, rather more than less: what is not ASCII may be twice as wide. */
static double text_width(struct span s, double letter)
{
	double width = 0;

	for (size_t i = 0; i < s.size; i++)
		width += utf8_is_inside(s.at[i])	 ? 0
			 : (unsigned char)s.at[i] > 0x7f ? 2 * letter
							 : letter;
	return width;
}

/* How many there is room for: the title has the other half of the line, or as much as it needs. */
static size_t fit_meanings(struct picture *p, struct meaning *m, size_t nr, double *width)
{
	double left = p->width - 3 * MARGIN - text_width(span_of(p->o->title), TITLE_LETTER);

	*width = 0;
	for (size_t i = 0; i < nr; i++) {
		m[i].width = text_width(make_meaning(p, &m[i]), LEGEND_LETTER) + 28;
		if (*width + m[i].width > fmin(left, p->width / 2))
			return i;
		*width += m[i].width;
	}
	return nr;
}

/* A page has no classes, and no head: its legend is above the frames. */
static void write_meaning(struct picture *p, const struct meaning *m, double x)
{
	int y = p->in_page ? -LEGEND_ROW : 13;

	if (p->in_page)
		svg_printf(p->out, "<rect fill=\"#%.6s\"", color_hex(m->color, COLOR_LIGHT));
	else
		svg_printf(p->out, "<rect class=\"c%u\"", m->color);
	svg_printf(p->out,
		   " x=\"%.0f\" y=\"%d\" width=\"12\" height=\"12\"/>"
		   "<text%s x=\"%.0f\" y=\"%d\">",
		   x, y, p->in_page ? "" : " class=\"legend\"", x + 17, y + 10);
	make_meaning(p, m);
	write_text(p);
	output_add(p->out, SPAN("</text>"));
}

static void write_legend(struct picture *p)
{
	static size_t (*const mean[])(const struct picture *p, struct meaning *to) = {
		[COLOR_KIND] = mean_kinds,
		[COLOR_MODULE] = mean_modules,
		[COLOR_DIFF] = mean_changes,
	};
	struct meaning m[MEANINGS_MAX];
	double width, x;
	size_t nr;

	if (p->o->rgb || !mean[p->o->scheme])
		return;
	nr = fit_meanings(p, m, mean[p->o->scheme](p, m), &width);
	x = p->width - MARGIN - width;
	output_add(p->out,
		   p->in_page ? SPAN("<g font-family=\"sans-serif\">") : SPAN("<g id=\"legend\">"));
	for (size_t i = 0; i < nr; i++) {
		write_meaning(p, &m[i], x);
		x += m[i].width;
	}
	output_add(p->out, SPAN("</g>\n"));
}

/* How much there is, and what is not there. */
static void make_amount(struct picture *p)
{
	strbuf_reset(&p->text);
	add_amount(p, p->l->total, p->l->sum);
	strbuf_add(&p->text, span_of(p->o->missing ? p->o->missing : ""));
}

/* The line below the title: what was asked for, or how much there is. */
static void write_details(struct picture *p)
{
	output_add(p->out, SPAN("<text id=\"details\" x=\"10\" y=\"45\">"));
	if (p->o->subtitle) {
		svg_text(p->out, span_of(p->o->subtitle));
	} else {
		make_amount(p);
		write_text(p);
	}
	output_add(p->out, SPAN("</text>\n"));
}

static void write_head(struct picture *p)
{
	svg_printf(p->out,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\""
		   " viewBox=\"0 0 %.0f %.0f\">\n",
		   p->width, p->height, p->width, p->height);
	if (p->o->notes && *p->o->notes) {
		output_add(p->out, SPAN("<!--NOTES: "));
		svg_comment(p->out, span_of(p->o->notes));
		output_add(p->out, SPAN("-->\n"));
	}
	write_style(p);
	output_add(p->out, SPAN("<rect id=\"ground\" width=\"100%\" height=\"100%\"/>\n"));
}

/* What the script needs to know of the picture to go on with it. */
static void open_frames(struct picture *p)
{
	svg_printf(
		p->out,
		"<svg id=\"frames\" x=\"%d\" y=\"%d\" width=\"%.0f\" overflow=\"visible\" data-row=\"%d\""
		" data-base=\"12.5\" data-letter=\"%g\" data-top=\"0\" data-room=\"%d\"%s%s>\n",
		MARGIN, ABOVE, frames_width(p->o), ROW, LETTER, ABOVE + BELOW,
		p->o->root_on_top ? "" : " data-up=\"1\"", p->o->width ? "" : " data-fluid=\"1\"");
}

static void set_size(struct picture *p)
{
	p->width = frames_width(p->o) + 2 * MARGIN;
	p->height = (double)(p->l->depth + 1) * ROW + ABOVE + BELOW;
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
		write_box(&p, &l->box[i]);
	/* Behind the frames, so that it covers them where a tall picture is scrolled. */
	output_add(out, SPAN("</svg>\n<g id=\"head\"><text id=\"title\" x=\"10\" y=\"24\">"));
	svg_text(out, span_of(o->title));
	output_add(out, SPAN("</text>\n"));
	write_legend(&p);
	write_details(&p);
	output_add(out, SPAN("</g>\n"));
	strbuf_release(&p.text);
}

static double width_of(const struct picture *p, const struct box *b)
{
	return (double)(b->end - b->begin) * p->scale;
}

/* About how many bytes a box takes, rather more than less. */
static size_t size_of_box(const struct picture *p, const struct box *b)
{
	enum { MARKUP = 135, LABEL_MARKUP = 45, COMPARED = 90 };
	struct span name = name_of(p, b);
	double letters = width_of(p, b) / LETTER;
	size_t title = p->short_titles ? TITLE_LETTERS : TITLE_MAX;
	size_t size =
		MARKUP + (p->o->is_diff ? COMPARED : 0) + svg_text_size(span_upto(name, title));

	if (letters >= 3)
		size += LABEL_MARKUP + svg_text_size(span_upto(name, (size_t)letters));
	return size;
}

static bool is_in_element(const struct picture *p, const struct box *b, double least)
{
	return b->label != LAYOUT_MORE && width_of(p, b) >= least;
}

/* How large the boxes are, as markup, that are at least so many pixels wide. */
static size_t size_of_boxes(const struct picture *p, double least)
{
	size_t size = 0;

	for (size_t i = 0; i < p->l->nr; i++)
		if (is_in_element(p, &p->l->box[i], least))
			size += size_of_box(p, &p->l->box[i]);
	return size;
}

/* The narrowest box, in pixels, with which the picture keeps to a size. */
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
	write_text(&p);
	output_add(out, SPAN("</p>\n"));
	svg_printf(
		out,
		"<svg viewBox=\"0 %d %.0f %.0f\" font-family=\"monospace\" font-size=\"12\" fill=\"#1a1a1a\">\n",
		-LEGEND_ROW, frames_width(o), (double)(l->depth + 1) * ROW + LEGEND_ROW);
	write_legend(&p);
	for (size_t i = 0; i < l->nr; i++) {
		if (is_in_element(&p, &l->box[i], least))
			write_box(&p, &l->box[i]);
		else
			all = false;
	}
	output_add(out, SPAN("</svg>"));
	strbuf_release(&p.text);
	return all ? 0 : least / frames_width(o);
}
