/* The file with all split units of a program, program.dwp, which lies beside it or its debug file. */
#ifndef WICK_IMAGE_PACKAGE_H
#define WICK_IMAGE_PACKAGE_H

#include "image/dwp.h"
#include "image/kinds.h"

/* It is looked for when the first unit is. */
struct package {
	const struct elf_file *beside[2];
	struct elf_file file;
	struct dwp *dwp;
	bool tried;
};

void package_release(struct package *p);

/* As dwp_unit(). */
bool package_unit(struct package *p, uint64_t id, Dwarf_Die *root, struct debug_bytes *pieces);

#endif
