/*
 * A DWARF package (.dwp): the split units of many .dwo files in one file, with an index by unit ID,
 * which says what part of each section belongs to a unit.
 */
#ifndef WICK_IMAGE_DWARF_DWP_H
#define WICK_IMAGE_DWARF_DWP_H

#include "image/dwarf/debug_sections.h"

#include <elfutils/libdw.h>

struct dwp;

/* NULL when the file has no valid index.  The file must outlive it. */
struct dwp *dwp_new(Elf *elf);
void dwp_free(struct dwp *d);

/* The root entry of the unit with that ID, and its parts of sections; false: there is none. */
bool dwp_unit(struct dwp *d, uint64_t id, Dwarf_Die *root, struct debug_bytes *pieces);

#endif
