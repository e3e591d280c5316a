/*
 * The screen as cells.  Each frame is drawn completely; only cells that differ from the previous
 * frame are sent.  It does not know the terminal: it appends escape sequences to a buffer.
 */
#ifndef WICK_TUI_SCREEN_H
#define WICK_TUI_SCREEN_H

#include "base/strbuf.h"
#include "tui/glyph.h"
#include "tui/tint.h"

enum {
	SCREEN_MAX = 2000, /* maximum size in cells, whatever the terminal reports */
};

enum ink_style { INK_BOLD = 1, INK_DIM = 2, INK_UNDERLINE = 4, INK_REVERSE = 8 };

#define INK_DEFAULT UINT32_MAX

struct ink {
	uint32_t fg, bg; /* 0xRRGGBB, or INK_DEFAULT: the terminal's own */
	unsigned style;	 /* a set of enum ink_style */
};

#define INK_PLAIN ((struct ink){ INK_DEFAULT, INK_DEFAULT, 0 })

struct cell {
	char text[GLYPH_SIZE];
	uint8_t size; /* 0: the right half of the wide character before it */
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
	struct cell *cell;  /* the frame that is drawn, row by row */
	struct cell *shown; /* the frame that the terminal shows */
	bool all;	    /* the contents of the terminal are unknown: all cells are sent */
	struct screen_can can;
	int cursor_x, cursor_y; /* x < 0: the cursor is hidden */
};

void screen_init(struct screen *s, struct screen_can can);
void screen_release(struct screen *s);

/* Must be called before anything is drawn.  All cells are blank, and will be sent. */
void screen_resize(struct screen *s, int width, int height);

/* All cells will be sent again, because something else has written to the terminal. */
void screen_forget(struct screen *s);

/* Begins a frame: all cells are blank, and the cursor is hidden. */
void screen_clear(struct screen *s);

/* Fills cells with blanks.  Here and below, cells outside of the screen are ignored. */
void screen_fill(struct screen *s, int x, int y, int width, struct ink ink);

/* Writes a text, at most `max` cells of it; returns how many cells it took. */
int screen_put(struct screen *s, int x, int y, int max, struct span text, struct ink ink);

/* A cell with a block character: `eighths` (1 to 7) from the left in fg, the rest in bg. */
void screen_block(struct screen *s, int x, int y, unsigned eighths, struct ink ink);

/* Appends the escape sequences that turn what the terminal shows into this frame. */
void screen_send(struct screen *s, struct strbuf *out);

#endif
