/*
 * The functions and source lines at an address, with inlined calls, from DWARF.  A compilation
 * unit is walked once, when an address in it is first looked up (entries.h, line_table.h), and
 * becomes sorted arrays.  libdw finds the units and reads the names (docs/decisions/0010).
 *
 * Malformed DWARF gives fewer names, never an error: it is counted.
 */
#ifndef WICK_IMAGE_DWARF_INLINES_H
#define WICK_IMAGE_DWARF_INLINES_H

#include "image/image_internal.h"

struct inlines;

/*
 * `file` has the DWARF: the program itself, or its debug file.  Packages of split DWARF (.dwp) are
 * searched for beside both.  NULL if there is no DWARF.  The files must outlive it, and so must the
 * store of decompressed sections, if there is one.
 */
struct inlines *inlines_new(const struct elf_file *file, const struct elf_file *program,
			    struct section_store *store);
void inlines_free(struct inlines *x);

/*
 * The functions at a virtual address, innermost first, with linkage names; returns their number.
 * If DWARF has a line there but no function, that is one without a name (NULL).
 */
size_t inlines_find(struct inlines *x, uint64_t address, struct source_line *line, size_t max);

struct image_trouble inlines_trouble(const struct inlines *x);

#endif
