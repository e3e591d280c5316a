/*
 * wick collapse: what any profiler wrote in, folded stacks out.  Its first two steps,
 * reading and choosing events, are those of all commands that read profiles.
 */
#ifndef WICK_CMD_COLLAPSE_H
#define WICK_CMD_COLLAPSE_H

#include "base/error.h"
#include "base/source.h"
#include "cli/progress.h"
#include "cmd/naming.h"
#include "export/folded.h"
#include "fold/filter.h"
#include "profile/profile.h"
#include "profile/spelling.h"
#include "read/read.h"

/* How the name of an event is compared with the one asked for. */
enum event_match {
	EVENT_NAME,	  /* `cycles` is cycles:u and cycles:k too */
	EVENT_FIRST_PART, /* only up to the first colon */
	EVENT_EXACT,
};

/* What a sample counts: 1, its period, or (auto) 1 for clocks and else its period. */
enum collapse_weight { WEIGHT_AUTO, WEIGHT_SAMPLES, WEIGHT_PERIOD };

struct collapse_result;

/* Is called between reading and writing; -1: nothing is written, and that is an error. */
typedef int collapse_check(const struct collapse_result *r, struct error *e);

struct collapse_opts {
	const struct reader *reader;	   /* NULL: guess from the content */
	const struct reader *const *among; /* which to guess from; NULL: all */
	const char *const *file;	   /* none: standard input */
	size_t nr_file;
	bool joined;	    /* the files are parts of one input, one behind the other */
	bool several;	    /* the caller reads more inputs: notes have the names of their files */
	const char *output; /* NULL: standard output */
	struct read_opts read;
	struct naming naming;
	bool anonymize;		   /* names are replaced: see profile_anonymize() */
	unsigned spell, spell_not; /* enum spelling: added to and removed from the reader's */
	enum folded_order order;
	enum folded_number number;
	bool reverse;	   /* lines begin with the leaf */
	int weight;	   /* enum collapse_weight */
	const char *event; /* NULL: the first; "all": every one */
	enum event_match event_match;
	const struct filter *filter; /* NULL: everything is shown */
	bool event_may_miss;	     /* it is no error if `event` is not there */
	bool keeps_events;	     /* the output also holds the events that are not shown */
	collapse_check *check;	     /* NULL: none */
	source_watcher *watcher;     /* is called while inputs are read; NULL: none */
	void *watcher_arg;
};

struct collapse_result {
	struct profile p;
	const struct reader *reader; /* of the last input; NULL: none fits */
	unsigned spelling;	     /* enum spelling: joined from all inputs */
	size_t nr_line;		     /* written */
	size_t nr_input;	     /* read */
	/*
	 * With several inputs, the events that are shown by default.  For each input that is its
	 * first event, unless it also has a lead of an earlier one: then that one is enough.
	 */
	uint32_t *lead;
	size_t nr_lead, cap_lead;
	struct compared compared; /* how the last input shows a comparison */
};

/* What of a profile is shown.  To be released. */
struct chosen {
	size_t nr_column; /* 1; or 2, before and after */
	bool *in[2];	  /* by column, then by event: does it count there? */
	bool samples;	  /* count samples, not weights */
	unsigned spelling;
};

/* Rows of a table of options; `field` is the struct collapse_opts in what the table fills. */
#define COLLAPSE_EVENT_OPTIONS(field) \
	{ "event", \
	  'e', \
	  OPTION_STRING, \
	  AT(field.event), \
	  "NAME", \
	  "only this event, or all: samples of all if one is a clock, else weights [the first]", \
	  0 }, \
	{ \
		"weight", 0, OPTION_CHOICE, AT(field.weight), "auto|samples|period", \
			"what a sample counts [auto: 1 for clocks, else its period]", 0 \
	}

/* Shows progress on a terminal while inputs are read; p must outlive o, and needs progress_end(). */
void collapse_watch(struct collapse_opts *o, struct progress *p);

/* -1 if there is no file and standard input is a terminal; the hint says how to use `called`. */
int collapse_check_input(const struct collapse_opts *o, const char *called, struct error *e);

/* First step: reads all inputs into r, and names their addresses.  r must be released, also after -1. */
int collapse_read(const struct collapse_opts *o, struct collapse_result *r, struct error *e);

/* Second step: chooses the events to show, notes those that are not, and applies the filter to r->p. */
int collapse_choose(const struct collapse_opts *o, struct collapse_result *r, struct chosen *c,
		    struct error *e);

/* Is it one of r->lead, whatever its modifiers? */
bool collapse_is_lead(const struct collapse_result *r, uint32_t event);

/* The unit of all events that are shown, "samples" if they have none, "count" if they differ. */
struct span chosen_unit(const struct profile *p, const struct chosen *c);
void chosen_release(struct chosen *c);

/* Sets the error for a profile without any stack to show.  Always -1. */
int collapse_nothing(const struct collapse_opts *o, struct error *e);

/*
 * All steps: reads, folds and writes.  Prints no messages: notes are in r->p.  The
 * result must be released, also after -1.
 */
int collapse(const struct collapse_opts *o, struct collapse_result *r, struct error *e);
void collapse_release(struct collapse_result *r);

/* How many processors this process may run on. */
unsigned collapse_threads(void);

/* The command. */
int collapse_main(int argc, char **argv);
extern const struct option_table collapse_table;

#endif
