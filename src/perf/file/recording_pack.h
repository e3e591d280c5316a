/* Compresses records with zstd: many are combined into one PERF_RECORD_COMPRESSED. */
#ifndef WICK_PERF_FILE_RECORDING_PACK_H
#define WICK_PERF_FILE_RECORDING_PACK_H

#include "base/fields.h"
#include "base/output.h"
#include "base/strbuf.h"

enum {
	PACKER_LEVEL = 6,	 /* of zstd */
	PACKER_ROOM = 64 * 1024, /* maximum decompressed size of one record */
};

struct packer {
	struct output *out;
	enum byte_order order;
	struct strbuf plain;  /* records to be compressed into one */
	struct strbuf packed; /* the compressed record */
	struct ZSTD_CCtx_s *zstd;
	uint64_t nr_plain, nr_packed; /* bytes before and after compression */
	uint64_t nr_written;	      /* bytes of all records in the file */
};

void packer_init(struct packer *p, struct output *out);
void packer_release(struct packer *p);

void packer_add(struct packer *p, struct span record);
void packer_end(struct packer *p);

#endif
