/*
 * Flows between slices: arrows from what started something to where it went on, in another thread or
 * later in the same.  A flow has ends, each in a slice; an end that a flow comes in at gets an async
 * link to the slice of the latest end before it where the flow goes out.
 *
 * Ends come in any order, and so do slices: all ends are stored until slices_count(), which finds the
 * slice of each as it passes over its track.
 */
#ifndef WICK_READ_SLICE_FLOWS_H
#define WICK_READ_SLICE_FLOWS_H

#include "read/build.h"

enum flow_kind {
	FLOW_IN = 1,   /* it comes in here */
	FLOW_OUT = 2,  /* it goes out from here */
	FLOW_NEXT = 4, /* of the next slice that begins, not of the innermost one at that time */
};

struct flow_end {
	int64_t time;	 /* as those of slices */
	int digits;	 /* slices.digits when it was stored */
	unsigned kind;	 /* enum flow_kind */
	uint32_t id;	 /* in flows.ids */
	uint32_t track;	 /* of slices */
	uint32_t number; /* in the order of the input */
	uint32_t slice;	 /* 1 + the number of the slice that it is of; 0: the time tells which */
	uint32_t from;	 /* 1 + the end where the flow that comes in here went out; 0: none */
	uint32_t next;	 /* 1 + the next end in the same slice; 0: the last */
	uint32_t nest;	 /* the slice that it was found in; 0: none */
	link_id in;	 /* the link of that slice's interval */
	link_id out;	 /* … and of nothing: stands for that interval until all are there */
};

struct flows {
	struct flow_end *end; /* sorted by flow and time once all are there */
	size_t nr, cap;
	struct intern ids;
	uint32_t *by_time;  /* ends by track and time, but for those of a known slice */
	uint32_t *by_slice; /* … and these, by slice */
	size_t nr_by_time, nr_by_slice;
	size_t at; /* the next one of by_time */
	uint32_t nr_nest;
};

/* More ends are dropped, and counted: 64 MB. */
enum { FLOW_ENDS_MAX = 1024 * 1024 };

void flows_release(struct flows *f);

/* Sorts what was stored.  order: by track, where it comes; UINT32_MAX: it has no slices. */
void flows_begin(struct flows *f, const uint32_t *order);

/* The next end of the track up to the time, of those that it alone tells; NULL: there is none. */
struct flow_end *flows_next(struct flows *f, uint32_t track, int64_t time);

/* Puts the end, or all ends that are of that slice, in front of a list of those in one slice. */
void flows_bind(struct flows *f, struct flow_end *end, uint32_t *list);
void flows_bind_slice(struct flows *f, uint32_t number, uint32_t *list);

/* The links of a slice with that list of ends, in front of `link`. */
link_id flows_links(struct flows *f, struct profile *p, uint32_t list, link_id link);

/* The interval of that slice was added, as the last one. */
void flows_added(struct flows *f, struct profile *p, uint32_t list);

/* Fills in the links when all intervals are there. */
void flows_end(struct flows *f, struct profile *p, const thread_id *thread);

#endif
