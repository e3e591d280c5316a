/* The terminal view of a profile: what `wick view` and `wick top` share. */
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
	const char *source;    /* a folder with the sources; NULL: where the compiler saw them */
	struct naming *naming; /* where programs are, to show their code */
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
	/* The command's callbacks, set after looking_init(): */
	/* Writes what is shown to a file. */
	int (*write)(void *arg, const char *path, struct error *e);
	/* Is called when `other` is readable, and whenever `ms` have passed without a key; or NULL. */
	enum viewer_ask (*told)(void *arg);
	/* Handles a request of the viewer; false: it is not one of the command's; or NULL. */
	bool (*answer)(void *arg, enum viewer_ask ask);
	void *arg;
	bool ask_ground; /* query the terminal for its background color */
	int other;	 /* a descriptor to poll besides the terminal; -1: none */
	int ms;		 /* -1: wait without a limit */
};

/* Is there a terminal that can be drawn on?  To be asked before anything is read. */
int looking_check(struct error *e);

/* The options of a model that shows what was chosen of a profile. */
struct model_opts looking_model(const struct profile *p, const struct chosen *c);

void looking_init(struct looking *l, struct model *m, struct looking_opts *o, struct span title);

/* Takes over the terminal until the user quits.  -1: the terminal could not be opened. */
int looking_run(struct looking *l, struct error *e);
void looking_release(struct looking *l);

/* looking_source.c: a listing_writer, whose argument is a struct looking_opts. */
void looking_source(void *opts, const struct model *m, uint32_t label, enum listing_what what,
		    struct strbuf *out);

/* Writes a profile as .svg, .html or .wick, by the ending of the path. */
int looking_write(struct profile *p, unsigned spelling, const struct chosen *c, const char *path,
		  struct error *e);

#endif
