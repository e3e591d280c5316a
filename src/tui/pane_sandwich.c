#include "tui/panes.h"

static struct sandwich *sandwich(struct viewer *v)
{
	return &v->sandwich;
}

/*
 * Callers get as many rows as they need, at most half of the area.  Their side does not show the
 * root and the function, so these take no rows.
 */
static void split(const struct viewer *v, const struct area *a, struct area part[2])
{
	const struct sandwich *s = &v->sandwich;
	int callers = (int)s->graph[AROUND_CALLERS].nr_row - 2;

	if (callers > a->height / 2)
		callers = a->height / 2;
	part[AROUND_CALLERS] = (struct area){ a->x, a->y, a->width, callers };
	part[AROUND_CALLEES] = (struct area){ a->x, a->y + callers, a->width, a->height - callers };
}

/* Scrolls to the selected box, and makes it the selected function of all panes. */
static void show(struct viewer *v)
{
	struct area part[2];

	split(v, &v->area, part);
	icicle_show(sandwich_icicle(sandwich(v)), part[v->sandwich.side].height);
	v->function =
		graph_box(sandwich_icicle(sandwich(v))->g, sandwich_icicle(sandwich(v))->selected)
			->label;
}

static bool is_empty(const struct viewer *v)
{
	return v->sandwich.label == LAYOUT_ALL;
}

static void enter(struct viewer *v)
{
	sandwich_fill(sandwich(v), v->m, v->function);
}

/*
 * Moves a step towards the callers or the callees; from the function itself, to the other side if
 * needed.
 */
static void step_rows(struct sandwich *s, enum around to)
{
	struct icicle *c = sandwich_icicle(s);

	if (s->side != to && c->selected == sandwich_middle(s, s->side)) {
		s->side = to;
		c = sandwich_icicle(s);
		c->selected = sandwich_middle(s, to);
	}
	icicle_step(c, s->side == to ? ICICLE_CALLEE : ICICLE_CALLER);
	/* The function is drawn once, as the first row of the callees' side. */
	if (s->side == AROUND_CALLERS && c->selected == sandwich_middle(s, AROUND_CALLERS)) {
		s->side = AROUND_CALLEES;
		s->icicle[AROUND_CALLEES].selected = sandwich_middle(s, AROUND_CALLEES);
	}
}

static void move(struct viewer *v, enum move m)
{
	struct sandwich *s = sandwich(v);

	if (is_empty(v))
		return;
	switch (m) {
	case MOVE_UP:
		step_rows(s, AROUND_CALLERS);
		break;
	case MOVE_DOWN:
		step_rows(s, AROUND_CALLEES);
		break;
	case MOVE_LEFT:
		icicle_step(sandwich_icicle(s), ICICLE_LEFT);
		break;
	case MOVE_RIGHT:
		icicle_step(sandwich_icicle(s), ICICLE_RIGHT);
		break;
	case MOVE_HOME:
		s->side = AROUND_CALLEES;
		s->icicle[s->side].selected = sandwich_middle(s, s->side);
		break;
	case MOVE_PAGE_UP:
	case MOVE_PAGE_DOWN:
	case MOVE_END:
		break;
	}
	show(v);
}

/* Makes the selected function the one in the middle. */
static enum viewer_ask open(struct viewer *v)
{
	if (!is_empty(v))
		sandwich_fill(sandwich(v), v->m, v->function);
	return ASK_NOTHING;
}

static bool click(struct viewer *v, int x, int y)
{
	struct area part[2];

	if (is_empty(v))
		return false;
	split(v, &v->area, part);
	for (int i = 0; i < 2; i++) {
		uint32_t box = icicle_at(&v->sandwich.icicle[i], &part[i], x, y);

		if (box == GRAPH_NONE)
			continue;
		v->sandwich.side = (enum around)i;
		v->sandwich.icicle[i].selected = box;
		show(v);
		return true;
	}
	return false;
}

static void scroll(struct viewer *v, int rows)
{
	struct area part[2];

	if (is_empty(v))
		return;
	split(v, &v->area, part);
	icicle_scroll(sandwich_icicle(sandwich(v)),
		      v->sandwich.side == AROUND_CALLERS ? -rows : rows,
		      part[v->sandwich.side].height);
}

static bool draw(struct viewer *v, const struct area *a, struct screen *s)
{
	struct area part[2];

	if (is_empty(v))
		return false;
	split(v, a, part);
	for (int i = 0; i < 2; i++) {
		struct icicle *c = &v->sandwich.icicle[i];

		c->passive = i != (int)v->sandwich.side;
		icicle_scroll(c, 0, part[i].height);
		icicle_draw(c, &v->theme, &part[i], s);
	}
	return true;
}

const struct pane_ops pane_sandwich = {
	.name = "Sandwich",
	.hints = "↑ callers ↓ callees ←→ move · Enter focus",
	.enter = enter,
	.move = move,
	.open = open,
	.click = click,
	.scroll = scroll,
	.draw = draw,
};
