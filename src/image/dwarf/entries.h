/*
 * Walks the tree of debugging entries (DIEs) of a unit, without the cost of libdw for each
 * attribute (docs/decisions/0010).  An entry's address is the same as in libdw, which provides all
 * other attributes.
 */
#ifndef WICK_IMAGE_DWARF_ENTRIES_H
#define WICK_IMAGE_DWARF_ENTRIES_H

#include "image/dwarf/unit_view.h"

enum {
	/* Nesting: compilers reach a few dozen levels; deeper entries are ignored. */
	ENTRY_LEVELS_MAX = 512,
	/* Steps from an entry to its origin: compilers write at most three. */
	ORIGINS_MAX = 16,
};

struct entry {
	const unsigned char *at;
	unsigned tag;
	struct entry_value {
		uint64_t value;
		uint16_t form; /* 0: the entry does not have this attribute */
	} slot[ENTRY_SLOTS];
};

/* Returns true to visit the children, too, which are at level + 1. */
typedef bool entry_visitor(void *arg, const struct entry *entry, size_t level);

/*
 * Visits the descendants of a unit's root entry, parents first; children of the root are at level
 * 0.  Returns the number of malformed places: it stops at the first, so 0 or 1.
 */
size_t entries_walk(const struct unit_view *v, entry_visitor *visit, void *arg);

/* The value of a string attribute, or NULL. */
const char *entry_string(Dwarf_Die *entry, unsigned attribute);

/*
 * Moves to the entry's abstract origin (of an inlined copy) or specification (its declaration),
 * which has the attributes that the copy does not repeat; false if it has neither.
 */
bool entry_origin(Dwarf_Die *entry);

#endif
