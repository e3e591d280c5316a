/* Private to stream.c, stream_unpack.c (decompression) and stream_seek.c (random access). */
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
	bool in_member; /* inside a gzip member or a zstd frame: the input must not end here */
	bool at_end;
	/* Bytes as they are on disk, read but not used yet: from raw_at to raw_size. */
	unsigned char *raw;
	size_t raw_at, raw_size;
	char *map; /* of the whole file, or NULL */
	size_t map_size, unmapped;
	struct stream *next;	/* see stream_chain() */
	struct stream *current; /* the one of the chain that is being read */
	char *folder;		/* that was opened, or NULL */
	struct stream *beside;	/* other files of it that were mapped */
};

/* Reads more raw bytes, if there are none left. */
int stream_refill(struct stream *s, struct error *e);

/* stream_unpack.c: detects the compression by the first bytes. */
int stream_detect(struct stream *s, struct error *e);
ssize_t stream_read_gzip(struct stream *s, void *buf, size_t size, struct error *e);
ssize_t stream_read_zstd(struct stream *s, void *buf, size_t size, struct error *e);
void stream_end_unpacking(struct stream *s);

#endif
