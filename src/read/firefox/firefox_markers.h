/*
 * The markers of a Firefox Profiler profile that last some time: garbage collections, requests,
 * layouts.  They may overlap, so each is a separate interval, not nested in another.
 */
#ifndef WICK_READ_FIREFOX_FIREFOX_MARKERS_H
#define WICK_READ_FIREFOX_FIREFOX_MARKERS_H

#include "read/firefox/firefox_samples.h"

struct firefox_marker {
	uint64_t begin, end; /* ns */
	thread_id thread;
	stack_id stack; /* its name */
	bool caused;	/* its cause is known: */
	uint32_t tid;	/* the ID of another thread, or THREAD_UNKNOWN */
	stack_id cause; /* the stack there */
};

struct firefox_markers {
	struct firefox_marker *at;
	size_t nr, cap;
};

/* Stores the markers of the thread of f->b, whose table is in `own`, until all threads are read. */
int firefox_markers_add(struct firefox_markers *m, const struct firefox_samples *s,
			const struct firefox_frames *f, const struct firefox_tables *own,
			struct error *e);

/* Counts all markers as the last event, so that samples are shown by default. */
int firefox_markers_count(const struct firefox_markers *m, struct build *b, struct error *e);
void firefox_markers_release(struct firefox_markers *m);

#endif
