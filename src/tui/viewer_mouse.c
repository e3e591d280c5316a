/* The mouse: clicks, drags and the wheel. */
#include "tui/panes.h"

enum { WHEEL_ROWS = 3 };

static enum viewer_ask press(struct viewer *v, const struct key *k)
{
	bool again = v->click_x == k->x && v->click_y == k->y;

	v->click_x = -1;
	if (k->y == 0) {
		for (int i = 0; i < NR_PANES; i++)
			if (k->x >= v->tab[i] && k->x < v->tab[i + 1])
				pane_show(v, (enum pane)i);
		return ASK_NOTHING;
	}
	if (!pane_click(v, k->x, k->y))
		return ASK_NOTHING;
	/* A second click on the same cell is a double click, however late it comes. */
	if (again)
		return pane_ops(v->pane)->open(v);
	v->click_x = k->x;
	v->click_y = k->y;
	return ASK_NOTHING;
}

static void release(struct viewer *v, const struct key *k)
{
	const struct pane_ops *p = pane_ops(v->pane);

	if (v->click_x < 0 || (v->click_x == k->x && v->click_y == k->y))
		return;
	if (p->drag)
		p->drag(v, k->x, k->y);
	v->click_x = -1;
}

enum viewer_ask viewer_mouse(struct viewer *v, const struct key *k)
{
	switch (k->mouse) {
	case MOUSE_PRESS:
		return press(v, k);
	case MOUSE_WHEEL_UP:
		pane_scroll(v, -WHEEL_ROWS);
		break;
	case MOUSE_WHEEL_DOWN:
		pane_scroll(v, WHEEL_ROWS);
		break;
	case MOUSE_RELEASE:
		release(v, k);
		break;
	case MOUSE_OTHER:
		break;
	}
	return ASK_NOTHING;
}
