/*
 * The abbreviations of DWARF.  Each debugging entry (DIE) begins with the code of an abbreviation,
 * which has the entry's tag and the forms of its attributes.  An abbreviation is parsed into a few
 * steps that read the wanted attributes and skip all others.
 */
#ifndef WICK_IMAGE_DWARF_ABBREVS_H
#define WICK_IMAGE_DWARF_ABBREVS_H

#include "image/dwarf/dwarf_bytes.h"

/* The attributes that are read while entries are walked. */
enum entry_slot { SLOT_LOW, SLOT_HIGH, SLOT_RANGES, SLOT_SIBLING, ENTRY_SLOTS, SLOT_NONE };

/* How to find the size of an attribute. */
enum abbrev_shape {
	SHAPE_FIXED,	/* it has `size` bytes */
	SHAPE_NUMBER,	/* LEB128 */
	SHAPE_TEXT,	/* up to a NUL */
	SHAPE_BLOCK,	/* its length comes first: in `size` bytes, or as LEB128 (0) */
	SHAPE_INDIRECT, /* its form comes first */
	SHAPE_UNKNOWN,
};

/* Reads one attribute into a slot, or skips one or more that are not wanted (SLOT_NONE). */
struct abbrev_step {
	uint8_t slot, shape;
	uint16_t form;
	uint32_t size;
	uint64_t constant; /* DW_FORM_implicit_const: the value, which entries do not repeat */
};

struct abbrev {
	uint64_t code;
	uint32_t first; /* of its steps */
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

/* Parses a table up to its end, or to the first malformed row; returns how many bytes it read. */
size_t abbrevs_parse(struct abbrevs *t, struct span bytes, const struct dwarf_format *format);
void abbrevs_release(struct abbrevs *t);

/* The table used last: after link-time optimization, all units have the same one. */
struct abbrev_cache {
	struct abbrevs table;
	struct span bytes; /* from its beginning to the end of the section */
	struct dwarf_format format;
	uint64_t nr_read; /* bytes of all parsed tables */
};

/* Valid until the next call.  Empty once more bytes were parsed than any valid file needs. */
const struct abbrevs *abbrev_cache_get(struct abbrev_cache *c, struct span bytes,
				       const struct dwarf_format *format);

/* By binary search; NULL when there is no such row. */
const struct abbrev *abbrevs_search(const struct abbrevs *t, uint64_t code);

/* The same, faster: most compilers number rows 1, 2, 3, … */
static inline const struct abbrev *abbrevs_find(const struct abbrevs *t, uint64_t code)
{
	if (code - 1 < t->nr && t->row[code - 1].code == code)
		return &t->row[code - 1];
	return abbrevs_search(t, code);
}

/* How to find the size of an attribute with that form; *size as above. */
enum abbrev_shape abbrev_shape(uint64_t form, const struct dwarf_format *format, uint32_t *size);

/* Moves the cursor past an attribute. */
void abbrev_skip(struct bytes *b, enum abbrev_shape shape, uint32_t size, enum byte_order order);

#endif
