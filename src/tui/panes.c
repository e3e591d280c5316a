#include "tui/panes.h"

#include "render/number.h"

const struct pane_ops *pane_ops(enum pane p)
{
	static const struct pane_ops *const panes[] = {
		[PANE_FLAME] = &pane_flame,	  [PANE_TABLE] = &pane_table,
		[PANE_SANDWICH] = &pane_sandwich, [PANE_SOURCE] = &pane_source,
		[PANE_THREADS] = &pane_threads,
	};

	return panes[p];
}

void pane_show(struct viewer *v, enum pane p)
{
	v->pane = p;
	if (pane_ops(p)->enter)
		pane_ops(p)->enter(v);
}

/* Rows */

static bool list_step(struct list *l, enum move m, int height)
{
	long page = height > 1 ? height - 1 : 1;

	switch (m) {
	case MOVE_UP:
		list_move(l, -1);
		return true;
	case MOVE_DOWN:
		list_move(l, 1);
		return true;
	case MOVE_PAGE_UP:
		list_move(l, -page);
		return true;
	case MOVE_PAGE_DOWN:
		list_move(l, page);
		return true;
	case MOVE_HOME:
		l->selected = 0;
		return true;
	case MOVE_END:
		l->selected = l->nr ? l->nr - 1 : 0;
		return true;
	case MOVE_LEFT:
	case MOVE_RIGHT:
		break;
	}
	return false;
}

/* The list of the current pane; NULL: it has none. */
static struct list *rows_of(struct viewer *v)
{
	const struct rows_ops *rows = pane_ops(v->pane)->rows;

	return rows ? rows->list(v) : NULL;
}

static void call_chosen(struct viewer *v)
{
	const struct rows_ops *rows = pane_ops(v->pane)->rows;

	if (rows->chosen)
		rows->chosen(v);
}

void pane_move(struct viewer *v, enum move m)
{
	const struct pane_ops *p = pane_ops(v->pane);
	struct list *l = rows_of(v);

	if (l && list_step(l, m, v->area.height - p->rows->head(&v->area)))
		call_chosen(v);
	else if (p->move)
		p->move(v, m);
}

bool pane_click(struct viewer *v, int x, int y)
{
	const struct pane_ops *p = pane_ops(v->pane);
	struct list *l = rows_of(v);
	int line = l ? y - v->area.y - p->rows->head(&v->area) : 0;

	if (p->click && p->click(v, x, y))
		return true;
	if (!l || line < 0 || line >= v->area.height - p->rows->head(&v->area) ||
	    l->top + (size_t)line >= l->nr)
		return false;
	l->selected = l->top + (size_t)line;
	call_chosen(v);
	return true;
}

void pane_scroll(struct viewer *v, int by)
{
	const struct pane_ops *p = pane_ops(v->pane);
	struct list *l = rows_of(v);

	if (l) {
		list_move(l, by);
		call_chosen(v);
	} else if (p->scroll) {
		p->scroll(v, by);
	}
}

static void draw_rows(struct viewer *v, struct list *l, const struct area *a, struct screen *s)
{
	const struct rows_ops *rows = pane_ops(v->pane)->rows;
	struct area line = { .x = a->x, .y = a->y + rows->head(a), .width = a->width, .height = 1 };

	list_show(l, a->height - rows->head(a));
	rows->draw_head(v, a, s);
	for (size_t i = l->top; i < l->nr && line.y < a->y + a->height; i++, line.y++) {
		struct ink ink = INK_PLAIN;

		if (i == l->selected) {
			ink.style = INK_REVERSE;
			screen_fill(s, line.x, line.y, line.width, ink);
		}
		rows->draw_row(v, i, &line, ink, s);
	}
}

void pane_draw(struct viewer *v, const struct area *a, struct screen *s)
{
	const struct pane_ops *p = pane_ops(v->pane);
	struct list *l = rows_of(v);

	if (l)
		draw_rows(v, l, a, s);
	else if (!p->draw || !p->draw(v, a, s))
		screen_put(s, a->x + 1, a->y + 1, a->width - 2,
			   SPAN("Select a function in the flame graph (1) or the table (2) first."),
			   INK_PLAIN);
}

/* Parts of rows */

int head_of_one(const struct area *a)
{
	(void)a;
	return 1;
}

void put_head(struct screen *s, const struct area *a, int y)
{
	screen_fill(s, a->x, y, a->width, INK_HEAD);
}

void put_share(struct screen *s, int x, int y, weight_sum part, weight_sum all, struct ink ink)
{
	enum { WIDTH = 8 };
	struct strbuf text = { 0 };
	int width;

	number_add_share(&text, all > 0 ? (double)part / (double)all : 0);
	width = (int)glyph_width(strbuf_peek(&text));
	screen_put(s, x + (width < WIDTH ? WIDTH - width : 0), y, WIDTH, strbuf_peek(&text), ink);
	strbuf_release(&text);
}

struct ink mark_ink(const struct theme *l, unsigned color, struct ink row)
{
	bool turned = row.style & INK_REVERSE;
	uint32_t tint;

	if (l->depth == TINT_NONE)
		return row;
	tint = theme_mark(l, color, turned);
	/* In reverse, the terminal swaps the two colors. */
	return (struct ink){ turned ? INK_DEFAULT : tint, turned ? tint : INK_DEFAULT,
			     row.style & INK_REVERSE };
}

void put_bar(struct screen *s, int x, int y, int width, double share, struct ink ink)
{
	int eighths = (int)(share * width * 8 + 0.5);
	bool whole = s->can.depth == TINT_NONE || !s->can.utf8; /* only full cells can be drawn */

	if (whole)
		eighths = (eighths + 4) / 8 * 8;
	for (int i = 0; i < eighths / 8; i++)
		screen_put(s, x + i, y, 1, SPAN("█"), ink);
	if (eighths % 8)
		screen_block(s, x + eighths / 8, y, (unsigned)eighths % 8, ink);
}
