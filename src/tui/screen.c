#include "tui/screen.h"

#include "base/alloc.h"
#include "base/legible.h"

#include <stdlib.h>

void screen_init(struct screen *s, struct screen_can can)
{
	*s = (struct screen){ .can = can, .cursor_x = -1 };
}

void screen_release(struct screen *s)
{
	free(s->cell);
	free(s->shown);
	*s = (struct screen){ 0 };
}

static int within(int n)
{
	return n < 1 ? 1 : n > SCREEN_MAX ? SCREEN_MAX : n;
}

void screen_resize(struct screen *s, int width, int height)
{
	size_t nr;

	s->width = within(width);
	s->height = within(height);
	nr = (size_t)s->width * (size_t)s->height;
	free(s->cell);
	free(s->shown);
	s->cell = xcalloc(nr, sizeof(*s->cell));
	s->shown = xcalloc(nr, sizeof(*s->shown));
	screen_clear(s);
	screen_forget(s);
}

void screen_forget(struct screen *s)
{
	s->all = true;
}

static struct cell cell_of(struct span text, struct ink ink)
{
	struct cell c;

	/* Cells are compared with memcmp(): padding must be 0. */
	memset(&c, 0, sizeof(c));
	memcpy(c.text, text.at, text.size);
	c.size = (uint8_t)text.size;
	c.fg = ink.fg;
	c.bg = ink.bg;
	c.style = ink.style;
	return c;
}

void screen_clear(struct screen *s)
{
	struct cell blank = cell_of(SPAN(" "), INK_PLAIN);
	size_t nr = (size_t)s->width * (size_t)s->height;

	for (size_t i = 0; i < nr; i++)
		s->cell[i] = blank;
	s->cursor_x = -1;
}

static struct cell *cell_at(const struct screen *s, int x, int y)
{
	if (x < 0 || y < 0 || x >= s->width || y >= s->height)
		return NULL;
	return &s->cell[(size_t)y * (size_t)s->width + (size_t)x];
}

static void make_blank(struct cell *c)
{
	memset(c->text, 0, sizeof(c->text));
	c->text[0] = ' ';
	c->size = 1;
}

/* Overwriting one half of a wide character blanks the other. */
static void set_cell(struct screen *s, int x, int y, const struct cell *to)
{
	struct cell *c = cell_at(s, x, y), *left, *right;

	if (!c)
		return;
	left = cell_at(s, x - 1, y);
	right = cell_at(s, x + 1, y);
	if (!c->size && to->size && left)
		make_blank(left);
	if (right && !right->size)
		make_blank(right);
	*c = *to;
}

void screen_fill(struct screen *s, int x, int y, int width, struct ink ink)
{
	struct cell blank = cell_of(SPAN(" "), ink);

	for (int i = 0; i < width; i++)
		set_cell(s, x + i, y, &blank);
}

int screen_put(struct screen *s, int x, int y, int max, struct span text, struct ink ink)
{
	static const struct cell behind;
	struct glyph g;
	int at = 0;

	while (at < max && glyph_next(&text, &g)) {
		struct span shown = { .at = g.text, .size = g.size };
		struct cell c, half = behind;

		if (!s->can.utf8) {
			shown = span_upto(legible_ascii(shown), 1); /* of a cell */
			g.width = 1;
		}
		/* A wide character that fits only in half becomes a blank. */
		if (g.width > 1 && (at + 2 > max || x + at + 2 > s->width))
			shown = SPAN(" ");
		c = cell_of(shown, ink);
		set_cell(s, x + at, y, &c);
		if (g.width > 1 && shown.size > 1) {
			half.fg = ink.fg;
			half.bg = ink.bg;
			half.style = ink.style;
			set_cell(s, x + at + 1, y, &half);
			at++;
		}
		at++;
	}
	return at;
}

void screen_block(struct screen *s, int x, int y, unsigned eighths, struct ink ink)
{
	/* U+258F is one eighth, U+2589 seven. */
	char text[] = "\xe2\x96\x8f";
	struct cell c;

	text[2] = (char)(0x90 - eighths);
	c = cell_of(span_of(text), ink);
	if (!s->can.utf8)
		c = cell_of(SPAN("|"), (struct ink){ INK_DEFAULT, ink.bg, ink.style });
	set_cell(s, x, y, &c);
}
