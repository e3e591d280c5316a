/*
 * Split DWARF that was put together: the units of many .dwo files in one file (.dwp), and
 * an index by their ids.  Each unit has pieces of some sections to itself.
 */
#ifndef WICK_IMAGE_DWP_H
#define WICK_IMAGE_DWP_H

#include "image/debug_sections.h"

#include <elfutils/libdw.h>

struct dwp;

/* NULL when the file has no index that can be read.  The file must outlive it. */
struct dwp *dwp_new(Elf *elf);
void dwp_free(struct dwp *d);

/* The unit's own entry, and its pieces; false when there is none of that id. */
bool dwp_unit(struct dwp *d, uint64_t id, Dwarf_Die *root, struct debug_bytes *pieces);

#endif
