/*
 * The sections of a pack.  A section has a tag and a body; a large body is split into chunks, each
 * deflated if that saves enough.  See docs/pack.md.
 */
#ifndef WICK_PACK_SECTION_H
#define WICK_PACK_SECTION_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/strbuf.h"

/* Precedes every pack; the last byte is the version. */
#define PACK_MAGIC "\x89wick\r\n\x01"

/* The sections, in their order. */
#define PACK_TAGS "SMFKTEGLCDAVQNIvwc"

enum { PACK_NR_TAGS = sizeof(PACK_TAGS) - 1, PACK_MAGIC_SIZE = sizeof(PACK_MAGIC) - 1 };

/* The largest decompressed body that is read: bytes. */
#define PACK_BODY_MAX ((uint64_t)1 << 30)

/* The size of a chunk of a large body: bytes, uncompressed.  Chunks are deflated at the same time. */
enum { PACK_CHUNK_SIZE = 256 * 1024 };

/* A section that is being written. */
struct section {
	struct strbuf body; /* the caller fills it */
	size_t expected;    /* approximate size of the whole body; 0: unknown */
	bool even;	    /* it was cut by section_cut_even() */
	struct chunk **chunk;
	size_t nr_chunk, cap_chunk;
};

/* To be called occasionally between two rows: passes a chunk that is large enough to a thread. */
void section_cut(struct section *s);

/*
 * The same, but cuts at any byte, as section_end() does: for columns, which are large and would
 * occupy memory until then.
 */
void section_cut_even(struct section *s);

/* Moves the body of another section to the end of this one's. */
void section_append(struct section *s, struct section *behind);

/* The body is complete: starts to deflate it, a large one in threads. */
void section_end(struct section *s);

/* Waits for the threads, appends the section to `out` unless it is empty, and releases it. */
void section_write(struct section *s, char tag, struct strbuf *out);

/* A section being read. */
struct section_view {
	char tag;
	uint64_t size;	     /* of all chunks, decompressed */
	struct bytes chunks; /* a cursor at the first one */
	size_t nr_chunk;
};

/* The next section; false at the end, and if the bytes are truncated (b->failed). */
bool section_next(struct bytes *b, struct section_view *s);

/*
 * Sets *body to the decompressed bytes; they are in `unpacked`, or in the pack if they were stored.
 */
int section_unpack(const struct section_view *s, struct strbuf *unpacked, struct span *body,
		   struct error *e);

/* Both set the error and return -1; the caller adds the name of the section. */
int section_wrong(struct error *e, const char *what);
int section_cut_short(struct error *e);

/* Reads a handle of a table with nr rows; fails if it is out of range. */
static inline uint32_t section_handle(struct bytes *b, size_t nr)
{
	return (uint32_t)bytes_upto(b, nr - 1);
}

#endif
