/*
 * The screen as cells, drawn anew for each frame; what differs from the frame before
 * is what the terminal is sent.  Knows no terminal: it makes bytes.
 */
#ifndef WICK_TUI_SCREEN_H
#define WICK_TUI_SCREEN_H

#include "base/strbuf.h"
#include "tui/glyph.h"
#include "tui/tint.h"

enum {
	SCREEN_MAX = 2000, /* cells either way: a terminal may say anything of itself */
};

enum ink_style { INK_BOLD = 1, INK_DIM = 2, INK_UNDERLINE = 4, INK_REVERSE = 8 };

#define INK_DEFAULT UINT32_MAX

struct ink {
	uint32_t fg, bg; /* 0xRRGGBB, or INK_DEFAULT: what the terminal has */
	unsigned style;
};

#define INK_PLAIN ((struct ink){ INK_DEFAULT, INK_DEFAULT, 0 })

struct cell {
	char text[GLYPH_SIZE];
	uint8_t size; /* 0: the right half of the one before */
	uint32_t fg, bg;
	uint32_t style;
};

/* What the terminal can show. */
struct screen_can {
	enum tint_depth depth;
	bool utf8;
};

struct screen {
	int width, height;
	struct cell *cell, *shown;
	bool all; /* nothing is known of what is there */
	struct screen_can can;
	int cursor_x, cursor_y; /* where it is shown; x < 0: nowhere */
};

void screen_init(struct screen *s, struct screen_can can);
void screen_release(struct screen *s);

/* Everything is sent again. */
void screen_resize(struct screen *s, int width, int height);
void screen_forget(struct screen *s);

/* An empty frame. */
void screen_clear(struct screen *s);

/* Parts that lie outside of the screen are not drawn. */
void screen_fill(struct screen *s, int x, int y, int width, struct ink ink);

/* Writes at most so many cells of a text, and returns how many it took. */
int screen_put(struct screen *s, int x, int y, int max, struct span text, struct ink ink);

/* A cell whose left eighths have the color of the ink, the rest its ground: 1 to 7. */
void screen_block(struct screen *s, int x, int y, unsigned eighths, struct ink ink);

/* Appends what makes the terminal show this frame, and takes it as shown. */
void screen_send(struct screen *s, struct strbuf *out);

#endif
