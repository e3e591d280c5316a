/*
 * Characters as a terminal shows them.  Names are other people's bytes: what would move
 * the cursor, turn the direction of writing or show nothing becomes U+FFFD here, and
 * nothing reaches the terminal but through here.
 *
 * Widths are those of wcwidth(): the caller sets a locale of UTF-8 (LC_CTYPE), without
 * which only ASCII has a width.
 */
#ifndef WICK_TUI_GLYPH_H
#define WICK_TUI_GLYPH_H

#include "base/span.h"

enum { GLYPH_SIZE = 15 };

/* A character with the marks that combine with it, as far as they fit. */
struct glyph {
	char text[GLYPH_SIZE];
	uint8_t size;
	uint8_t width; /* cells: 1 or 2 */
};

/* Takes one from what is left of a text; false when nothing is. */
bool glyph_next(struct span *rest, struct glyph *g);

/* Cells that all of a text takes. */
size_t glyph_width(struct span text);

/* The character that the bytes begin with, and how many they are; 0: it is no UTF-8. */
size_t glyph_decode(struct span bytes, uint32_t *code);

/* May they become a character when more bytes come? */
bool glyph_is_cut(struct span bytes);

#endif
