/*
 * What entries of DWARF look like: each begins with the number of a row of a table
 * that tells its tag and the forms of its attributes.  A row becomes the few steps
 * that lead to what we want of such an entry, and over all else.
 */
#ifndef WICK_IMAGE_ABBREVS_H
#define WICK_IMAGE_ABBREVS_H

#include "image/dwarf_bytes.h"

/* What we want of an entry while we walk. */
enum entry_slot { SLOT_LOW, SLOT_HIGH, SLOT_RANGES, SLOT_SIBLING, ENTRY_SLOTS, SLOT_NONE };

/* How large an attribute is. */
enum abbrev_shape {
	SHAPE_FIXED,
	SHAPE_NUMBER, /* seven bits a byte */
	SHAPE_TEXT,
	SHAPE_BLOCK,	/* its size comes first: so many bytes, or a number (0) */
	SHAPE_INDIRECT, /* its form comes first */
	SHAPE_UNKNOWN,
};

struct abbrev_step {
	uint8_t slot, shape;
	uint16_t form;
	uint32_t size;
	uint64_t constant; /* where the row itself tells the value */
};

struct abbrev {
	uint64_t code;
	uint32_t first;
	uint16_t nr;
	uint16_t tag;
	bool has_children, has_slots;
};

struct abbrevs {
	struct abbrev *row; /* by code */
	size_t nr, cap;
	struct abbrev_step *step;
	size_t nr_step, cap_step;
};

/* Reads a table up to its end, or to where it makes no sense; returns how many bytes that were. */
size_t abbrevs_parse(struct abbrevs *t, struct span bytes, const struct dwarf_format *format);
void abbrevs_release(struct abbrevs *t);

/* The table that was used last: after optimization at link time, all units have the same one. */
struct abbrev_cache {
	struct abbrevs table;
	struct span bytes; /* where it begins */
	struct dwarf_format format;
	uint64_t nr_read; /* bytes of all tables so far */
};

/* Valid until the next call; an empty one when so much was read that it cannot be true. */
const struct abbrevs *abbrev_cache_get(struct abbrev_cache *c, struct span bytes,
				       const struct dwarf_format *format);

/* Compilers count rows from 1; NULL when there is no such row. */
const struct abbrev *abbrevs_search(const struct abbrevs *t, uint64_t code);

static inline const struct abbrev *abbrevs_find(const struct abbrevs *t, uint64_t code)
{
	if (code - 1 < t->nr && t->row[code - 1].code == code)
		return &t->row[code - 1];
	return abbrevs_search(t, code);
}

/* How large an attribute of some form is. */
enum abbrev_shape abbrev_shape(uint64_t form, const struct dwarf_format *format, uint32_t *size);

/* Passes over an attribute. */
void abbrev_skip(struct bytes *b, enum abbrev_shape shape, uint32_t size, enum byte_order order);

#endif
