/* Which unit of DWARF an address belongs to. */
#ifndef WICK_IMAGE_UNITS_H
#define WICK_IMAGE_UNITS_H

#include "image/code_ranges.h"

#include <elfutils/libdw.h>

struct units {
	struct pieces pieces;
	Dwarf_CU **cu; /* by number */
	size_t nr, cap;
	size_t damage;
};

void units_init(struct units *u, Dwarf *dwarf, const struct code_range *code);
void units_release(struct units *u);

/* Its number, or PIECE_NONE. */
static inline uint32_t units_find(const struct units *u, uint32_t place)
{
	return pieces_find(&u->pieces, place);
}

#endif
