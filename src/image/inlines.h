/*
 * Which functions an address stands for, and which lines of the source, from DWARF.
 * A unit (mostly a file of the source) is walked once, when an address in it is first
 * asked for (entries.h, line_table.h), and kept in arrays; libdw finds units and their
 * files, and names what was met (docs/decisions/0010).
 *
 * Broken DWARF gives fewer names, never an error: what made no sense is counted.
 */
#ifndef WICK_IMAGE_INLINES_H
#define WICK_IMAGE_INLINES_H

#include "image/kinds.h"

struct inlines;

/*
 * NULL when the file has no DWARF.  The file must outlive it; the program is another one when
 * DWARF is in a file of its own, and split DWARF may lie beside either (.dwp).
 */
struct inlines *inlines_new(const struct elf_file *file, const struct elf_file *program);
void inlines_free(struct inlines *x);

/*
 * The functions at an address, innermost first, and how many; names are as the
 * linker knows them.  The last one has no name (NULL) where DWARF knows the line
 * but no function.
 */
size_t inlines_find(struct inlines *x, uint64_t address, struct source_line *line, size_t max);

struct image_trouble inlines_trouble(const struct inlines *x);

#endif
