/*
 * Traces that say when something began and ended: slices.  Slices of one
 * thread contain each other; what is left of one when those in it are taken
 * off is its own time.  They may come in any order, so all are kept until the
 * end.
 */
#ifndef WICK_READ_SLICES_H
#define WICK_READ_SLICES_H

#include "base/decimal.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "read/build.h"

struct slice {
	int64_t begin, end; /* since the first, in units of 10^-digits of the event's unit */
	frame_id frame;
	uint32_t number; /* in its track */
};

/* One thread. */
struct track {
	struct slice *slice;
	size_t nr, cap;
	size_t *open; /* slices without an end yet, outermost first */
	size_t nr_open, cap_open;
	struct thread thread;
};

/* { .b = …}: counts as the event that is set there when slices_count() is called. */
struct slices {
	struct build *b;
	struct track *track;
	size_t nr_track, cap_track;
	struct intern keys; /* the tracks' ids as written */
	struct strbuf key;
	uint32_t *order; /* of the tracks' first slices */
	size_t nr_order, cap_order;
	int digits;
	int64_t largest; /* time, either way from the first */
	struct decimal first;
	bool has_first;
};

void slices_release(struct slices *s);

/* The number of the track with these ids, which need not be numbers. */
uint32_t slices_track(struct slices *s, struct span pid, struct span tid);

int slices_add(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
	       struct decimal duration, struct error *e);

/* A slice whose end comes later; the one that began last ends first. */
int slices_begin(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
		 struct error *e);
int slices_end(struct slices *s, uint32_t track, struct decimal end, struct error *e);

/* Adds all to the profile, track by track; notes those without an end. */
int slices_count(struct slices *s, struct error *e);

#endif
