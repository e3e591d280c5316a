/* The events of a recording (perf_event_attr), and which of them a record belongs to, by its ID. */
#ifndef WICK_PERF_ATTRS_H
#define WICK_PERF_ATTRS_H

#include "base/strbuf.h"
#include "perf/event.h"

struct attrs {
	struct attr *attr;
	struct strbuf *name; /* by attr; empty: see attrs_name() */
	size_t nr, cap;
	struct attr_id *id; /* a hash table */
	size_t nr_id, cap_id;
};

enum {
	ATTRS_MAX = 4096,
	ATTR_IDS_MAX = 4 * 1024 * 1024, /* one for each event, CPU and thread */
};

void attrs_release(struct attrs *t);

/* Returns the number of the new attr; -1: limit reached. */
int attrs_add(struct attrs *t, const struct attr *a);

/* Appends the name recorded with the attr, or else that of attr_name(). */
void attrs_name(struct strbuf *out, const struct attrs *t, size_t attr);

/* Records with this ID belong to that attr. */
void attrs_add_id(struct attrs *t, uint64_t id, size_t attr);

/* The number of the attr with that ID, or -1. */
int attrs_find_id(const struct attrs *t, uint64_t id);

/* The number of the attr that a record belongs to; -1 if its ID is missing or unknown. */
int attrs_of_record(const struct attrs *t, struct span record, enum byte_order order);

#endif
