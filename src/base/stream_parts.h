/* What the files share that make a stream: stream.c has its bytes, stream_unpack.c and stream_seek.c what else can be done with them. */
#ifndef WICK_BASE_STREAM_PARTS_H
#define WICK_BASE_STREAM_PARTS_H

#include "base/stream.h"

#include <zlib.h>
#include <zstd.h>

enum { STREAM_RAW_SIZE = 256 * 1024 };

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

struct stream {
	int fd; /* -1: memory */
	char *name;
	uint64_t position, size;
	uint64_t changed;
	enum packing packing;
	z_stream gzip;
	ZSTD_DStream *zstd;
	bool in_member; /* unpacking has begun a member (frame) and not seen its end */
	bool at_end;
	/* Bytes as they are on disk: the packed ones, and what the look at the first bytes took. */
	unsigned char *raw;
	size_t raw_at, raw_size;
	char *map; /* of the whole file, or NULL */
	size_t map_size, unmapped;
	struct stream *next;	/* whose bytes follow */
	struct stream *current; /* of the chain that begins here: who is being read */
	char *folder;		/* that was opened, or NULL */
	struct stream *beside;	/* others of it */
};

/* More bytes as they are on disk, once those that are there are used up. */
int stream_refill(struct stream *s, struct error *e);

/* stream_unpack.c: by the first bytes, how they are packed. */
int stream_detect(struct stream *s, struct error *e);
ssize_t stream_read_gzip(struct stream *s, void *buf, size_t size, struct error *e);
ssize_t stream_read_zstd(struct stream *s, void *buf, size_t size, struct error *e);
void stream_end_unpacking(struct stream *s);

#endif
