/*
 * The sections of DWARF in a file, made ready for libdw: those that are packed
 * are unpacked (libdw would take twice as long, and knows no zstd), and those
 * that say nothing about functions and lines are hidden, so that nobody does.
 */
#ifndef WICK_IMAGE_DEBUG_SECTIONS_H
#define WICK_IMAGE_DEBUG_SECTIONS_H

#include "base/fields.h"

#include <libelf.h>

/* What was unpacked: the file uses it until its end. */
struct unpacked {
	char **bytes;
	size_t nr, cap;
};

void debug_sections_unpack(Elf *elf, struct unpacked *u);
void unpacked_release(struct unpacked *u);

enum debug_section {
	DEBUG_INFO,
	DEBUG_ABBREV,
	DEBUG_ADDR,
	DEBUG_LINE,
	DEBUG_LINE_STR,
	DEBUG_RANGES,
	DEBUG_RNGLISTS,
	DEBUG_STR,
	DEBUG_STR_OFFSETS,
	DEBUG_CU_INDEX,
	DEBUG_SECTIONS,
};

/* Their bytes, where libdw has them too; empty: there is no such section. */
struct debug_bytes {
	struct span section[DEBUG_SECTIONS];
	enum byte_order order;
};

/* There is none of them. */
void debug_bytes_init(struct debug_bytes *d, enum byte_order order);

/* DWARF_SPLIT: those whose names end in .dwo. */
enum debug_flavor { DWARF_PLAIN, DWARF_SPLIT };
void debug_sections_find(Elf *elf, enum debug_flavor flavor, struct debug_bytes *found);
const char *debug_section_name(enum debug_section section);

#endif
