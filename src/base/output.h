/*
 * Buffered output to a file or standard output.  Errors are kept until output_close(), which
 * must be checked: a full disk is an error, never a short file.
 */
#ifndef WICK_BASE_OUTPUT_H
#define WICK_BASE_OUTPUT_H

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/span.h"

#include <stdint.h>
#include <sys/uio.h>

enum { OUTPUT_BUFFER = 128 * 1024 };

struct output {
	int fd;
	bool failed; /* nothing is written any more */
	int sys;     /* errno of the first failure */
	size_t used; /* bytes in buf */
	const char *name;
	char *buf;
	struct atomic_file place; /* of output_open_whole() */
};

/* "-" is standard output.  The path must outlive the output. */
int output_open(struct output *o, const char *path, struct error *e);

/*
 * The same, but the file appears under its name only in output_close(), when it is complete: on errors,
 * an existing file of that name is unchanged.  Devices and pipes are written to directly.
 */
int output_open_whole(struct output *o, const char *path, struct error *e);

/* Writes the buffer. */
void output_flush(struct output *o);

/* output_add() for text that does not fit into the buffer. */
void output_large(struct output *o, struct span s);

static inline void output_add(struct output *o, struct span s)
{
	if (s.size > OUTPUT_BUFFER - o->used) {
		output_large(o, s);
		return;
	}
	if (s.size)
		memcpy(o->buf + o->used, s.at, s.size);
	o->used += s.size;
}

/* Appends pieces without copying them to the buffer; changes the array. */
void output_pieces(struct output *o, struct iovec *piece, size_t nr);

/* Room for `size` bytes, at most OUTPUT_BUFFER; the caller writes there and adds to `used`. */
static inline char *output_room(struct output *o, size_t size)
{
	if (size > OUTPUT_BUFFER - o->used)
		output_flush(o);
	return o->buf + o->used;
}

static inline void output_char(struct output *o, char c)
{
	output_add(o, (struct span){ .at = &c, .size = 1 });
}

/* Overwrites bytes that were added before, at an offset; an error for a pipe. */
void output_patch(struct output *o, uint64_t at, struct span s);

/* Makes output_close() fail with that errno: the caller cannot produce the rest. */
void output_fail(struct output *o, int sys);

/* Closes it without an error; a file of output_open_whole() never appears. */
void output_drop(struct output *o);

/* Flushes and closes; -1 if anything could not be written.  Frees everything in any case. */
int output_close(struct output *o, struct error *e);

#endif
