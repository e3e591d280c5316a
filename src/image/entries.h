/* The entries of a unit of DWARF: a walk through their tree, each once. */
#ifndef WICK_IMAGE_ENTRIES_H
#define WICK_IMAGE_ENTRIES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	/* Entries inside entries: compilers reach some dozens; deeper ones are left out. */
	ENTRY_LEVELS_MAX = 512,
	/* From a function to its declaration: three at most in what compilers write. */
	ORIGINS_MAX = 16,
};

/* True when those inside are to be visited too, one level up. */
typedef bool entry_visitor(void *arg, Dwarf_Die *entry, size_t level);

/* Visits what is inside a unit's own entry, and returns how often it made no sense. */
size_t entries_walk(Dwarf_Die *unit, entry_visitor *visit, void *arg);

/* A text of an entry's, or NULL. */
const char *entry_string(Dwarf_Die *entry, unsigned attribute);

/* Turns an entry into the one that tells more of the same function; false at the last. */
bool entry_origin(Dwarf_Die *entry);

#endif
