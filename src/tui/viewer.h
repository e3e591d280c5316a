/*
 * What somebody looks at in the terminal: a state that keys and the mouse change, and that is drawn
 * on a screen.  It knows no terminal, reads no file and prints nothing: what has to be done
 * outside it asks for.
 */
#ifndef WICK_TUI_VIEWER_H
#define WICK_TUI_VIEWER_H

#include "base/pattern.h"
#include "tui/icicle.h"
#include "tui/keys.h"
#include "tui/list.h"
#include "tui/listing.h"
#include "tui/model.h"
#include "tui/narrow.h"
#include "tui/sandwich.h"
#include "tui/screen.h"
#include "tui/threads.h"

enum pane { PANE_FLAME, PANE_TABLE, PANE_SANDWICH, PANE_SOURCE, PANE_THREADS, NR_PANES };

/* What the last line asks for. */
enum prompt { PROMPT_NONE, PROMPT_SEARCH, PROMPT_WRITE };

/* What is to be done outside. */
enum viewer_ask {
	ASK_NOTHING,
	ASK_QUIT,
	ASK_SUSPEND,
	ASK_WRITE,  /* a picture, to the file that `said` names */
	ASK_COPY,   /* `said` into the clipboard */
	ASK_FREEZE, /* it was frozen, or goes on: see `frozen` */
	ASK_RESET,  /* what was recorded so far is forgotten */
	ASK_FADE,   /* what is older counts less, or all counts the same again: see `fading` */
};

/* A part of the profile, while that is looked at. */
struct narrowed {
	struct profile p;
	struct model m;
};

struct viewer {
	struct model *m;    /* what is looked at */
	struct model *base; /* … or what that is a part of */
	struct narrow narrow;
	struct narrowed *narrowed; /* NULL: all is looked at */
	struct look look;
	struct strbuf title; /* what is looked at */
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
	int time_at, time_mark; /* cells of the time; -1: no range is being marked */
	uint32_t function;	/* what all panes are about: a label, or LAYOUT_ALL */
	enum prompt prompt;
	/* Searching */
	struct pattern *pattern;
	struct strbuf sought;
	bool *hit;    /* by label; NULL: nothing is looked for */
	double found; /* how much has it */
	/* The last line */
	struct strbuf line; /* what is typed */
	struct strbuf message;
	/* The area of the pane, as it was drawn last: what a click means */
	struct area area;
	int tab[NR_PANES + 1]; /* where the names of the panes begin */
	int click_x, click_y;  /* where the last one was; x < 0: nowhere */
	struct strbuf said;
	bool has_threads;
	int help_top, help_rows; /* of the help: the first line that is seen, and how many are */
	bool pasting, help;
	bool live, frozen; /* more comes; but is not shown */
	bool fading;	   /* what is older counts less */
};

void viewer_init(struct viewer *v, struct model *m, const struct look *look, struct span title);
void viewer_release(struct viewer *v);

/* The key, and what it asks for. */
enum viewer_ask viewer_key(struct viewer *v, const struct key *k);

/* Looks at a part of what is looked at; says so when nothing is left. */
void viewer_narrow(struct viewer *v, enum narrow_kind kind, struct span text,
		   const struct time_span *span);

/* Takes the last one back; false when there is none. */
bool viewer_widen(struct viewer *v);

/* … the last one of a kind, of which there is one at a time: a thread, a module, the kernel. */
bool viewer_widen_kind(struct viewer *v, enum narrow_kind kind);

/* The profile that is looked at, if it is a part; or NULL. */
struct profile *viewer_part(struct viewer *v);

/* Another profile in place of the one before, which may then go. */
void viewer_update(struct viewer *v, struct model *m);

/* A word in the last line, until the next key. */
void viewer_say(struct viewer *v, struct span message);

/* The flame graph from the root or from the leaves, as it is to be sorted now. */
const struct graph *viewer_graph(struct viewer *v, struct model *m);

/* viewer_search.c: the pattern in `line`; an empty one ends it. */
void viewer_search(struct viewer *v);
void viewer_search_again(struct viewer *v);
void viewer_find_next(struct viewer *v, int step);

/* The function that all panes are about is now this. */
void viewer_choose(struct viewer *v, uint32_t label);

/* viewer_draw.c */
void viewer_draw(struct viewer *v, struct screen *s);

#endif
