/*
 * Decompressed sections that outlive their image: the next image of the same file takes them, and need
 * not decompress them again.  Any thread may use it.
 */
#ifndef WICK_IMAGE_DWARF_SECTION_STORE_H
#define WICK_IMAGE_DWARF_SECTION_STORE_H

#include "base/span.h"

struct section_store;

struct section_store *section_store_new(void);
void section_store_free(struct section_store *s);

/* A section of the file with that build ID (in hex), by its number: yours from here on; NULL: not stored. */
char *section_store_take(struct section_store *s, struct span build_id, size_t section,
			 size_t size);

/* Takes over the bytes; frees them if it is closed or full, or if a section of that file is stored already. */
void section_store_add(struct section_store *s, struct span build_id, size_t section, char *bytes,
		       size_t size);

/* Further sections are not stored: to be called before images are opened for the last time. */
void section_store_close(struct section_store *s);

#endif
