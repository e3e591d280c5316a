/* Private to stream.c, stream_unpack.c (decompression) and stream_seek.c (random access). */
#ifndef WICK_BASE_STREAM_PARTS_H
#define WICK_BASE_STREAM_PARTS_H

#include "base/stream.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

enum { STREAM_RAW_SIZE = 256 * 1024 };

/* UTF-16 is an encoding, not compression, but its bytes must be converted, too. */
enum packing {
	PACKING_NONE,
	PACKING_GZIP,
	PACKING_ZSTD,
	PACKING_XZ,
	PACKING_UTF16_LE,
	PACKING_UTF16_BE,
};

struct stream {
	int fd; /* -1: memory */
	char *name;
	uint64_t position, size;
	uint64_t changed;
	enum packing packing;
	z_stream gzip;
	ZSTD_DStream *zstd;
	lzma_stream xz;
	uint32_t high;	   /* UTF-16: the first half of a pair of surrogates, or 0 */
	char character[8]; /* UTF-16: the last characters as UTF-8, not completely read yet */
	size_t character_at, character_size;
	bool in_member; /* inside a gzip member or a zstd frame: the input must not end here */
	bool at_end;
	/* Bytes as on disk, read but not consumed yet: from raw_at to raw_size. */
	unsigned char *raw;
	size_t raw_at, raw_size;
	char *map; /* of the whole file, or NULL */
	size_t map_size, unmapped;
	struct stream *inside;	/* the decompressed data, which may be UTF-16; or NULL */
	struct stream *outer;	/* the stream of which this is `inside`, or NULL */
	struct stream *next;	/* see stream_chain() */
	struct stream *current; /* the one of the chain that is being read */
	char *folder;		/* the directory that was opened, or NULL */
	struct stream *beside;	/* other files in it that were mapped */
};

/* Reads more raw bytes, if none are left. */
int stream_refill(struct stream *s, struct error *e);

/* stream_unpack.c: detects the compression by the first bytes. */
int stream_detect(struct stream *s, struct error *e);

/* The same for decompressed data: detects only UTF-16, because a gzip file may contain itself. */
int stream_detect_text(struct stream *s, struct error *e);

/* Reads decompressed bytes. */
ssize_t stream_decompress(struct stream *s, void *buf, size_t size, struct error *e);
ssize_t stream_read_utf16(struct stream *s, void *buf, size_t size, struct error *e);
void stream_end_unpacking(struct stream *s);

#endif
