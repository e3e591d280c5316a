/* Compresses records: many of them become one PERF_RECORD_COMPRESSED, with zstd. */
#ifndef WICK_EVENT_RECORDING_PACK_H
#define WICK_EVENT_RECORDING_PACK_H

#include "base/fields.h"
#include "base/output.h"
#include "base/strbuf.h"

enum {
	PACKER_LEVEL = 6,	 /* of zstd */
	PACKER_ROOM = 64 * 1024, /* what one decompresses to, at most */
};

struct packer {
	struct output *out;
	enum byte_order order;
	struct strbuf plain;  /* records that are to be compressed together */
	struct strbuf packed; /* the record that they become */
	struct ZSTD_CCtx_s *zstd;
	uint64_t nr_plain, nr_packed; /* bytes before and after compression */
	uint64_t nr_written;	      /* bytes of all records in the file */
};

void packer_init(struct packer *p, struct output *out);
void packer_release(struct packer *p);

void packer_add(struct packer *p, struct span record);
void packer_end(struct packer *p);

#endif
