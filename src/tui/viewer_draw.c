/* Everything around the pane: tabs and title above it, status and keys below it. */
#include "base/alloc.h"
#include "render/number.h"
#include "tui/panes.h"

enum {
	STATUS_ROWS = 2,
	SMALL = 9, /* on a screen with fewer rows, there is no status */
};

#define BOLD   ((struct ink){ INK_DEFAULT, INK_DEFAULT, INK_BOLD })
#define DIM    ((struct ink){ INK_DEFAULT, INK_DEFAULT, INK_DIM })
#define TURNED ((struct ink){ INK_DEFAULT, INK_DEFAULT, INK_REVERSE })

static void add_name(struct strbuf *out, const struct viewer *v, int pane, bool all)
{
	strbuf_addf(out, " %d ", pane + 1);
	if (all || pane == (int)v->pane)
		strbuf_addf(out, "%s ", pane_ops((enum pane)pane)->name);
}

/* Draws the names of all panes, or only that of the current one; returns their end. */
static int draw_names(struct viewer *v, struct screen *s, bool all)
{
	struct strbuf text = { 0 };
	int x = 0;

	for (int i = 0; i < NR_PANES; i++) {
		strbuf_reset(&text);
		add_name(&text, v, i, all);
		v->tab[i] = x;
		x += screen_put(s, x, 0, s->width - x, strbuf_peek(&text),
				i == (int)v->pane ? TURNED : INK_PLAIN);
	}
	v->tab[NR_PANES] = x;
	strbuf_release(&text);
	return x;
}

/* The name of the profile, the filters, and the remaining weight. */
static void add_title(struct strbuf *out, const struct viewer *v)
{
	strbuf_add(out, strbuf_peek(&v->title));
	if (v->narrow.nr) {
		strbuf_add(out, SPAN(" · "));
		narrow_add_text(&v->narrow, out);
	}
	strbuf_add(out, SPAN(" · "));
	model_add_weight(v->m, out, model_total(v->m));
	strbuf_addch(out, ' ');
}

/* If the title needs the room, only the current pane has its name, the others a number. */
static void draw_tabs(struct viewer *v, struct screen *s)
{
	struct strbuf text = { 0 }, names = { 0 };
	int x, width;

	for (int i = 0; i < NR_PANES; i++)
		add_name(&names, v, i, true);
	add_title(&text, v);
	width = (int)glyph_width(strbuf_peek(&text));
	x = draw_names(v, s, (int)names.size + 1 + width <= s->width) + 1;
	if (width < s->width - x)
		x = s->width - width;
	screen_put(s, x, 0, s->width - x, strbuf_peek(&text), DIM);
	strbuf_release(&text);
	strbuf_release(&names);
}

static void add_share(struct strbuf *out, weight_sum part, weight_sum all, const char *of)
{
	if (out->size)
		strbuf_add(out, SPAN(" · "));
	number_add_share(out, all > 0 ? (double)part / (double)all : 0);
	strbuf_addf(out, " %s", of);
}

/* Of a comparison: the change of the box's share. */
static void add_change(const struct graph *g, const struct box *b, struct strbuf *out)
{
	const struct layout *l = &g->layout;
	double before = l->sum[0] > 0 ? (double)b->sum[0] / (double)l->sum[0] : 0;
	double after = l->sum[1] > 0 ? (double)b->sum[1] / (double)l->sum[1] : 0;

	strbuf_add(out, SPAN(" · "));
	number_add_change(out, after - before);
}

/* The icicle that has the selected box; NULL: the pane has no boxes. */
static const struct icicle *where(const struct viewer *v)
{
	if (v->pane == PANE_FLAME)
		return &v->flame;
	if (v->pane == PANE_SANDWICH && v->sandwich.label != LAYOUT_ALL)
		return &v->sandwich.icicle[v->sandwich.side];
	return NULL;
}

/* "1,234 samples · 12.3 % of all · 45 % of the zoom · 3 % self" */
static void add_numbers(const struct viewer *v, const struct icicle *f, struct strbuf *out)
{
	const struct box *b = graph_box(f->g, f->selected), *zoom = graph_box(f->g, f->zoom);
	size_t row = model_row(v->m, b->label);
	weight_sum all = model_total(v->m);

	model_add_weight(v->m, out, b->end - b->begin);
	add_share(out, b->end - b->begin, all, "of total");
	if (f->zoom != graph_root(f->g))
		add_share(out, b->end - b->begin, zoom->end - zoom->begin,
			  f == &v->flame ? "of the zoom" : "of the function");
	if (f == &v->flame && v->direction == MODEL_FORWARD)
		add_share(out, b->self, all, "self");
	if (v->m->o.nr_column == 2)
		add_change(f->g, b, out);
	if (f->g->state && b->node)
		strbuf_addf(out, " · mostly %s", color_state_name(f->g->state[b->node]));
	if (row < v->m->nr_top && v->m->top[row].total != b->end - b->begin)
		add_share(out, v->m->top[row].total, all, "everywhere");
}

