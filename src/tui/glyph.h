/*
 * Characters as a terminal shows them.  Names are untrusted bytes: control characters, those
 * that change the direction of writing and those that are invisible become U+FFFD.  All text
 * for the terminal comes through here.
 *
 * Widths are those of wcwidth(): the caller must have set a UTF-8 locale (LC_CTYPE), without
 * which only ASCII has a width.
 */
#ifndef WICK_TUI_GLYPH_H
#define WICK_TUI_GLYPH_H

#include "base/span.h"

enum { GLYPH_SIZE = 15 }; /* bytes: with its size, a cell's text takes 16 */

/* A character with as many of its combining marks as fit. */
struct glyph {
	char text[GLYPH_SIZE];
	uint8_t size;
	uint8_t width; /* cells: 1 or 2 */
};

/* Removes the first glyph from a text; false: the text is empty. */
bool glyph_next(struct span *rest, struct glyph *g);

/* How many cells a text takes. */
size_t glyph_width(struct span text);

/* The code of the character that the bytes begin with; returns its size, or 0: it is not UTF-8. */
size_t glyph_decode(struct span bytes, uint32_t *code);

/* Are these the first bytes of a character whose others are missing? */
bool glyph_is_cut(struct span bytes);

#endif
