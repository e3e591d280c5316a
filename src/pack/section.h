/*
 * The sections of a pack: bodies, deflated where that makes them smaller.  See
 * docs/pack.md.
 */
#ifndef WICK_PACK_SECTION_H
#define WICK_PACK_SECTION_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/strbuf.h"

/* In front of every pack; the last byte is the version. */
#define PACK_MAGIC "\x89wick\r\n\x01"

/* The sections, in their order. */
#define PACK_TAGS "SMFKTELCDNIvwc"

enum { PACK_NR_TAGS = sizeof(PACK_TAGS) - 1, PACK_MAGIC_SIZE = sizeof(PACK_MAGIC) - 1 };

/* What a body may come to when it is unpacked. */
#define PACK_BODY_MAX ((uint64_t)1 << 30)

/* What becomes a piece of a large section. */
enum { PACK_PIECE_SIZE = 1024 * 1024 };

/* A section that is being written. */
struct section {
	struct strbuf body; /* the caller fills it */
	size_t expected;    /* how large all of it may come to be, where that is known */
	struct piece **piece;
	size_t nr_piece, cap_piece;
};

/* Between two rows: makes a piece of the body if it is large enough, which a thread deflates meanwhile. */
void section_cut(struct section *s);

/* Puts another section, which is empty then, behind what is there. */
void section_append(struct section *s, struct section *behind);

/* The body is whole: deflates it, a large one in threads. */
void section_end(struct section *s);

/* Waits for it and appends it, if there is anything in it; releases it. */
void section_write(struct section *s, char tag, struct strbuf *out);

/* A section that is read. */
struct section_view {
	char tag;
	uint64_t size;	     /* of all pieces, unpacked */
	struct bytes pieces; /* they begin here */
	size_t nr_piece;
};

/* The next section; false at the end, and when the bytes are cut short (b->failed). */
bool section_next(struct bytes *b, struct section_view *s);

/* Makes *body the unpacked bytes of s; they live in `unpacked` or where s does. */
int section_unpack(const struct section_view *s, struct strbuf *unpacked, struct span *body,
		   struct error *e);

/* Says what is wrong with a body; its section's name is put in front of it later. */
int section_wrong(struct error *e, const char *what);
int section_cut_short(struct error *e);

/* A handle of a table that has nr rows. */
static inline uint32_t section_handle(struct bytes *b, size_t nr)
{
	return (uint32_t)bytes_upto(b, nr - 1);
}

#endif
