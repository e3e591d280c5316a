/* The options that filter a profile (--focus, --hide, --thread, …): the same for every command. */
#ifndef WICK_CMD_FILTERING_H
#define WICK_CMD_FILTERING_H

#include "cli/options.h"
#include "fold/filter.h"

struct filtering {
	/* As given on the command line: */
	struct option_steps steps; /* focus, hide, …, in their order */
	struct option_list threads, modules;
	const char *time; /* "A..B"; NULL: all */
	/* Set by filtering_parse(): */
	struct filter filter; /* points at the rest */
	struct filter_step *step;
	struct pattern **pattern; /* by step; NULL: it has none */
	struct time_span span;
};

/* Rows of a table of options; `field` is the struct filtering in what the table fills. */
#define FILTERING_OPTIONS(field) \
	{ "focus",	   0,	 OPTION_STEP, \
	  AT(field.steps), "RE", "only samples with a function that matches", \
	  TRANSFORM_FOCUS }, \
		{ "ignore",	   0,	 OPTION_STEP, \
		  AT(field.steps), "RE", "only samples without one", \
		  TRANSFORM_IGNORE }, \
		{ "hide",	 0, \
		  OPTION_STEP,	 AT(field.steps), \
		  "RE",		 "leave such functions out: their callers get what they cost", \
		  TRANSFORM_HIDE }, \
		{ "root",	   0,	 OPTION_STEP, \
		  AT(field.steps), "RE", "begin stacks at the outermost such function; no others", \
		  TRANSFORM_ROOT }, \
		{ "collapse-recursion", 0,    OPTION_STEP, \
		  AT(field.steps),	NULL, "make one frame of a function that calls itself", \
		  TRANSFORM_RECURSION }, \
		{ "collapse-module", 0,	     OPTION_STEP, \
		  AT(field.steps),   "NAME", "make one frame of functions of that module", \
		  TRANSFORM_MODULE }, \
		{ "thread", \
		  0, \
		  OPTION_LIST, \
		  AT(field.threads), \
		  "NAME|PID|TID", \
		  "only this thread, or these", \
		  0 }, \
		{ "module", \
		  0, \
		  OPTION_LIST, \
		  AT(field.modules), \
		  "NAME", \
		  "only samples that ended in this program or library, or these", \
		  0 }, \
	{ \
		"time", 0, OPTION_STRING, AT(field.time), "A..B", \
			"only from A to B seconds since the first sample", 0 \
	}

/* Below the options of such a table. */
#define FILTERING_AFTER \
	"Patterns are looked for in the names as they are shown; without upper-case letters they\n" \
	"match these too.  What changes the stacks is done in the order given."

/* Sets *filter, which is good as long as f is; NULL: no option was given.  -1: one is invalid. */
int filtering_parse(struct filtering *f, const struct filter **filter, struct error *e);
void filtering_release(struct filtering *f);

#endif
