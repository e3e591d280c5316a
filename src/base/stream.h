/*
 * Bytes from a file, standard input or memory; gzip, zstd and xz are decompressed, and UTF-16
 * becomes UTF-8, which is detected by the first bytes, never by the name.
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
 * "-" is standard input; for a directory, it is the file `data` in it (`perf record --threads`).  NULL,
 * and an error with the path, if it cannot be read.
 */
struct stream *stream_open(const char *path, struct error *e);

/* Over a copy of these bytes. */
struct stream *stream_over(struct span bytes);

/* Appends another stream, which s owns from here on. */
void stream_chain(struct stream *s, struct stream *next);

/* Fills buf with size bytes, fewer only at the end of the input; -1: error, or damaged data. */
ssize_t stream_read(struct stream *s, void *buf, size_t size, struct error *e);

/*
 * Random access, which does not change what stream_read() reads next; fewer bytes only at the end.
 * A compressed stream or a pipe must be spooled first: all of it is copied to an unnamed temporary
 * file, from which the stream continues.  already_read are the bytes read from it before; more than
 * `max` bytes are an error.
 */
bool stream_can_seek(const struct stream *s);
int stream_spool(struct stream *s, struct span already_read, uint64_t max, struct error *e);
ssize_t stream_read_at(const struct stream *s, uint64_t offset, void *buf, size_t size,
		       struct error *e);

/*
 * Maps all of a stream that can seek, until it is closed; false if that fails.
 * stream_unmap_before() frees the pages before an offset; if they are needed again, they are read
 * from the file.
 */
bool stream_map(struct stream *s, struct span *bytes);
void stream_unmap_before(struct stream *s, uint64_t offset);

/* Frees the pages of this part of the mapping in the same way; does nothing for other memory. */
void stream_forget(struct stream *s, struct span part);

/*
 * Maps another file of the directory that was opened, until the stream is closed; false: there is
 * none.
 */
bool stream_beside(struct stream *s, const char *name, struct span *bytes);

/* How many bytes of the file were read, and its size on disk (0 for a pipe): for progress. */
uint64_t stream_position(const struct stream *s);
uint64_t stream_size(const struct stream *s);

/* The path that was opened; "standard input", "memory". */
const char *stream_name(const struct stream *s);

/* When the file was last changed, in ns since 1970; 0: it is not a file. */
uint64_t stream_changed(const struct stream *s);

void stream_close(struct stream *s);

#endif
