/* The interface between the viewer and its panes, private to viewer_*.c and pane_*.c. */
#ifndef WICK_TUI_PANES_H
#define WICK_TUI_PANES_H

#include "tui/viewer.h"

enum move {
	MOVE_UP,
	MOVE_DOWN,
	MOVE_LEFT,
	MOVE_RIGHT,
	MOVE_PAGE_UP,
	MOVE_PAGE_DOWN,
	MOVE_HOME,
	MOVE_END,
};

/* For a pane that is a list of rows, each a line. */
struct rows_ops {
	struct list *(*list)(struct viewer *v); /* returns NULL: there is nothing to list */
	int (*head)(const struct area *a);	/* the number of lines above the rows */
	void (*chosen)(struct viewer *v); /* called when another row is selected; may be NULL */
	void (*draw_head)(struct viewer *v, const struct area *a, struct screen *s);
	void (*draw_row)(struct viewer *v, size_t row, const struct area *line, struct ink ink,
			 struct screen *s);
};

/*
 * Operations may be NULL, except open.  Moves and clicks within its list are not passed to a pane.
 */
struct pane_ops {
	const char *name;
	const char *hints;		 /* for the last line: its keys, separated by " · " */
	const struct rows_ops *rows;	 /* NULL: the pane is not a list */
	void (*enter)(struct viewer *v); /* called when it becomes the current pane */
	void (*move)(struct viewer *v, enum move m);
	enum viewer_ask (*open)(struct viewer *v);     /* Enter, or a second click */
	bool (*back)(struct viewer *v);		       /* false: there is nothing to go back to */
	bool (*click)(struct viewer *v, int x, int y); /* true: it hit something */
	/* The button was pressed at v->click_x, v->click_y and is released here. */
	void (*drag)(struct viewer *v, int x, int y);
	void (*scroll)(struct viewer *v, int rows);
	void (*sort)(struct viewer *v);		  /* switches to the other order */
	void (*next)(struct viewer *v, int step); /* to the next hit of the search, or back */
	/* false: the pane shows a function, and none is selected */
	bool (*draw)(struct viewer *v, const struct area *a, struct screen *s);
};

extern const struct pane_ops pane_flame, pane_table, pane_sandwich, pane_source, pane_threads;

const struct pane_ops *pane_ops(enum pane p);

/* Makes it the current pane. */
void pane_show(struct viewer *v, enum pane p);

/* Passed to the current pane or its list. */
void pane_move(struct viewer *v, enum move m);
bool pane_click(struct viewer *v, int x, int y);
void pane_scroll(struct viewer *v, int by);
void pane_draw(struct viewer *v, const struct area *a, struct screen *s);

/*
 * viewer_help.c: a box with all keys, on top of everything else.  viewer_scroll_help() returns
 * false if the whole help is visible.
 */
void viewer_draw_help(struct viewer *v, struct screen *s);
bool viewer_scroll_help(struct viewer *v, enum move m);

/* viewer_line.c, viewer_mouse.c: parts of viewer_key(). */
enum viewer_ask viewer_line_key(struct viewer *v, const struct key *k);
enum viewer_ask viewer_mouse(struct viewer *v, const struct key *k);

/*
 * viewer_limit.c: adds a filter of this kind for the selected function, its thread or module.  A
 * filter by thread, module or kernel that exists already is removed instead.
 */
void viewer_limit(struct viewer *v, enum narrow_kind kind);
void viewer_limit_to_thread(struct viewer *v, uint32_t thread);

/* rows_ops.head of lists with one line above the rows. */
int head_of_one(const struct area *a);

/* Draws the empty line of column heads, to be written on with INK_HEAD. */
#define INK_HEAD ((struct ink){ INK_DEFAULT, INK_DEFAULT, INK_BOLD | INK_UNDERLINE })
void put_head(struct screen *s, const struct area *a, int y);

/* "12.3 %", right-aligned in eight cells. */
void put_share(struct screen *s, int x, int y, weight_sum part, weight_sum all, struct ink ink);

/* The ink of a colored mark (a bar, a strip) in a row of that ink. */
struct ink mark_ink(const struct theme *l, unsigned color, struct ink row);

/* A bar of share × width cells; share is from 0 to 1. */
void put_bar(struct screen *s, int x, int y, int width, double share, struct ink ink);

#endif
