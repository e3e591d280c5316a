/*
 * Traces of slices: functions with a begin and an end.  Slices of one thread nest; the self time of
 * a slice is its duration minus that of the slices directly in it.  They may come in any order, so
 * all are stored until slices_count(); if there are many, in a temporary file.
 *
 * A track may also be an asynchronous operation, which began in a thread, but is not on the stack of
 * any: its slices belong to the event `async`, and each is linked to the enclosing one.
 *
 * A slice that ends after the enclosing one does not nest.  The stack at any time consists of the slices
 * that are open then, in order of their begin: so the slice is split in two, and the second part begins
 * where the outer one ends.
 */
#ifndef WICK_READ_SLICES_H
#define WICK_READ_SLICES_H

#include "base/decimal.h"
#include "base/intern.h"
#include "base/sorted_runs.h"
#include "base/strbuf.h"
#include "read/build.h"
#include "read/slice_flows.h"

struct slice {
	int64_t begin, end; /* since the first time of the input: in 10^-digits of its unit */
	frame_id frame;
	uint32_t track;	 /* index in slices.order */
	uint32_t number; /* in input order */
	int digits;	 /* slices.digits when it was stored; rescaled if that has grown since */
};

/* One thread, or one asynchronous operation. */
struct track {
	size_t nr;	    /* number of its slices */
	uint32_t order;	    /* its index in slices.order, if it has slices */
	struct slice *open; /* slices that have not ended yet, outermost first */
	size_t nr_open, cap_open;
	size_t nr_deep; /* further open ones, dropped because they exceed the depth limit */
	struct thread thread;
	str_id event;	 /* its name; empty: b->event */
	bool is_sampled; /* its slices were made of samples, by wick */
	uint32_t
		began; /* of an asynchronous operation: 1 + the track of the thread where it began */
};

/* A slice that contains the current time, and that the next ones may nest in. */
struct nest {
	int64_t begin, end, self;
	frame_id frame;
	stack_id stack;
	link_id inner; /* the link from slices nested in it to this one, if they need one */
	uint32_t flow; /* its list of flow ends */
};

struct nests {
	struct nest *at; /* outermost first */
	size_t nr, cap;
	bool is_async; /* each is linked to the enclosing one */
};

/* Begins as { .b = … }. */
struct slices {
	struct build *b;
	struct track *track;
	size_t nr_track, cap_track;
	struct intern keys; /* "pid/tid" as written → track */
	struct strbuf key;
	uint32_t *order; /* tracks with slices, by their first slice */
	size_t nr_order, cap_order;
	struct sorted_runs stored;
	uint32_t nr_slice;
	int digits;	      /* after the decimal point: those of the finest time */
	int64_t largest;      /* the largest absolute value of a time so far */
	int64_t last;	      /* the latest time so far */
	int64_t last_begin;   /* of the slice that was added last */
	struct decimal first; /* the first time, negated */
	int64_t ns;	      /* per unit of the input; 0: it is not a unit of time */
	int64_t earliest;     /* begin of a slice, relative to the first one; 0 or less */
	bool has_first;
	struct flows flows;
	/* For slices_stream() */
	struct nests open;
	int64_t now; /* the latest time */
};

void slices_release(struct slices *s);

/* The track with these IDs, created if it is new; they need not be numbers. */
uint32_t slices_track(struct slices *s, struct span pid, struct span tid);

/*
 * The track of the asynchronous operation with that key, created if it is new: it began in the thread
 * of the other track.
 */
uint32_t slices_async(struct slices *s, struct span key, uint32_t began);

/* Adds an end of a flow in the slice at that time.  Stored if intervals are. */
int slices_flow(struct slices *s, uint32_t track, struct span flow, unsigned kind,
		struct decimal at, struct error *e);

/* The same in the slice that was added last. */
int slices_flow_of_last(struct slices *s, uint32_t track, struct span flow, unsigned kind,
			struct error *e);

/* Adds a slice whose duration is known. */
int slices_add(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
	       struct decimal duration, struct error *e);

/* Adds a slice without an end: it lasts until the end of the trace. */
int slices_add_open(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
		    struct error *e);

/* Another event at that time: the trace does not end before it. */
void slices_seen(struct slices *s, struct decimal time);

/*
 * The same for a value of a counter, which may also be where the trace begins.  The time of the input is
 * in us; *ns is relative to its first time.  False: out of range.
 */
bool slices_point(struct slices *s, struct decimal time, int64_t *ns);

/* When the trace begins, also relative to the first time. */
int64_t slices_begin_ns(const struct slices *s);

/* Begins a slice; ends the open one of the track that began last. */
int slices_begin(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
		 struct error *e);
int slices_end(struct slices *s, uint32_t track, struct decimal end, struct error *e);

/*
 * The same for functions of one thread that open and close in order of time: each is counted when it
 * closes, as b->event and b->thread, so only the open ones are stored.
 */
int slices_stream(struct slices *s, struct error *e);
int slices_stream_open(struct slices *s, frame_id frame, struct decimal at, struct error *e);
int slices_stream_close(struct slices *s, struct decimal at, struct error *e);

/* Ends all open slices at the end of the trace, and adds a note. */
int slices_stream_end(struct slices *s, struct error *e);

/*
 * Adds all slices to the profile, track by track, as b->event, or as the event of their track in the same unit.
 * A slice without an end lasts as long as the enclosing one, or until the end of the trace, and is noted.
 */
int slices_count(struct slices *s, struct error *e);

#endif
