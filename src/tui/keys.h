/*
 * What a terminal sends, taken apart: keys, the mouse (SGR 1006), pasted text.
 * A pure function over bytes; whatever they are, it goes on.
 */
#ifndef WICK_TUI_KEYS_H
#define WICK_TUI_KEYS_H

#include "base/span.h"

enum key_kind {
	KEY_NOTHING, /* bytes that mean nothing here: to be passed over */
	KEY_CHAR,    /* ch; a control character is its letter with KEY_CTRL */
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
	KEY_GROUND, /* no key: the terminal tells its background; ch is 1 when that is light */
	KEY_PASTE,  /* text follows that nobody typed … */
	KEY_PASTE_END,
};

enum key_mods { KEY_SHIFT = 1, KEY_ALT = 2, KEY_CTRL = 4 };

enum key_mouse { MOUSE_PRESS, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN, MOUSE_OTHER };

struct key {
	enum key_kind kind;
	uint32_t ch;
	unsigned mods;
	enum key_mouse mouse;
	int x, y; /* of the mouse, from 0 */
};

enum key_rest {
	KEY_REST_MAY_COME,
	KEY_REST_IS_NONE, /* nothing came for a while: an escape is the key */
};

/*
 * Parses the key that the bytes begin with, of which there is at least one.
 * Returns how many of them it is; 0: it is not all there yet, which never happens with
 * KEY_REST_IS_NONE.
 */
size_t key_parse(struct span bytes, enum key_rest rest, struct key *k);

#endif
