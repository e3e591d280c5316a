/* The annotated source of the selected function, or its instructions. */
#include "tui/panes.h"

/* Selects the line with the largest self first. */
static void enter(struct viewer *v)
{
	struct listing *l = &v->listing;

	if (listing_fill(l, v->m, v->function))
		v->listing_rows = (struct list){ .selected = listing_heaviest(l) };
	list_set(&v->listing_rows, l->nr);
}

static struct list *list(struct viewer *v)
{
	enter(v);
	return v->listing.label == LAYOUT_ALL ? NULL : &v->listing_rows;
}

/* Switches between source and instructions. */
static enum viewer_ask open(struct viewer *v)
{
	v->listing.what = v->listing.what == LISTING_SOURCE ? LISTING_CODE : LISTING_SOURCE;
	listing_empty(&v->listing);
	enter(v);
	return ASK_NOTHING;
}

static void draw_head(struct viewer *v, const struct area *a, struct screen *s)
{
	static const char *const heads[] = {
		[LISTING_SOURCE] = "      self     total    line  source",
		[LISTING_CODE] = "      self     total       address  instruction",
	};

	put_head(s, a, a->y);
	screen_put(s, a->x, a->y, a->width, span_of(heads[v->listing.what]), INK_HEAD);
}

static void draw_row(struct viewer *v, size_t row, const struct area *a, struct ink ink,
		     struct screen *s)
{
	struct span line = listing_line(&v->listing, row);

	if (listing_has_cost(line) || (line.size && line.at[0] != ' '))
		ink.style |= INK_BOLD;
	screen_put(s, a->x, a->y, a->width, line, ink);
}

static const struct rows_ops rows = {
	.list = list,
	.head = head_of_one,
	.draw_head = draw_head,
	.draw_row = draw_row,
};

const struct pane_ops pane_source = {
	.name = "Source",
	.hints = "↑↓ lines · Enter toggle source and instructions",
	.rows = &rows,
	.enter = enter,
	.open = open,
};
