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
		uint32_t ticket;     /* 0: it only waits for those before it */
	} * record;
	size_t nr, cap;
};

void held_release(struct held *h);

static inline bool held_any(const struct held *h)
{
	return h->nr;
}

/* Copies another one; true if more than RECORDING_HELD_MAX bytes wait now. */
bool held_add(struct held *h, struct span bytes, const struct held_record *record);

/* Gives them their roots where they are known, and keeps them: they wait for no others from then on. */
void held_settle(struct held *h, enum byte_order order, recording_root *root, void *arg);

/* Writes all of them, with their roots; root NULL: none is known. */
void held_write(struct held *h, struct packer *to, enum byte_order order, recording_root *root,
		void *arg);

#endif
