/*
 * Flows between slices: arrows from a slice that started something to the slice where it continued, in
 * another thread or later in the same one.  A flow has ends, each in a slice.  The slice of an incoming
 * end gets an async link to the slice of the latest outgoing end before it.
 *
 * Ends come in any order, and so do slices: all ends are stored until slices_count(), which finds their
 * slices as it processes each track.
 */
#ifndef WICK_READ_SLICE_FLOWS_H
#define WICK_READ_SLICE_FLOWS_H

#include "read/build.h"

enum flow_kind {
	FLOW_IN = 1,   /* an incoming end */
	FLOW_OUT = 2,  /* an outgoing end */
	FLOW_NEXT = 4, /* in the next slice that begins, not in the innermost one at that time */
};

struct flow_end {
	int64_t time;	 /* as in struct slice */
	int digits;	 /* slices.digits when it was stored */
	unsigned kind;	 /* enum flow_kind */
	uint32_t id;	 /* in flows.ids */
	uint32_t track;	 /* of slices */
	uint32_t number; /* in input order */
	uint32_t slice;	 /* 1 + the number of its slice; 0: to be found by time */
	uint32_t from;	 /* incoming: 1 + the index of its outgoing end; 0: none */
	uint32_t next;	 /* 1 + the next end in the same slice; 0: the last */
	uint32_t nest;	 /* identifies the slice that it was assigned to; 0: none yet */
	link_id in;	 /* incoming: the link of that slice's interval, set by flows_end() */
	link_id out;	 /* outgoing: an unused link that holds that interval until flows_end() */
};

struct flows {
	struct flow_end *end; /* after flows_begin(), sorted by flow and time */
	size_t nr, cap;
	struct intern ids;
	uint32_t *by_time;  /* ends whose slice is to be found, by track and time */
	uint32_t *by_slice; /* ends whose slice is known, by slice */
	size_t nr_by_time, nr_by_slice;
	size_t at; /* the next one of by_time */
	uint32_t nr_nest;
};

/* The limit of ends: 64 MB.  Further ones are dropped, and counted in a note. */
enum { FLOW_ENDS_MAX = 1024 * 1024 };

void flows_release(struct flows *f);

/* Sorts the stored ends.  order: by track, its position; UINT32_MAX: it has no slices. */
void flows_begin(struct flows *f, const uint32_t *order);

/* The next end of the track up to the time, of those whose slice is found by time; NULL: there is none. */
struct flow_end *flows_next(struct flows *f, uint32_t track, int64_t time);

/* Prepends the end, or all ends with that slice number, to the list of the ends in a slice. */
void flows_bind(struct flows *f, struct flow_end *end, uint32_t *list);
void flows_bind_slice(struct flows *f, uint32_t number, uint32_t *list);

/* Prepends the links of a slice with that list of ends to `link`. */
link_id flows_links(struct flows *f, struct profile *p, uint32_t list, link_id link);

/* The interval of that slice was added, as the last one. */
void flows_added(struct flows *f, struct profile *p, uint32_t list);

/* Completes the links, after all intervals were added. */
void flows_end(struct flows *f, struct profile *p, const thread_id *thread);

#endif
