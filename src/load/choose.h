/*
 * Decides which events of a profile are shown, whether their samples or their weights count, and
 * which samples a filter keeps: for every command, whether the profile was read or recorded.
 */
#ifndef WICK_LOAD_CHOOSE_H
#define WICK_LOAD_CHOOSE_H

#include "base/error.h"
#include "fold/chosen.h"
#include "fold/filter.h"
#include "profile/profile.h"
#include "profile/spelling.h"

/* How the name of an event is compared with the requested one. */
enum event_match {
	EVENT_NAME,	  /* `cycles` matches cycles:u and cycles:k too */
	EVENT_FIRST_PART, /* up to the first colon, or as a whole */
	EVENT_EXACT,	  /* … and samples whose event has no name always match */
};

/*
 * The weight of a sample (--weight): 1, its period, (auto) 1 for clocks and its period otherwise, or
 * (latency) its period divided by the number of the target's threads that ran then.
 */
#define WEIGHTS(X) \
	X(AUTO, "auto") \
	X(SAMPLES, "samples") \
	X(PERIOD, "period") \
	X(LATENCY, "latency")

enum choose_weight {
#define X(id, name) WEIGHT_##id,
	WEIGHTS(X)
#undef X
};

/* "auto|samples|…": a | precedes each name; the first one is skipped. */
#define WEIGHT_CHOICE(id, name) "|" name
#define WEIGHT_CHOICES		(&(WEIGHTS(WEIGHT_CHOICE))[1])

struct choose_opts {
	const char *event; /* NULL: the first; "all": every one; or names, with commas between */
	enum event_match event_match;
	bool event_may_miss;	     /* not an error if the profile does not have `event` */
	bool keeps_events;	     /* the output also contains the events that are not shown */
	bool keeps_threads;	     /* … and all threads: idle ones are not merged */
	bool loses_waits;	     /* note waits that are not shown: the output lacks them */
	int weight;		     /* enum choose_weight */
	bool wakers;		     /* show waits with their wakers (fold/wakers.h) */
	bool per_thread;	     /* threads are not merged: their names include their IDs */
	unsigned spell, spell_not;   /* enum spelling: added to and removed from the source's */
	const struct filter *filter; /* NULL: everything is shown */
};

/* What the source of a profile implies about how to show it. */
struct choose_hints {
	unsigned spelling; /* enum spelling: of its folded text */
	/*
	 * With several inputs, the events shown by default: the first event of each input, unless
	 * it also has a lead of an earlier input.
	 */
	uint32_t *lead;
	size_t nr_lead, cap_lead;
};

/* Rows of an option table; `field` is the struct choose_opts in the struct that it fills. */
#define CHOOSE_OPTIONS(field) \
	{ "event", \
	  'e', \
	  OPTION_STRING, \
	  AT(field.event), \
	  "NAME,...", \
	  "events to show, or all; several are added up (samples if one is a clock, else weights) [the first]", \
	  0 }, \
	{ \
		"weight", 0, OPTION_CHOICE, AT(field.weight), WEIGHT_CHOICES, \
			"weight of a sample; latency divides its period by the number of running threads [auto: 1 for clocks, else its period]", \
			0 \
	}

/* Another row, for commands that set read_opts.times if it is given. */
#define WAKERS_OPTION(field) \
	{ \
		"wakers", 0, OPTION_FLAG, AT(field.wakers), NULL, \
			"show waits, each followed by the stack of the thread that ended it", 0 \
	}

/* For commands that draw: pictures and the terminal viewer group threads with numbers. */
#define PER_THREAD_OPTION(field) \
	{ \
		"per-thread", 0, OPTION_FLAG, AT(field.per_thread), NULL, \
			"do not merge threads [merged if only the numbers in their names differ, and there are more than 8]", \
			0 \
	}

/* Must readers keep the labels of samples? */
static inline bool choose_needs_labels(const struct choose_opts *o)
{
	return o->weight == WEIGHT_LATENCY;
}

/*
 * Chooses the events to show, adds notes about the others, and applies the filter to p.  The caller
 * releases c.
 */
int choose_events(const struct choose_opts *given, struct profile *p,
		  const struct choose_hints *hints, struct chosen *c, struct error *e);

/*
 * Merges idle threads (fold/idle.h) if time on and off CPU is shown, as choose_events() does without
 * keeps_threads: for outputs that are written after one with keeps_threads.
 */
void choose_merge_idle(struct profile *p, const struct chosen *c);

/* Is it one of the leads, ignoring modifiers? */
bool choose_is_lead(const struct choose_hints *hints, const struct profile *p, uint32_t event);

/* Sets the error for a profile without any stack to show.  Always -1. */
int choose_nothing(const struct choose_opts *o, struct error *e);

/* -1 and the error if all samples have weight 0. */
int choose_weightless(const struct profile *p, struct error *e);

#endif
