/*
 * Bytes from a file, standard input or memory, unpacked on the way when they
 * are gzip or zstd (told by their first bytes, never by the name).
 */
#ifndef WICK_BASE_STREAM_H
#define WICK_BASE_STREAM_H

#include "base/error.h"
#include "base/span.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct stream;

/*
 * "-" is standard input; a folder stands for the file `data` in it.  NULL and an error that names the
 * path when it cannot be read.
 */
struct stream *stream_open(const char *path, struct error *e);

/* Over bytes that stay the caller's. */
struct stream *stream_over(struct span bytes);

/* The bytes of `next` follow those of s, whose it is from here on. */
void stream_chain(struct stream *s, struct stream *next);

/*
 * Fills buf with size bytes; fewer only at the end of the input, -1 when it
 * breaks off.
 */
ssize_t stream_read(struct stream *s, void *buf, size_t size, struct error *e);

/*
 * Bytes from anywhere, without a change to what is read next; fewer only at the end.
 * A stream that is packed or a pipe must be spooled before: it is copied whole to a
 * temporary file without a name, and goes on there.
 */
bool stream_can_seek(const struct stream *s);
int stream_spool(struct stream *s, struct span already_read, struct error *e);
ssize_t stream_read_at(const struct stream *s, uint64_t offset, void *buf, size_t size,
		       struct error *e);

/*
 * All of a stream that can be sought in, as memory, until it is closed; false when it cannot be had.
 * What was passed over for good may be given back: it is read again if it was not for good.
 */
bool stream_map(struct stream *s, struct span *bytes);
void stream_unmap_before(struct stream *s, uint64_t offset);

/* Another file of the folder that was opened, as memory until the stream is closed; false when there is none. */
bool stream_beside(struct stream *s, const char *name, struct span *bytes);

/* How much of the file was used up, and its size on disk (0 for a pipe): for progress. */
uint64_t stream_position(const struct stream *s);
uint64_t stream_size(const struct stream *s);

/* When the file was last written to, in ns since 1970; 0: it is none. */
uint64_t stream_changed(const struct stream *s);

void stream_close(struct stream *s);

#endif
