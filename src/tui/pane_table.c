/* The functions by what they cost. */
#include "render/shorten.h"
#include "tui/panes.h"

enum { SELF = 0, TOTAL = 9, BAR = 18, BAR_WIDTH = 12, NAME = 32, MODULE_WIDTH = 20 };

static void choose(struct viewer *v)
{
	if (v->table.selected < v->m->nr_top)
		viewer_choose(v, v->m->top[v->table.selected].label);
}

static int rows(const struct viewer *v)
{
	return v->area.height - 1;
}

/* The column that rows are sorted by; the function stays selected. */
static void sort_by(struct viewer *v, enum model_order order)
{
	v->table_order = order;
	model_sort(v->m, order);
	viewer_choose(v, v->function);
}

static void move(struct viewer *v, enum move m)
{
	if (m == MOVE_LEFT || m == MOVE_RIGHT) {
		sort_by(v, m == MOVE_LEFT ? MODEL_BY_SELF : MODEL_BY_TOTAL);
		return;
	}
	list_step(&v->table, m, rows(v));
	choose(v);
}

static void sort(struct viewer *v)
{
	sort_by(v, v->table_order == MODEL_BY_SELF ? MODEL_BY_TOTAL : MODEL_BY_SELF);
}

static enum viewer_ask open(struct viewer *v)
{
	choose(v);
	v->pane = PANE_FLAME;
	pane_flame.enter(v);
	return pane_flame.open(v);
}

static bool click(struct viewer *v, int x, int y)
{
	size_t row = v->table.top + (size_t)(y - v->area.y - 1);

	(void)x;
	if (y <= v->area.y || row >= v->m->nr_top)
		return false;
	v->table.selected = row;
	choose(v);
	return true;
}

static void scroll(struct viewer *v, int by)
{
	list_move(&v->table, by);
	choose(v);
}

static void enter(struct viewer *v)
{
	viewer_choose(v, v->function);
}

static void draw_head(const struct viewer *v, const struct area *a, struct screen *s)
{
	struct ink ink = { INK_DEFAULT, INK_DEFAULT, INK_BOLD | INK_UNDERLINE };
	bool total = v->table_order == MODEL_BY_TOTAL;

	screen_fill(s, a->x, a->y, a->width, ink);
	screen_put(s, a->x + SELF + 2, a->y, 6, total ? SPAN("  self") : SPAN("▼ self"), ink);
	screen_put(s, a->x + TOTAL + 1, a->y, 7, total ? SPAN("▼ total") : SPAN("  total"), ink);
	screen_put(s, a->x + NAME, a->y, a->width - NAME, SPAN("function"), ink);
	if (a->width > NAME + 2 * MODULE_WIDTH)
		screen_put(s, a->x + a->width - MODULE_WIDTH, a->y, MODULE_WIDTH, SPAN("module"),
			   ink);
}

static void draw_row(struct viewer *v, const struct area *a, int y, size_t row, struct screen *s)
{
	const struct top_row *t = &v->m->top[row];
	weight_sum all = model_total(v->m);
	struct ink ink = INK_PLAIN, bar = INK_PLAIN;
	bool wide = a->width > NAME + 2 * MODULE_WIDTH;
	int room = a->width - NAME - (wide ? MODULE_WIDTH + 1 : 0);
	struct strbuf name = { 0 };

	if (row == v->table.selected)
		ink.style |= INK_REVERSE;
	if (v->hit)
		ink.style |= v->hit[t->label] ? INK_BOLD : INK_DIM;
	screen_fill(s, a->x, y, a->width, ink);
	put_share(s, a->x + SELF, y, t->self, all, ink);
	put_share(s, a->x + TOTAL, y, t->total, all, ink);
	if (v->look.depth != TINT_NONE)
		bar.fg = tint_of_hex(color_hex(v->m->color[t->label], v->look.ground));
	put_bar(s, a->x + BAR, y, BAR_WIDTH,
		all > 0 ? (double)(v->table_order == MODEL_BY_TOTAL ? t->total : t->self) /
				  (double)all
			: 0,
		bar);
	shorten(&name, labels_peek(v->look.labels, t->label), room > 0 ? (size_t)room : 0);
	screen_put(s, a->x + NAME, y, room, strbuf_peek(&name), ink);
	if (wide)
		screen_put(s, a->x + a->width - MODULE_WIDTH, y, MODULE_WIDTH,
			   model_module(v->m, t->label), ink);
	strbuf_release(&name);
}

static void draw(struct viewer *v, const struct area *a, struct screen *s)
{
	list_show(&v->table, a->height - 1);
	draw_head(v, a, s);
	for (int i = 0; i + 1 < a->height && v->table.top + (size_t)i < v->m->nr_top; i++)
		draw_row(v, a, a->y + 1 + i, v->table.top + (size_t)i, s);
}

const struct pane_ops pane_table = {
	.name = "Table",
	.hints = "↑↓ rows ←→ sort by self, total · Enter in the flame graph · / search",
	.enter = enter,
	.move = move,
	.open = open,
	.click = click,
	.scroll = scroll,
	.sort = sort,
	.next = viewer_find_next,
	.draw = draw,
};
