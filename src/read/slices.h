/*
 * Traces of slices: functions with a begin and an end.  Slices of one thread
 * nest; the self time of a slice is its duration less that of the slices directly
 * in it.  They may come in any order, so all are kept until slices_count().
 */
#ifndef WICK_READ_SLICES_H
#define WICK_READ_SLICES_H

#include "base/decimal.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "read/build.h"

struct slice {
	int64_t begin, end; /* since the first time of all: 10^-slices.digits of the input's unit */
	frame_id frame;
	uint32_t number; /* in its track, in the order of the input */
};

/* One thread. */
struct track {
	struct slice *slice;
	size_t nr, cap;
	size_t *open; /* indices of slices without an end yet, outermost first */
	size_t nr_open, cap_open;
	struct thread thread;
};

/* Begins as { .b = … }. */
struct slices {
	struct build *b;
	struct track *track;
	size_t nr_track, cap_track;
	struct intern keys; /* "pid/tid" as written → track */
	struct strbuf key;
	uint32_t *order; /* tracks with slices, by which came first */
	size_t nr_order, cap_order;
	int digits;	      /* behind the decimal point: as many as the finest time has */
	int64_t largest;      /* the largest absolute value of a time so far */
	struct decimal first; /* the first time, negated */
	bool has_first;
};

void slices_release(struct slices *s);

/* The track with these ids, made if it is new; they need not be numbers. */
uint32_t slices_track(struct slices *s, struct span pid, struct span tid);

/* Adds a slice whose duration is known. */
int slices_add(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
	       struct decimal duration, struct error *e);

/* Begins a slice; ends the open one of the track that began last. */
int slices_begin(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
		 struct error *e);
int slices_end(struct slices *s, uint32_t track, struct decimal end, struct error *e);

/* Adds all to the profile as b->event, track by track; notes slices without an end. */
int slices_count(struct slices *s, struct error *e);

#endif
