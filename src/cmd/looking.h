/* Looking at a profile in the terminal: what `wick view` and `wick top` share. */
#ifndef WICK_CMD_LOOKING_H
#define WICK_CMD_LOOKING_H

#include "cmd/collapse.h"
#include "tui/terminal.h"
#include "tui/viewer.h"

/* The rows of a command's table, where `field` is its struct looking_opts; it must outlive the view. */
struct looking_opts {
	int colors; /* enum looking_colors */
	int ground; /* enum looking_ground */
	bool ascii;
	const char *source;    /* where sources are; NULL: where they were */
	struct naming *naming; /* where programs are */
};

enum looking_colors { COLORS_AUTO, COLORS_TRUE, COLORS_256, COLORS_16, COLORS_NONE };
enum looking_ground { GROUND_AUTO, GROUND_DARK, GROUND_LIGHT };

#define LOOKING_OPTIONS(field) \
	{ "colors", \
	  0, \
	  OPTION_CHOICE, \
	  AT(field.colors), \
	  "auto|true|256|16|none", \
	  "how many the terminal has [by COLORTERM, TERM and NO_COLOR]", \
	  0 }, \
		{ "ground", \
		  0, \
		  OPTION_CHOICE, \
		  AT(field.ground), \
		  "auto|dark|light", \
		  "what the terminal's background is [by COLORFGBG, or it is asked; dark]", \
		  0 }, \
		{ "source", \
		  0, \
		  OPTION_STRING, \
		  AT(field.source), \
		  "DIR", \
		  "the sources are below DIR, whatever folders they were in [where the compiler saw them]", \
		  0 }, \
	{ \
		"ascii", 0, OPTION_FLAG, AT(field.ascii), NULL, \
			"draw with ASCII only [where the locale is not UTF-8]", 0 \
	}

struct looking {
	struct terminal terminal;
	struct screen screen;
	struct viewer view;
	struct strbuf out;
	/* Writes the picture that is asked for. */
	int (*write)(void *arg, const char *path, struct error *e);
	/* Is called when `other` has something, and each time when `ms` have passed. */
	enum viewer_ask (*told)(void *arg);
	/* Does what it can of what is asked for; false: it is not his; or NULL. */
	bool (*answer)(void *arg, enum viewer_ask ask);
	void *arg;
	bool ask_ground; /* the terminal knows what its background is */
	int other, ms;	 /* -1: nothing; for ever */
};

/* Is there a terminal that can be drawn on?  To be asked before anything is read. */
int looking_check(struct error *e);

/* Of what was chosen. */
struct model_opts looking_model(const struct profile *p, const struct chosen *c);

void looking_init(struct looking *l, struct model *m, struct looking_opts *o, struct span title);

/* Until somebody quits. */
int looking_run(struct looking *l, struct error *e);
void looking_release(struct looking *l);

/* looking_source.c: a listing_writer, whose argument is a struct looking_opts. */
void looking_source(void *opts, const struct model *m, uint32_t label, enum listing_what what,
		    struct strbuf *out);

/* Draws to a file that appears whole. */
int looking_write(struct profile *p, unsigned spelling, const struct chosen *c, const char *path,
		  struct error *e);

#endif
