/* The table of functions, by self or total. */
#include "render/shorten.h"
#include "tui/panes.h"

/* Positions and widths of columns, in cells. */
enum {
	SELF = 0,
	TOTAL = 9,
	BAR = 18,
	BAR_WIDTH = 12,
	NAME = 32,
	MODULE_LEAST = 20,
	MODULE_MOST = 40
};

static struct list *list(struct viewer *v)
{
	return &v->table;
}

/* Makes the selected row's function the selected one of all panes. */
static void choose(struct viewer *v)
{
	if (v->table.selected < v->m->nr_top)
		viewer_choose(v, v->m->top[v->table.selected].label);
}

/* Sorts by a column; the function stays selected. */
static void sort_by(struct viewer *v, enum model_order order)
{
	v->table_order = order;
	model_sort(v->m, order);
	viewer_choose(v, v->function);
}

static void sort(struct viewer *v)
{
	sort_by(v, v->table_order == MODEL_BY_SELF ? MODEL_BY_TOTAL : MODEL_BY_SELF);
}

static void move(struct viewer *v, enum move m)
{
	sort_by(v, m == MOVE_LEFT ? MODEL_BY_SELF : MODEL_BY_TOTAL);
}

static enum viewer_ask open(struct viewer *v)
{
	choose(v);
	pane_show(v, PANE_FLAME);
	return pane_flame.open(v);
}

/*
 * Shows the selected function; if it has no row (LAYOUT_ALL), selects the function of the current
 * row.
 */
static void enter(struct viewer *v)
{
	viewer_choose(v, v->function);
	if (model_row(v->m, v->function) == v->m->nr_top)
		choose(v);
}

/* The width of the column of modules; 0: there is no room for it. */
static int module_width(const struct area *a)
{
	int width = a->width / 5;

	if (a->width <= NAME + 2 * MODULE_LEAST)
		return 0;
	return width < MODULE_LEAST ? MODULE_LEAST : width > MODULE_MOST ? MODULE_MOST : width;
}

static void draw_head(struct viewer *v, const struct area *a, struct screen *s)
{
	bool total = v->table_order == MODEL_BY_TOTAL;
	int modules = module_width(a);

	put_head(s, a, a->y);
	screen_put(s, a->x + SELF + 2, a->y, 6, total ? SPAN("  self") : SPAN("▼ self"), INK_HEAD);
	screen_put(s, a->x + TOTAL + 1, a->y, 7, total ? SPAN("▼ total") : SPAN("  total"),
		   INK_HEAD);
	screen_put(s, a->x + NAME, a->y, a->width - NAME, SPAN("function"), INK_HEAD);
	if (modules)
		screen_put(s, a->x + a->width - modules, a->y, modules, SPAN("module"), INK_HEAD);
}

static weight_sum sorted_by(const struct viewer *v, size_t row)
{
	const struct top_row *t = &v->m->top[row];

	return v->table_order == MODEL_BY_TOTAL ? t->total : t->self;
}

static void put_name(struct screen *s, int x, int y, int width, struct span name, struct ink ink)
{
	struct strbuf text = { 0 };

	if (width > 0) {
		shorten(&text, name, (size_t)width);
		screen_put(s, x, y, width, strbuf_peek(&text), ink);
	}
	strbuf_release(&text);
}

/* Bars are relative to the first row, whose bar has the full width. */
static void draw_row(struct viewer *v, size_t row, const struct area *a, struct ink ink,
		     struct screen *s)
{
	const struct top_row *t = &v->m->top[row];
	weight_sum all = model_total(v->m), most = sorted_by(v, 0);
	int modules = module_width(a);

	if (v->hit)
		ink.style |= v->hit[t->label] ? INK_BOLD : INK_DIM;
	put_share(s, a->x + SELF, a->y, t->self, all, ink);
	put_share(s, a->x + TOTAL, a->y, t->total, all, ink);
	put_bar(s, a->x + BAR, a->y, BAR_WIDTH,
		most > 0 ? (double)sorted_by(v, row) / (double)most : 0,
		mark_ink(&v->theme, v->m->color[t->label], ink));
	put_name(s, a->x + NAME, a->y, a->width - NAME - (modules ? modules + 1 : 0),
		 labels_peek(v->theme.labels, t->label), ink);
	put_name(s, a->x + a->width - modules, a->y, modules, model_module(v->m, t->label), ink);
}

static const struct rows_ops rows = {
	.list = list,
	.head = head_of_one,
	.chosen = choose,
	.draw_head = draw_head,
	.draw_row = draw_row,
};

const struct pane_ops pane_table = {
	.name = "Table",
	.hints =
		"↑↓ rows · ←→ sort by self, total · Enter show in flame graph · / search · d t K filter by module, thread, kernel",
	.rows = &rows,
	.enter = enter,
	.move = move,
	.open = open,
	.sort = sort,
	.next = viewer_find_next,
};
