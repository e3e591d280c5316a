/* The source of the selected function, or its instructions, with what each line took. */
#include "tui/panes.h"

enum { HEAD_ROWS = 1 };

/* The line that took most is where one looks first. */
static void enter(struct viewer *v)
{
	struct listing *l = &v->listing;

	if (listing_fill(l, v->m, v->function))
		v->listing_rows = (struct list){ .selected = listing_heaviest(l) };
	list_set(&v->listing_rows, l->nr);
}

static void move(struct viewer *v, enum move m)
{
	list_step(&v->listing_rows, m, v->area.height - HEAD_ROWS);
}

/* From the source to the instructions, and back. */
static enum viewer_ask open(struct viewer *v)
{
	v->listing.what = v->listing.what == LISTING_SOURCE ? LISTING_CODE : LISTING_SOURCE;
	listing_empty(&v->listing);
	enter(v);
	return ASK_NOTHING;
}

static bool click(struct viewer *v, int x, int y)
{
	size_t row = v->listing_rows.top + (size_t)(y - v->area.y - HEAD_ROWS);

	(void)x;
	if (y < v->area.y + HEAD_ROWS || row >= v->listing_rows.nr)
		return false;
	v->listing_rows.selected = row;
	return true;
}

static void scroll(struct viewer *v, int rows)
{
	list_move(&v->listing_rows, rows);
}

static void draw_head(const struct viewer *v, const struct area *a, struct screen *s)
{
	static const char *const heads[] = {
		[LISTING_SOURCE] = "      self     total    line  source",
		[LISTING_CODE] = "      self     total       address  instruction",
	};
	struct ink ink = { INK_DEFAULT, INK_DEFAULT, INK_BOLD | INK_UNDERLINE };

	screen_fill(s, a->x, a->y, a->width, ink);
	screen_put(s, a->x, a->y, a->width, span_of(heads[v->listing.what]), ink);
}

static void draw_row(const struct viewer *v, size_t row, const struct area *a, int y,
		     struct screen *s)
{
	struct span line = listing_line(&v->listing, row);
	struct ink ink = INK_PLAIN;

	if (row == v->listing_rows.selected)
		ink.style = INK_REVERSE;
	else if (listing_has_cost(line) || (line.size && line.at[0] != ' '))
		ink.style = INK_BOLD;
	screen_fill(s, a->x, y, a->width, ink);
	screen_put(s, a->x, y, a->width, line, ink);
}

static void draw(struct viewer *v, const struct area *a, struct screen *s)
{
	struct list *l = &v->listing_rows;

	enter(v);
	if (v->listing.label == LAYOUT_ALL) {
		screen_put(s, a->x + 1, a->y + 1, a->width - 2,
			   SPAN("Choose a function in the flame graph (1) or the table (2) first."),
			   INK_PLAIN);
		return;
	}
	list_show(l, a->height - HEAD_ROWS);
	draw_head(v, a, s);
	for (int i = 0; i + HEAD_ROWS < a->height && l->top + (size_t)i < l->nr; i++)
		draw_row(v, l->top + (size_t)i, a, a->y + HEAD_ROWS + i, s);
}

const struct pane_ops pane_source = {
	.name = "Source",
	.hints = "↑↓ lines · Enter source or instructions",
	.enter = enter,
	.move = move,
	.open = open,
	.click = click,
	.scroll = scroll,
	.draw = draw,
};
