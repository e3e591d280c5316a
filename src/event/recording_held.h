/*
 * Records that wait, in their order, behind a sample that may still get the root of its call chain.
 */
#ifndef WICK_EVENT_RECORDING_HELD_H
#define WICK_EVENT_RECORDING_HELD_H

#include "base/fields.h"
#include "event/recording.h"
#include "event/recording_pack.h"

struct held {
	struct strbuf bytes;
	struct held_record {
		uint32_t size;
		uint32_t chain,
			end; /* where in it its chain begins, with its number of words, and ends */
		uint32_t ticket; /* 0: it is finished, and only waits */
	} * record;
	size_t nr, cap;
};

void held_release(struct held *h);

static inline bool held_any(const struct held *h)
{
	return h->nr;
}

/* One more; is what waits too much now? */
bool held_add(struct held *h, struct span bytes, const struct held_record *record);

/* Writes all of them; root may be NULL: nobody has one. */
void held_write(struct held *h, struct packer *to, enum byte_order order, recording_root *root,
		void *arg);

#endif
