/*
 * Bytes out, to a file or standard output, through one buffer whose close is
 * checked: a full disk is an error, never a short file.
 */
#ifndef WICK_BASE_OUTPUT_H
#define WICK_BASE_OUTPUT_H

#include "base/error.h"
#include "base/place.h"
#include "base/span.h"

#include <stdint.h>

enum { OUTPUT_BUFFER = 128 * 1024 };

struct output {
	int fd;
	bool failed; /* errno of the first failure is in `sys`; nothing is written any more */
	int sys;
	size_t used;
	const char *name;
	char *buf;
	struct place place; /* where it shall be; no path: it is there already */
};

/* "-" is standard output.  The name must outlive it. */
int output_open(struct output *o, const char *path, struct error *e);

/*
 * The same, but the file gets its name when it is closed, whole: whatever goes wrong,
 * what had the name before is still there.  What is no file (a device) is written to at once.
 */
int output_open_whole(struct output *o, const char *path, struct error *e);

/* Appends; failure shows at output_close(). */
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

static inline void output_char(struct output *o, char c)
{
	output_add(o, (struct span){ .at = &c, .size = 1 });
}

/* Writes over bytes that were added before; a pipe fails. */
void output_patch(struct output *o, uint64_t at, struct span s);

/* Nothing more is written, and it is an error: for those who make what is written. */
void output_fail(struct output *o, int sys);

/* Closes it, and takes a file away that is not whole. */
void output_drop(struct output *o);

/* Writes out what is left; -1 when any byte did not arrive. */
int output_close(struct output *o, struct error *e);

#endif
