/*
 * The entries of a unit of DWARF: a walk through their tree, each once.  They are where
 * libdw finds them too, so that it can be asked for all that the walk does not tell.
 */
#ifndef WICK_IMAGE_ENTRIES_H
#define WICK_IMAGE_ENTRIES_H

#include "image/unit_view.h"

enum {
	/* Entries inside entries: compilers reach some dozens; deeper ones are left out. */
	ENTRY_LEVELS_MAX = 512,
	/* From a function to its declaration: three at most in what compilers write. */
	ORIGINS_MAX = 16,
};

struct entry {
	const unsigned char *at;
	unsigned tag;
	struct entry_value {
		uint64_t value;
		uint16_t form; /* 0: it has none */
	} slot[ENTRY_SLOTS];
};

/* True when those inside are to be visited too, one level up. */
typedef bool entry_visitor(void *arg, const struct entry *entry, size_t level);

/* Visits what is inside a unit's own entry, and returns how often it made no sense. */
size_t entries_walk(const struct unit_view *v, entry_visitor *visit, void *arg);

/* A text of an entry's, or NULL. */
const char *entry_string(Dwarf_Die *entry, unsigned attribute);

/* Turns an entry into the one that tells more of the same function; false at the last. */
bool entry_origin(Dwarf_Die *entry);

#endif
