/* The DWARF package of a program: PROGRAM.dwp beside it, or beside its debug file. */
#ifndef WICK_IMAGE_DWARF_DWARF_PACKAGE_H
#define WICK_IMAGE_DWARF_DWARF_PACKAGE_H

#include "image/dwarf/dwp.h"
#include "image/image_internal.h"

/* The package is searched for when the first unit is looked up. */
struct package {
	const struct elf_file *beside[2]; /* debug file and program, or twice the same */
	struct elf_file file;
	struct dwp *dwp; /* NULL: not found, or not searched for yet */
	bool tried;
};

void package_release(struct package *p);

/* As dwp_unit(). */
bool package_unit(struct package *p, uint64_t id, Dwarf_Die *root, struct debug_bytes *pieces);

#endif
