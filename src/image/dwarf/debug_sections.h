/*
 * Prepares the DWARF sections of a file for libdw: decompresses them (libdw would take twice as
 * long, and may not support zstd), and hides those without functions and lines, which libdw would
 * decompress needlessly.
 */
#ifndef WICK_IMAGE_DWARF_DEBUG_SECTIONS_H
#define WICK_IMAGE_DWARF_DEBUG_SECTIONS_H

#include "base/fields.h"
#include "image/dwarf/section_store.h"

#include <libelf.h>

/* The decompressed sections: to be released after elf_end(). */
struct unpacked {
	struct unpacked_section {
		char *bytes;
		size_t number, size;
	} * section;
	size_t nr, cap;
	struct section_store *store; /* has sections of earlier images; NULL: none */
	char *build_id;		     /* … of this file */
};

/* The store, which may be NULL, has to live until unpacked_release(). */
void debug_sections_unpack(Elf *elf, struct section_store *store, struct unpacked *u);
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

/* The bytes of sections, at the same addresses as libdw has them; empty: no such section. */
struct debug_bytes {
	struct span section[DEBUG_SECTIONS];
	enum byte_order order;
};

/* Makes all sections empty. */
void debug_bytes_init(struct debug_bytes *d, enum byte_order order);

/* DWARF_SPLIT: the sections whose names end in .dwo. */
enum debug_flavor { DWARF_PLAIN, DWARF_SPLIT };
void debug_sections_find(Elf *elf, enum debug_flavor flavor, struct debug_bytes *found);
const char *debug_section_name(enum debug_section section);

#endif
