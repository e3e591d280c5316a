/*
 * The interactive viewer: a state that keys and the mouse change, and that is drawn on a screen.
 * It does not know the terminal, and neither reads nor writes files: it requests such actions from
 * its caller (enum viewer_ask).
 */
#ifndef WICK_TUI_VIEWER_H
#define WICK_TUI_VIEWER_H

#include "base/pattern.h"
#include "tui/icicle.h"
#include "tui/keys.h"
#include "tui/model.h"
#include "tui/narrow.h"
#include "tui/row_list.h"
#include "tui/sandwich.h"
#include "tui/screen.h"
#include "tui/source_listing.h"
#include "tui/threads.h"

enum pane { PANE_FLAME, PANE_TABLE, PANE_SANDWICH, PANE_SOURCE, PANE_THREADS, NR_PANES };

/* The text being typed in the last line. */
enum prompt { PROMPT_NONE, PROMPT_SEARCH, PROMPT_WRITE };

/* What the caller of viewer_key() must do. */
enum viewer_ask {
	ASK_NOTHING,
	ASK_QUIT,
	ASK_SUSPEND,
	ASK_WRITE,  /* write a picture to the file named `said` */
	ASK_COPY,   /* copy `said` to the clipboard */
	ASK_FREEZE, /* stop or resume updates: `frozen` has changed */
	ASK_RESET,  /* forget what was recorded so far */
	ASK_FADE,   /* let older samples count less, or not: `fading` has changed */
};

/* The filtered profile and its model. */
struct narrowed {
	struct profile p;
	struct model m;
};

struct viewer {
	struct model *m;	   /* what is shown: base, or narrowed->m */
	struct model *base;	   /* of the whole profile; the caller's */
	struct narrow narrow;	   /* the filters */
	struct narrowed *narrowed; /* NULL: there are no filters */
	struct theme theme;
	struct strbuf title; /* the name of the profile */
	enum pane pane;
	enum model_direction direction;
	enum model_beside beside[2]; /* by direction */
	struct icicle flame;
	struct list table;
	enum model_order table_order;
	struct sandwich sandwich;
	struct listing listing;
	struct list listing_rows;
	struct threads threads;
	struct list thread_list;
	int time_at, time_mark; /* a range of cells in the strip; time_mark -1: none is marked */
	uint32_t function;	/* the selected function of all panes: a label, or LAYOUT_ALL */
	enum prompt prompt;
	/* Searching */
	struct pattern *pattern;
	struct strbuf sought; /* its text */
	bool *hit;	      /* by label: does it match?  NULL: there is no search */
	double found;	      /* the weight of all hits */
	/* The last line */
	struct strbuf line;    /* what is being typed */
	struct strbuf message; /* shown until the next key */
	/* As drawn last, for clicks */
	struct area area;	 /* of the pane */
	int tab[NR_PANES + 1];	 /* x of the names of the panes; one more is the end */
	int click_x, click_y;	 /* the last click; x < 0: there is none */
	struct strbuf said;	 /* see enum viewer_ask */
	bool has_threads;	 /* `threads` is filled */
	int help_top, help_rows; /* of the help: the first visible line, and how many are visible */
	bool pasting, help;	 /* between KEY_PASTE and KEY_PASTE_END; the help is shown */
	bool live, frozen;	 /* a recording is in progress; but updates are not shown */
	bool fading;		 /* older samples count less */
};

/* The model stays the caller's and must outlive the viewer, or be replaced by viewer_update(). */
void viewer_init(struct viewer *v, struct model *m, const struct theme *theme, struct span title);
void viewer_release(struct viewer *v);

/* Handles a key; returns what the caller must do. */
enum viewer_ask viewer_key(struct viewer *v, const struct key *k);

/* Adds a filter; if no sample would be left, says so instead. */
void viewer_narrow(struct viewer *v, enum narrow_kind kind, struct span text,
		   const struct time_span *span);

/* Removes the last filter; false: there is none. */
bool viewer_widen(struct viewer *v);

/* Removes a filter by thread, module or kernel; false: there is none of that kind. */
bool viewer_widen_kind(struct viewer *v, enum narrow_kind kind);

/* The filtered profile; NULL: there are no filters. */
struct profile *viewer_part(struct viewer *v);

/* Replaces the whole profile; the caller may then release the previous model. */
void viewer_update(struct viewer *v, struct model *m);

/* Shows a message in the last line, until the next key. */
void viewer_say(struct viewer *v, struct span message);

/* The layout of a model in the current direction and order of siblings. */
const struct graph *viewer_graph(struct viewer *v, struct model *m);

/* viewer_search.c: searches for the pattern in `line`; an empty one ends the search. */
void viewer_search(struct viewer *v);
void viewer_search_again(struct viewer *v); /* in another model */
void viewer_find_next(struct viewer *v, int step);

/* Makes it the selected function of all panes. */
void viewer_choose(struct viewer *v, uint32_t label);

/* viewer_draw.c */
void viewer_draw(struct viewer *v, struct screen *s);

#endif
