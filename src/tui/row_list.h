/* A list with a selected row and a viewport. */
#ifndef WICK_TUI_ROW_LIST_H
#define WICK_TUI_ROW_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
	size_t selected;
	size_t top; /* the first visible row */
	size_t nr;  /* rows */
};

/* Sets the number of rows; the selected one stays within them. */
static inline void list_set(struct list *l, size_t nr)
{
	l->nr = nr;
	if (l->selected >= nr)
		l->selected = nr ? nr - 1 : 0;
}

/* Moves the selection by that many rows: down, or up if negative. */
static inline void list_move(struct list *l, long rows)
{
	if (rows < 0)
		l->selected -= (size_t)-rows < l->selected ? (size_t)-rows : l->selected;
	else
		l->selected += (size_t)rows;
	list_set(l, l->nr);
}

/* Scrolls until the selected row is visible in a viewport of that many rows. */
static inline void list_show(struct list *l, int height)
{
	size_t seen = height > 0 ? (size_t)height : 1;

	if (l->selected < l->top)
		l->top = l->selected;
	if (l->selected >= l->top + seen)
		l->top = l->selected - seen + 1;
	if (l->top + seen > l->nr)
		l->top = l->nr > seen ? l->nr - seen : 0;
}

#endif
