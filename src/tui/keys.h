/*
 * Parses what a terminal sends: keys, the mouse (SGR 1006), marks around pasted text, replies to
 * queries.  A pure function over arbitrary bytes.
 */
#ifndef WICK_TUI_KEYS_H
#define WICK_TUI_KEYS_H

#include "base/span.h"

enum key_kind {
	KEY_NOTHING, /* unknown bytes: to be ignored */
	KEY_CHAR,    /* ch is its code; a control character is its letter with KEY_CTRL */
	KEY_UP,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_HOME,
	KEY_END,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_DELETE,
	KEY_ENTER,
	KEY_TAB,
	KEY_BACKTAB,
	KEY_ESCAPE,
	KEY_BACKSPACE,
	KEY_FUNCTION, /* F1 to F12: its number is in ch */
	KEY_MOUSE,
	KEY_GROUND, /* not a key: the background color is known now; ch is 1: it is light */
	KEY_PASTE,  /* not a key: pasted text begins */
	KEY_PASTE_END,
};

enum key_mods { KEY_SHIFT = 1, KEY_ALT = 2, KEY_CTRL = 4 };

enum key_mouse { MOUSE_PRESS, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN, MOUSE_OTHER };

struct key {
	enum key_kind kind;
	uint32_t ch;
	unsigned mods;
	enum key_mouse mouse;
	int x, y; /* of the mouse: cells, from 0 */
};

/* The Escape key sends the byte that starts sequences: only time distinguishes them. */
enum key_rest {
	KEY_REST_MAY_COME,
	KEY_REST_IS_NONE, /* nothing came for a while: there is no more */
};

/*
 * Parses the key that the bytes, at least one, begin with.  Returns how many bytes it takes; 0: the
 * key is not complete yet, which never happens with KEY_REST_IS_NONE.
 */
size_t key_parse(struct span bytes, enum key_rest rest, struct key *k);

#endif
