/* The events of a recording, and which of them wrote a record. */
#ifndef WICK_EVENT_ATTRS_H
#define WICK_EVENT_ATTRS_H

#include "base/strbuf.h"
#include "event/event.h"

struct attrs {
	struct attr *attr;
	struct strbuf *name; /* by attr; empty: see attrs_name() */
	size_t nr, cap;
	struct attr_id *id; /* a hash table; of 2^n slots */
	size_t nr_id, cap_id;
};

enum {
	ATTRS_MAX = 4096,
	ATTR_IDS_MAX = 4 * 1024 * 1024, /* an id for each event, processor and thread */
};

void attrs_release(struct attrs *t);

/* The number of the new attr; -1 when there are too many. */
int attrs_add(struct attrs *t, const struct attr *a);

/* Appends the name that was recorded with the attr, or else what attr_name() calls it. */
void attrs_name(struct strbuf *out, const struct attrs *t, size_t attr);

/* Records with this id are of that attr. */
void attrs_add_id(struct attrs *t, uint64_t id, size_t attr);

/* Whose the id is; -1 when nobody's. */
int attrs_find_id(const struct attrs *t, uint64_t id);

/* Which attr wrote the record; -1 when that cannot be told. */
int attrs_of_record(const struct attrs *t, struct span record, enum byte_order order);

#endif
