/* The terminal viewer of a profile, shared by `wick view` and `wick top`. */
#ifndef WICK_CMD_VIEW_TERMINAL_VIEW_H
#define WICK_CMD_VIEW_TERMINAL_VIEW_H

#include "load/load.h"
#include "tui/terminal.h"
#include "tui/viewer.h"

/* Options of the viewer, and their rows for a command's table; the struct must outlive the view. */
struct terminal_view_opts {
	int colors; /* enum terminal_view_colors */
	int ground; /* enum terminal_view_ground */
	bool ascii;
	const char *source;    /* directory with the sources; NULL: their paths at compile time */
	struct naming *naming; /* where to find programs, to show their code */
};

enum terminal_view_colors { COLORS_AUTO, COLORS_TRUE, COLORS_256, COLORS_16, COLORS_NONE };
enum terminal_view_ground { GROUND_AUTO, GROUND_DARK, GROUND_LIGHT };

#define TERMINAL_VIEW_OPTIONS(field) \
	{ "colors", \
	  0, \
	  OPTION_CHOICE, \
	  AT(field.colors), \
	  "auto|true|256|16|none", \
	  "number of colors [from COLORTERM, TERM and NO_COLOR]", \
	  0 }, \
		{ "ground", \
		  0, \
		  OPTION_CHOICE, \
		  AT(field.ground), \
		  "auto|dark|light", \
		  "background of the terminal [from COLORFGBG or the terminal; dark]", \
		  0 }, \
		{ "source", \
		  0, \
		  OPTION_STRING, \
		  AT(field.source), \
		  "DIR", \
		  "directory with the sources [their paths at compile time]", \
		  0 }, \
	{ \
		"ascii", 0, OPTION_FLAG, AT(field.ascii), NULL, \
			"use ASCII only [in the viewer, if the locale is not UTF-8]", 0 \
	}

struct terminal_view {
	struct terminal terminal;
	struct screen screen;
	struct viewer view;
	struct strbuf out;
	/* The command's callbacks, set after terminal_view_init(): */
	/* Writes the shown profile to a file. */
	int (*write)(void *arg, const char *path, struct error *e);
	/* Called when `other` is readable, and when `ms` pass without a key; or NULL. */
	enum viewer_ask (*refresh)(void *arg);
	/* Handles a request of the viewer; false: the command does not handle it; or NULL. */
	bool (*answer)(void *arg, enum viewer_ask ask);
	void *arg;
	bool ask_ground; /* query the terminal for its background color */
	int other;	 /* a descriptor to poll besides the terminal; -1: none */
	int ms;		 /* -1: wait without a limit */
};

/* Is there a terminal to draw on?  To be called before anything is read. */
int terminal_view_check(struct error *e);

void terminal_view_init(struct terminal_view *l, struct model *m, struct terminal_view_opts *o,
			struct span title);

/* Takes over the terminal until the user quits.  -1: the terminal could not be opened. */
int terminal_view_run(struct terminal_view *l, struct error *e);
void terminal_view_release(struct terminal_view *l);

/* terminal_source.c: a listing_writer, whose argument is a struct terminal_view_opts. */
void terminal_view_source(void *opts, const struct model *m, uint32_t label, enum listing_what what,
			  struct strbuf *out);

/* Writes a profile as .svg, .html or .wick, by the extension of the path. */
int terminal_view_write(const struct profile *p, const struct chosen *c, const char *path,
			struct error *e);

#endif
