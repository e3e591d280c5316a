/* What each pane does with what is common to all of them.  For viewer_*.c and pane_*.c. */
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

/* Of a pane that is a list: one line each, of which one is selected. */
struct rows_ops {
	struct list *(*list)(struct viewer *v); /* NULL: there is nothing to list */
	int (*head)(const struct area *a);	/* lines above them */
	void (*chosen)(struct viewer *v);	/* another one is selected; or NULL */
	void (*draw_head)(struct viewer *v, const struct area *a, struct screen *s);
	void (*draw_row)(struct viewer *v, size_t row, const struct area *line, struct ink ink,
			 struct screen *s);
};

/* What is NULL, the pane does not do; what its list does is not asked of it. */
struct pane_ops {
	const char *name;
	const char *hints; /* of the last line: what its keys do, with " · " between them */
	const struct rows_ops *rows;
	void (*enter)(struct viewer *v); /* it is looked at from now on */
	void (*move)(struct viewer *v, enum move m);
	enum viewer_ask (*open)(struct viewer *v);     /* Enter, a second click; not NULL */
	bool (*back)(struct viewer *v);		       /* false: there is nothing to go back to */
	bool (*click)(struct viewer *v, int x, int y); /* true: something is there */
	/* The button is let go here, and was pressed at click_x, click_y. */
	void (*drag)(struct viewer *v, int x, int y);
	void (*scroll)(struct viewer *v, int rows);
	void (*sort)(struct viewer *v);		  /* otherwise than now */
	void (*next)(struct viewer *v, int step); /* hit */
	/* false: it is about a function, and none is chosen */
	bool (*draw)(struct viewer *v, const struct area *a, struct screen *s);
};

extern const struct pane_ops pane_flame, pane_table, pane_sandwich, pane_source, pane_threads;

const struct pane_ops *pane_ops(enum pane p);

/* It is looked at from now on. */
void pane_show(struct viewer *v, enum pane p);

/* What the pane that is seen does, or its list. */
void pane_move(struct viewer *v, enum move m);
bool pane_click(struct viewer *v, int x, int y);
void pane_scroll(struct viewer *v, int by);
void pane_draw(struct viewer *v, const struct area *a, struct screen *s);

/* viewer_help.c: what the keys do, over everything; false: there is no more of it than is seen. */
void viewer_draw_help(struct viewer *v, struct screen *s);
bool viewer_scroll_help(struct viewer *v, enum move m);

/* viewer_line.c, viewer_mouse.c: parts of viewer_key(). */
enum viewer_ask viewer_line_key(struct viewer *v, const struct key *k);
enum viewer_ask viewer_mouse(struct viewer *v, const struct key *k);

/*
 * viewer_limit.c: only what is of this kind and has to do with what is selected; a thread, a module or the
 * kernel, when it is that already, all again.
 */
void viewer_limit(struct viewer *v, enum narrow_kind kind);
void viewer_limit_to_thread(struct viewer *v, uint32_t thread);

/* One line above them. */
int head_of_one(const struct area *a);

/* The line above rows, to be written on with INK_HEAD. */
#define INK_HEAD ((struct ink){ INK_DEFAULT, INK_DEFAULT, INK_BOLD | INK_UNDERLINE })
void put_head(struct screen *s, const struct area *a, int y);

/* "12.3 %" with blanks before it, in eight cells. */
void put_share(struct screen *s, int x, int y, weight_sum part, weight_sum all, struct ink ink);

/* With what colored marks are drawn in a row of this ink. */
struct ink mark_ink(const struct look *l, unsigned color, struct ink row);

/* A bar of at most so many cells. */
void put_bar(struct screen *s, int x, int y, int width, double share, struct ink ink);

#endif
