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

void list_step(struct list *l, enum move m, int height)
{
	long page = height > 1 ? height - 1 : 1;

	switch (m) {
	case MOVE_UP:
		list_move(l, -1);
		break;
	case MOVE_DOWN:
		list_move(l, 1);
		break;
	case MOVE_PAGE_UP:
		list_move(l, -page);
		break;
	case MOVE_PAGE_DOWN:
		list_move(l, page);
		break;
	case MOVE_HOME:
		l->selected = 0;
		break;
	case MOVE_END:
		l->selected = l->nr ? l->nr - 1 : 0;
		break;
	case MOVE_LEFT:
	case MOVE_RIGHT:
		break;
	}
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

void put_bar(struct screen *s, int x, int y, int width, double share, struct ink ink)
{
	int eighths = (int)(share * width * 8 + 0.5);
	struct ink full = ink;

	if (s->can.depth == TINT_NONE || !s->can.utf8) {
		for (int i = 0; i < (eighths + 4) / 8; i++)
			screen_put(s, x + i, y, 1, SPAN("█"),
				   (struct ink){ INK_DEFAULT, ink.bg, ink.style });
		return;
	}
	/* The color of a bar is that of the text, but for its end it is a ground. */
	full.bg = ink.fg;
	screen_fill(s, x, y, eighths / 8, full);
	if (eighths % 8)
		screen_block(s, x + eighths / 8, y, (unsigned)eighths % 8, ink);
}
