/* wick collapse: what any profiler wrote in, folded stacks out. */
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

/* When is an event the one that was asked for? */
enum event_match {
	EVENT_NAME,	  /* `cycles` is cycles:u and cycles:k too */
	EVENT_FIRST_PART, /* what stands before the first colon counts */
	EVENT_EXACT,
};

enum collapse_weight { WEIGHT_AUTO, WEIGHT_SAMPLES, WEIGHT_PERIOD };

struct collapse_result;

/* Is what was read good enough to be written?  -1: nothing is. */
typedef int collapse_check(const struct collapse_result *r, struct error *e);

struct collapse_opts {
	const struct reader *reader;	   /* NULL: guess from the content */
	const struct reader *const *among; /* which to guess from; NULL: all */
	const char *const *file;	   /* none: standard input */
	size_t nr_file;
	bool joined;	    /* the files are one input */
	bool several;	    /* others are read besides these: notes tell of which they are */
	const char *output; /* NULL: standard output */
	struct read_opts read;
	struct naming naming;
	bool anonymize;		   /* what was read is shown to strangers */
	unsigned spell, spell_not; /* added to, taken from the reader's own spelling */
	enum folded_order order;
	enum folded_number number;
	bool reverse;	   /* lines begin with the leaf */
	int weight;	   /* enum collapse_weight */
	const char *event; /* NULL: the first; "all": every one */
	enum event_match event_match;
	const struct filter *filter; /* NULL: everything is shown */
	bool event_may_miss;	     /* an event that is not there is no error */
	bool keeps_events;	     /* the output holds those that are not shown, too */
	collapse_check *check;	     /* NULL: it is always */
	source_watcher *watcher;
	void *watcher_arg;
};

struct collapse_result {
	struct profile p;
	const struct reader *reader; /* of the last input; NULL: none fits */
	unsigned spelling;	     /* what the readers of all inputs spell */
	size_t nr_line;		     /* written */
	size_t nr_input;	     /* read */
	uint32_t *
		lead; /* of several inputs: the first event of each that has none of the earlier ones' */
	size_t nr_lead, cap_lead;
	struct compared compared; /* how the last input shows a comparison */
};

/* What of a profile is shown: events, and by what they weigh. */
struct chosen {
	size_t nr_column; /* 2: before and after */
	bool *in[2];	  /* by event */
	bool samples;	  /* their number, not their weight */
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

/* On a terminal, people see how far it is; until progress_end(). */
void collapse_watch(struct collapse_opts *o, struct progress *p);

/* Nobody types a profile: without a file, and with a terminal for input, this says how it is `called`. */
int collapse_check_input(const struct collapse_opts *o, const char *called, struct error *e);

/* The steps: reads all inputs into r; chooses what is shown, noting what is not, and filters it. */
int collapse_read(const struct collapse_opts *o, struct collapse_result *r, struct error *e);
int collapse_choose(const struct collapse_opts *o, struct collapse_result *r, struct chosen *c,
		    struct error *e);
/* Does an input begin with that event, whatever its modifiers? */
bool collapse_is_lead(const struct collapse_result *r, uint32_t event);
/* The unit of what is shown: that of all its events, samples where none is told, or "count" where they differ. */
struct span chosen_unit(const struct profile *p, const struct chosen *c);
void chosen_release(struct chosen *c);

/* Says why there is nothing to show. */
int collapse_nothing(const struct collapse_opts *o, struct error *e);

/*
 * Reads, folds and writes, and prints no word: notes are in the profile.  The
 * result must be released, also after -1.
 */
int collapse(const struct collapse_opts *o, struct collapse_result *r, struct error *e);
void collapse_release(struct collapse_result *r);

/* As many threads as this process may run on. */
unsigned collapse_threads(void);

/* The command. */
int collapse_main(int argc, char **argv);
extern const struct option_table collapse_table;

#endif