static void add_function_numbers(const struct viewer *v, struct strbuf *out)
{
	size_t row = model_row(v->m, v->function);
	weight_sum all = model_total(v->m);

	if (row == v->m->nr_top) {
		model_add_weight(v->m, out, all);
		return;
	}
	model_add_weight(v->m, out, v->m->top[row].total);
	add_share(out, v->m->top[row].total, all, "of total");
	add_share(out, v->m->top[row].self, all, "self");
}

/*
 * The legend of the colors of states, at the right end of a row, as far as there is room from x on.
 */
static void draw_legend(const struct viewer *v, struct screen *s, int x, int y)
{
	struct strbuf text = { 0 };
	int end = s->width - 1;

	if (v->theme.depth == TINT_NONE)
		return;
	for (unsigned i = NR_COLOR_STATES; i-- > 0;) {
		struct ink ink = theme_state(&v->theme, i);
		int width;

		if (!v->m->is_state[i])
			continue;
		strbuf_reset(&text);
		strbuf_addf(&text, " %s ", color_state_name(i));
		width = (int)text.size;
		if (end - width < x)
			break;
		end -= width + 1;
		screen_put(s, end + 1, y, width, strbuf_peek(&text), ink);
	}
	strbuf_release(&text);
}

static void draw_status(const struct viewer *v, struct screen *s)
{
	struct span module = model_module(v->m, v->function);
	struct strbuf text = { 0 };
	int y = s->height - 1 - STATUS_ROWS, x;

	x = screen_put(s, 1, y, s->width - 2, theme_name(&v->theme, v->function), BOLD);
	if (module.size && x + 4 < s->width) {
		strbuf_addf(&text, "  %.*s", (int)module.size, module.at);
		x += screen_put(s, 1 + x, y, s->width - 2 - x, strbuf_peek(&text), DIM);
		strbuf_reset(&text);
	}
	if (v->m->has_states && v->pane == PANE_FLAME)
		draw_legend(v, s, x + 3, y);
	if (where(v))
		add_numbers(v, where(v), &text);
	else
		add_function_numbers(v, &text);
	if (v->hit) {
		strbuf_add(&text, text.size ? SPAN("   ") : SPAN(""));
		strbuf_addf(&text, "/%.*s/: ", (int)v->sought.size, v->sought.at);
		if (v->found > 0)
			number_add_share(&text, v->found / (double)model_total(v->m));
		else
			strbuf_add(&text, SPAN("no match"));
	}
	screen_put(s, 1, y + 1, s->width - 2, strbuf_peek(&text), INK_PLAIN);
	strbuf_release(&text);
}

static void draw_prompt(const struct viewer *v, struct screen *s)
{
	static const char *const prompts[] = {
		[PROMPT_SEARCH] = "/",
		[PROMPT_WRITE] = "Write to file (.svg, .html, .wick, .folded): "
	};
	int y = s->height - 1;
	int x = screen_put(s, 0, y, s->width, span_of(prompts[v->prompt]), BOLD);

	x += screen_put(s, x, y, s->width - x - 1, strbuf_peek(&v->line), INK_PLAIN);
	s->cursor_x = x;
	s->cursor_y = y;
	/* The error of the pattern that is being typed. */
	if (v->message.size)
		screen_put(s, x + 2, y, s->width - x - 3, strbuf_peek(&v->message), DIM);
}

/* As many whole hints as there is room for. */
static void put_hints(struct screen *s, int y, struct span hints)
{
	size_t shown = 0;

	for (size_t end; shown < hints.size; shown = end) {
		struct span rest = span_from(hints, shown ? shown + strlen(" · ") : 0);

		end = (size_t)(rest.at - hints.at) + span_find_text(rest, " · ");
		if (glyph_width(span_upto(hints, end)) > (size_t)(s->width > 2 ? s->width - 2 : 0))
			break;
	}
	screen_put(s, 1, y, s->width - 2, span_upto(hints, shown), DIM);
}

static void draw_last(const struct viewer *v, struct screen *s)
{
	struct strbuf text = { 0 };

	if (v->prompt != PROMPT_NONE) {
		draw_prompt(v, s);
		return;
	}
	if (v->message.size) {
		screen_put(s, 1, s->height - 1, s->width - 2, strbuf_peek(&v->message), BOLD);
		return;
	}
	strbuf_addf(&text, "q quit · ? help · Tab panes · %s", pane_ops(v->pane)->hints);
	put_hints(s, s->height - 1, strbuf_peek(&text));
	strbuf_release(&text);
}

void viewer_draw(struct viewer *v, struct screen *s)
{
	bool status = s->height >= SMALL;

	screen_clear(s);
	v->area = (struct area){ .y = 1,
				 .width = s->width,
				 .height = s->height - 2 - (status ? STATUS_ROWS : 0) };
	draw_tabs(v, s);
	if (v->area.height > 0)
		pane_draw(v, &v->area, s);
	if (status)
		draw_status(v, s);
	draw_last(v, s);
	if (v->help)
		viewer_draw_help(v, s);
}
