/*
 * A compilation unit as bytes, with the tables that its entries refer to: for entries.h, which
 * walks them without libdw.
 *
 * The entries of a split unit are in another file (.dwo); its addresses are in the program, and so
 * are its ranges in DWARF 4.
 */
#ifndef WICK_IMAGE_DWARF_UNIT_VIEW_H
#define WICK_IMAGE_DWARF_UNIT_VIEW_H

#include "image/dwarf/abbrevs.h"
#include "image/dwarf/debug_sections.h"

#include <elfutils/libdw.h>

struct unit_view {
	const unsigned char *begin, *end; /* of the unit, with its header */
	const unsigned char *root;	  /* its root entry */
	struct dwarf_format format;
	struct span abbrevs; /* from its abbreviations to the end of the section */
	struct abbrev_cache *cache;
	struct span addresses; /* .debug_addr from DW_AT_addr_base on */
	struct span ranges;    /* .debug_ranges or .debug_rnglists, from the base of offsets */
	uint64_t lists;	       /* DWARF 5: DW_AT_rnglists_base, an offset in ranges */
	uint64_t base;	       /* DW_AT_low_pc of the unit: ranges are relative to it */
};

/*
 * root is the unit's root entry in libdw, in the sections `own`; head is the one in the program:
 * the skeleton of a split unit, else the same.  False if the unit is malformed.
 */
bool unit_view_init(struct unit_view *v, Dwarf_Die *root, const struct debug_bytes *own,
		    Dwarf_Die *head, const struct debug_bytes *program, struct abbrev_cache *cache);

#endif
