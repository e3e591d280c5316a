/* The options that filter a profile (--focus, --hide, --thread, …): the same for every command. */
#ifndef WICK_LOAD_FILTERING_H
#define WICK_LOAD_FILTERING_H

#include "cli/options.h"
#include "fold/filter.h"

struct filtering {
	/* As given on the command line: */
	struct option_steps steps; /* focus, hide, …, in the order given */
	struct option_list threads, modules, reasons;
	const char *time; /* "A..B"; NULL: all */
	/* Set by filtering_parse(): */
	struct filter filter; /* points at the rest */
	struct filter_step *step;
	struct pattern **pattern; /* by step; NULL: it has none */
	struct time_span span;
};

/* Rows of an option table; `field` is the struct filtering in the struct that it fills. */
#define FILTERING_OPTIONS(field) \
	{ "focus",	   0,	 OPTION_STEP, \
	  AT(field.steps), "RE", "keep samples with a matching function", \
	  TRANSFORM_FOCUS }, \
		{ "ignore",	   0,	 OPTION_STEP, \
		  AT(field.steps), "RE", "drop samples with a matching function", \
		  TRANSFORM_IGNORE }, \
		{ "hide",	 0, \
		  OPTION_STEP,	 AT(field.steps), \
		  "RE",		 "hide matching functions, charging their cost to the caller", \
		  TRANSFORM_HIDE }, \
		{ "root", \
		  0, \
		  OPTION_STEP, \
		  AT(field.steps), \
		  "RE", \
		  "start stacks at the outermost matching function; drop other samples", \
		  TRANSFORM_ROOT }, \
		{ "collapse-recursion", 0,    OPTION_STEP, \
		  AT(field.steps),	NULL, "merge direct recursion into one frame", \
		  TRANSFORM_RECURSION }, \
		{ "no-kernel",	      0,    OPTION_STEP, \
		  AT(field.steps),    NULL, "hide kernel frames, charging their cost to the caller", \
		  TRANSFORM_NO_KERNEL }, \
		{ "collapse-module", 0,	     OPTION_STEP, \
		  AT(field.steps),   "NAME", "merge adjacent frames of this module into one", \
		  TRANSFORM_MODULE }, \
		{ "thread", \
		  0, \
		  OPTION_LIST, \
		  AT(field.threads), \
		  "NAME|PID|TID", \
		  "keep samples of this thread; repeatable", \
		  0 }, \
		{ "module", \
		  0, \
		  OPTION_LIST, \
		  AT(field.modules), \
		  "NAME", \
		  "keep samples whose leaf is in this program or library; repeatable", \
		  0 }, \
		{ "reason", \
		  0, \
		  OPTION_LIST, \
		  AT(field.reasons), \
		  "REASON", \
		  "keep waits for this reason: lock, disk, network, pipe, poll, sleep, fault, child, cpu wait or other; repeatable", \
		  0 }, \
	{ \
		"time", 0, OPTION_STRING, AT(field.time), "A..B", \
			"keep samples from A to B seconds after the first", 0 \
	}

/* The paragraph below the options of a table with these rows. */
#define FILTERING_AFTER \
	"RE is a regular expression that matches any part of a displayed name; it ignores case unless\n" \
	"it has upper-case letters.  Options that change stacks apply in the order given."

/* Sets *filter, which is valid as long as f is; NULL: no option was given.  -1: one is invalid. */
int filtering_parse(struct filtering *f, const struct filter **filter, struct error *e);
void filtering_release(struct filtering *f);

#endif
