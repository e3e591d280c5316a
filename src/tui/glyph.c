#include "tui/glyph.h"

#include "base/legible.h"
#include "base/utf8.h"

#include <wchar.h>

/* U+FFFD */
static const char replacement[] = "\xef\xbf\xbd";

/* The size of a UTF-8 character by its first byte; 0: no character begins with it. */
static size_t size_of(unsigned char c)
{
	if (c < 0x80)
		return 1;
	if (c < 0xc2 || c > 0xf4)
		return 0;
	return c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

size_t glyph_decode(struct span bytes, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size = bytes.size ? size_of((unsigned char)bytes.at[0]) : 0;
	uint32_t c;

	if (!size || size > bytes.size)
		return 0;
	c = (unsigned char)bytes.at[0];
	if (size > 1)
		c &= 0xffU >> (size + 1);
	for (size_t i = 1; i < size; i++) {
		if (!utf8_is_inside(bytes.at[i]))
			return 0;
		c = c << 6 | ((unsigned char)bytes.at[i] & 0x3f);
	}
	if (c < least[size] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*code = c;
	return size;
}

bool glyph_is_cut(struct span bytes)
{
	size_t size = bytes.size ? size_of((unsigned char)bytes.at[0]) : 0;

	for (size_t i = 1; i < bytes.size; i++)
		if (!utf8_is_inside(bytes.at[i]))
			return false;
	return size > bytes.size;
}

/* Also tags, which are invisible, and private-use characters, which fonts show differently. */
static bool is_hidden(struct span valid, uint32_t code)
{
	return code >= 0xe0000 || legible_hidden(valid);
}

static void set_replacement(struct glyph *g)
{
	memcpy(g->text, replacement, sizeof(replacement) - 1);
	g->size = sizeof(replacement) - 1;
	g->width = 1;
}

/* Adds the combining marks that follow; those without room are dropped. */
static void add_marks(struct span *rest, struct glyph *g)
{
	uint32_t code;
	size_t size;

	while (rest->size && (unsigned char)rest->at[0] >= 0x80) {
		size = glyph_decode(*rest, &code);
		if (!size || is_hidden(*rest, code) || wcwidth((wchar_t)code) != 0)
			return;
		if (g->size + size <= sizeof(g->text)) {
			memcpy(g->text + g->size, rest->at, size);
			g->size = (uint8_t)(g->size + size);
		}
		*rest = span_from(*rest, size);
	}
}

bool glyph_next(struct span *rest, struct glyph *g)
{
	uint32_t code = 0;
	size_t size;
	int width;

	if (!rest->size)
		return false;
	size = glyph_decode(*rest, &code);
	/* No-break spaces become spaces: terminals break no lines here. */
	if (code == 0xa0 || code == 0x202f) {
		*g = (struct glyph){ .text = " ", .size = 1, .width = 1 };
		*rest = span_from(*rest, size);
		return true;
	}
	width = size && !is_hidden(*rest, code) ? wcwidth((wchar_t)code) : -1;
	if (width > 0) {
		memcpy(g->text, rest->at, size);
		g->size = (uint8_t)size;
		g->width = width > 1 ? 2 : 1;
	} else {
		/* Also for a combining mark without a preceding character. */
		set_replacement(g);
	}
	*rest = span_from(*rest, size ? size : 1);
	if (width > 0)
		add_marks(rest, g);
	return true;
}

size_t glyph_width(struct span text)
{
	struct glyph g;
	size_t width = 0;

	while (glyph_next(&text, &g))
		width += g.width;
	return width;
}
