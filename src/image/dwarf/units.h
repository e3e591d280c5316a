/* The compilation units of a file by address. */
#ifndef WICK_IMAGE_DWARF_UNITS_H
#define WICK_IMAGE_DWARF_UNITS_H

#include "image/code/code_ranges.h"

#include <elfutils/libdw.h>

struct units {
	struct flat_ranges pieces;
	Dwarf_CU **cu; /* by number */
	size_t nr, cap;
	size_t damage; /* malformed units and lists of ranges */
};

void units_init(struct units *u, Dwarf *dwarf, const struct code_range *code);
void units_release(struct units *u);

/* The number of the unit at a place, relative to the code; or PIECE_NONE. */
static inline uint32_t units_find(const struct units *u, uint32_t place)
{
	return flat_ranges_find(&u->pieces, place);
}

#endif
