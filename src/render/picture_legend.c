/* The legend of wick's own picture, as far as there is room. */
#include "base/utf8.h"
#include "render/color_states.h"
#include "render/peer/svg_text.h"
#include "render/picture_parts.h"
#include "render/shorten.h"

#include <math.h>

/* The width of a letter in pixels; the fonts are proportional, so this is that of a wide letter. */
static const double TITLE_LETTER = 9.5, LEGEND_LETTER = 6.9;

/* An entry of the legend: a color and what it means. */
struct meaning {
	struct span text;
	unsigned color;
	double width; /* including the gap after them, in pixels */
};

enum { MEANINGS_MAX = NR_COLOR_STATES, MODULES_MAX = 8, MEANING_LETTERS = 20 };

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

/* Entries for the kernel, and for the modules with the largest areas. */
static size_t mean_modules(const struct picture *p, struct meaning *to)
{
	size_t nr = add_kind(p, COLOR_KERNEL, to);

	for (size_t i = 0; i < p->o->modules->nr && nr < MODULES_MAX; i++) {
		const struct color_module *m = &p->o->modules->list[i];
		unsigned first = COLOR_HUES + m->hue * COLOR_HUE_SHADES;

		if (is_shown(p, first, COLOR_HUE_SHADES))
			to[nr++] = (struct meaning){ .text = m->name, .color = first + 1 };
	}
	return nr;
}

static size_t mean_states(const struct picture *p, struct meaning *to)
{
	bool is_there[NR_COLOR_STATES] = { false };
	size_t nr = 0;

	for (size_t i = 0; i < p->l->nr; i++) {
		const struct box *b = &p->l->box[i];

		if (b->label < LAYOUT_MORE)
			is_there[b->node ? p->o->state[b->node]
					 : color_state_of(labels_peek(p->labels, b->label))] = true;
	}
	for (unsigned i = 0; i < NR_COLOR_STATES; i++)
		if (is_there[i])
			to[nr++] = (struct meaning){ .text = span_of(color_state_name(i)),
						     .color = color_of_state(i) };
	return nr;
}

static size_t mean_changes(const struct picture *p, struct meaning *to)
{
	struct span same = p->o->noise ? SPAN("not significant") : SPAN("same");

	to[0] = (struct meaning){ .text = SPAN("less"), .color = COLOR_SAME - 4 };
	to[1] = (struct meaning){ .text = same, .color = COLOR_SAME };
	to[2] = (struct meaning){ .text = SPAN("more"), .color = COLOR_SAME + 4 };
	return 3;
}

/* The shortened text, in p->text. */
static struct span make_meaning(struct picture *p, const struct meaning *m)
{
	strbuf_reset(&p->text);
	shorten(&p->text, m->text, MEANING_LETTERS);
	return strbuf_peek(&p->text);
}

/* An upper estimate of a text's width: characters outside of ASCII may be twice as wide. */
static double text_width(struct span s, double letter)
{
	double width = 0;

	for (size_t i = 0; i < s.size; i++)
		width += utf8_is_inside(s.at[i])	 ? 0
			 : (unsigned char)s.at[i] > 0x7f ? 2 * letter
							 : letter;
	return width;
}

/*
 * The number of entries that fit beside the title, in half of the line at most; sets their width.
 */
static size_t fit_meanings(struct picture *p, struct meaning *m, size_t nr, double *width)
{
	double left =
		p->width - 3 * PICTURE_MARGIN - text_width(span_of(p->o->title), TITLE_LETTER);

	*width = 0;
	for (size_t i = 0; i < nr; i++) {
		m[i].width = text_width(make_meaning(p, &m[i]), LEGEND_LETTER) + 28;
		if (*width + m[i].width > fmin(left, p->width / 2))
			return i;
		*width += m[i].width;
	}
	return nr;
}

/* In a page the legend is a row above the frames. */
static void write_meaning(struct picture *p, const struct meaning *m, double x)
{
	int y = p->in_page ? -PICTURE_LEGEND_ROW : 13;

	output_add(p->out, SPAN("<rect"));
	picture_write_color(p, m->color);
	svg_printf(p->out,
		   " x=\"%.0f\" y=\"%d\" width=\"12\" height=\"12\"/>"
		   "<text%s x=\"%.0f\" y=\"%d\">",
		   x, y, p->in_page ? "" : " class=\"legend\"", x + 17, y + 10);
	make_meaning(p, m);
	picture_write_text(p);
	output_add(p->out, SPAN("</text>"));
}

void picture_write_legend(struct picture *p)
{
	static size_t (*const mean[])(const struct picture *p, struct meaning *to) = {
		[COLOR_KIND] = mean_kinds,
		[COLOR_MODULE] = mean_modules,
		[COLOR_DIFF] = mean_changes,
		[COLOR_STATE] = mean_states,
	};
	struct meaning m[MEANINGS_MAX];
	double width, x;
	size_t nr;

	if (p->o->rgb || !mean[p->o->scheme])
		return;
	nr = fit_meanings(p, m, mean[p->o->scheme](p, m), &width);
	x = p->width - PICTURE_MARGIN - width;
	output_add(p->out,
		   p->in_page ? SPAN("<g font-family=\"sans-serif\">") : SPAN("<g id=\"legend\">"));
	for (size_t i = 0; i < nr; i++) {
		write_meaning(p, &m[i], x);
		x += m[i].width;
	}
	output_add(p->out, SPAN("</g>\n"));
}
