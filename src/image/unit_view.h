/*
 * A unit of DWARF as bytes, and where the tables are that its entries point into: for
 * the walk through all of them, which libdw does one question at a time.
 *
 * A unit that is split has its entries in another file, and addresses, and in DWARF 4
 * ranges, in the program.
 */
#ifndef WICK_IMAGE_UNIT_VIEW_H
#define WICK_IMAGE_UNIT_VIEW_H

#include "image/abbrevs.h"
#include "image/debug_sections.h"

#include <elfutils/libdw.h>

struct unit_view {
	const unsigned char *begin, *end; /* of the unit, with its header */
	const unsigned char *root;	  /* its own entry */
	struct dwarf_format format;
	struct span abbrevs;	    /* from its own on */
	struct abbrev_cache *cache; /* to read them with */
	struct span addresses;	    /* … */
	struct span ranges;	    /* from where its offsets count */
	uint64_t lists;		    /* DWARF 5: where in them the table of lists is */
	uint64_t base;		    /* what ranges count from */
};

/*
 * root is the unit's own entry as libdw has it, in one of those sections; head the one
 * in the program, which is the same if the unit is not split.
 */
bool unit_view_init(struct unit_view *v, Dwarf_Die *root, const struct debug_bytes *own,
		    Dwarf_Die *head, const struct debug_bytes *program, struct abbrev_cache *cache);

#endif
