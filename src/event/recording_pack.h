/* Records on their way into a file: many of them become one that is packed with zstd. */
#ifndef WICK_EVENT_RECORDING_PACK_H
#define WICK_EVENT_RECORDING_PACK_H

#include "base/fields.h"
#include "base/output.h"
#include "base/strbuf.h"

enum {
	PACKER_LEVEL = 6,
	/* What is packed into one record: never more than a record holds, even if it gets no smaller. */
	PACKER_ROOM = 64 * 1024,
};

struct packer {
	struct output *out;
	enum byte_order order;
	struct strbuf plain;  /* whole records that wait */
	struct strbuf packed; /* a record */
	struct ZSTD_CCtx_s *zstd;
	uint64_t nr_plain, nr_packed; /* bytes that went in, and that came out */
	uint64_t nr_written;	      /* bytes of all */
};

void packer_init(struct packer *p, struct output *out);
void packer_release(struct packer *p);

void packer_add(struct packer *p, struct span record);
void packer_end(struct packer *p);

#endif
