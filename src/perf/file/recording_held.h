/* Samples that wait for the root of their call chain, and the records after them, in order. */
#ifndef WICK_PERF_FILE_RECORDING_HELD_H
#define WICK_PERF_FILE_RECORDING_HELD_H

#include "base/fields.h"
#include "perf/file/recording.h"
#include "perf/file/recording_pack.h"

struct held {
	struct strbuf bytes;
	struct held_record {
		uint32_t size;
		uint32_t chain, end; /* offsets of its call chain, which begins with its length */
		uint32_t ticket;     /* 0: it only waits for records before it */
	} * record;
	size_t nr, cap;
};

void held_release(struct held *h);

static inline bool held_any(const struct held *h)
{
	return h->nr;
}

/* Adds a copy of a record; true if more than RECORDING_HELD_MAX bytes wait now. */
bool held_add(struct held *h, struct span bytes, const struct held_record *record);

/* Adds the roots that are known, and keeps the records, which then wait no longer. */
void held_settle(struct held *h, enum byte_order order, recording_root *root, void *arg);

/* Writes all records, with the roots that are known (root NULL: none), and removes them. */
void held_write(struct held *h, struct packer *to, enum byte_order order, recording_root *root,
		void *arg);

#endif
