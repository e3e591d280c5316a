#include "tui/panes.h"

static void select_box(struct viewer *v, uint32_t box)
{
	v->flame.selected = box;
	v->function = graph_box(v->flame.g, box)->label;
}

/* Up moves to the caller if the root is at the top, else to the callee. */
static void move(struct viewer *v, enum move m)
{
	struct icicle *f = &v->flame;
	int page = v->area.height > 1 ? v->area.height - 1 : 1;

	switch (m) {
	case MOVE_UP:
		icicle_step(f, f->upward ? ICICLE_CALLEE : ICICLE_CALLER);
		break;
	case MOVE_DOWN:
		icicle_step(f, f->upward ? ICICLE_CALLER : ICICLE_CALLEE);
		break;
	case MOVE_LEFT:
		icicle_step(f, ICICLE_LEFT);
		break;
	case MOVE_RIGHT:
		icicle_step(f, ICICLE_RIGHT);
		break;
	case MOVE_PAGE_UP:
		icicle_scroll(f, f->upward ? page : -page, v->area.height);
		return;
	case MOVE_PAGE_DOWN:
		icicle_scroll(f, f->upward ? -page : page, v->area.height);
		return;
	case MOVE_HOME:
		f->selected = f->zoom;
		break;
	case MOVE_END:
		/* Follows the widest callees down to a leaf. */
		for (uint32_t c; (c = graph_callee(f->g, f->selected)) != GRAPH_NONE;)
			f->selected = c;
		break;
	}
	icicle_show(f, v->area.height);
	select_box(v, f->selected);
}

static enum viewer_ask open(struct viewer *v)
{
	icicle_zoom(&v->flame, v->flame.selected);
	icicle_show(&v->flame, v->area.height);
	return ASK_NOTHING;
}

static bool back(struct viewer *v)
{
	bool was = icicle_back(&v->flame);

	icicle_show(&v->flame, v->area.height);
	return was;
}

static bool click(struct viewer *v, int x, int y)
{
	uint32_t box = icicle_at(&v->flame, &v->area, x, y);

	if (box == GRAPH_NONE)
		return false;
	select_box(v, box);
	return true;
}

static void scroll(struct viewer *v, int rows)
{
	icicle_scroll(&v->flame, v->flame.upward ? -rows : rows, v->area.height);
}

static void enter(struct viewer *v)
{
	viewer_choose(v, v->function);
	icicle_show(&v->flame, v->area.height);
}

static void next(struct viewer *v, int step)
{
	viewer_find_next(v, step);
	icicle_show(&v->flame, v->area.height);
}

/* Siblings by name or by width; the selected box stays selected. */
static void sort(struct viewer *v)
{
	enum model_beside *b = &v->beside[v->direction];

	*b = *b == MODEL_BY_NAME ? MODEL_BY_WIDTH : MODEL_BY_NAME;
	icicle_carry(&v->flame, viewer_graph(v, v->m), v->theme.labels, v->theme.labels);
	viewer_say(v, *b == MODEL_BY_NAME ? SPAN("sorted by name") : SPAN("sorted by width"));
}

static bool draw(struct viewer *v, const struct area *a, struct screen *s)
{
	icicle_scroll(&v->flame, 0, a->height);
	icicle_draw(&v->flame, &v->theme, a, s);
	return true;
}

const struct pane_ops pane_flame = {
	.name = "Flame",
	.hints = "←↓↑→ move · Enter zoom · Esc back · / search · i flip · r reverse",
	.enter = enter,
	.move = move,
	.open = open,
	.back = back,
	.click = click,
	.scroll = scroll,
	.sort = sort,
	.next = next,
	.draw = draw,
};
