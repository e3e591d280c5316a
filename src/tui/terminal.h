/*
 * The terminal itself: taken over, asked for its size and its keys, and given back as it
 * was on every way out: at the end, on signals, when the program breaks down, and while it is
 * suspended.
 */
#ifndef WICK_TUI_TERMINAL_H
#define WICK_TUI_TERMINAL_H

#include "base/error.h"
#include "base/strbuf.h"
#include "tui/keys.h"

#include <signal.h>

struct terminal {
	int keys;    /* where they come from */
	int out;     /* where it is drawn */
	int signals; /* signalfd */
	sigset_t blocked_before;
	char input[4096]; /* what came and was not taken apart yet */
	size_t nr_input;
	bool asked;
};

enum terminal_event {
	TERMINAL_KEY,
	TERMINAL_RESIZED, /* also after it was suspended: all is to be drawn again */
	TERMINAL_TIMEOUT,
	TERMINAL_TOLD, /* the other descriptor has something */
	TERMINAL_END,  /* a signal that ends programs, or nobody is there any more */
};

/* Takes the terminal that standard output is.  -1: it is none, or cannot be drawn on. */
int terminal_open(struct terminal *t, struct error *e);
void terminal_close(struct terminal *t);

void terminal_size(const struct terminal *t, int *width, int *height);

/* Writes all of it, however slow the terminal is. */
void terminal_write(const struct terminal *t, struct span bytes);

/* Waits for something to happen, at most so many ms (-1: as long as it takes).  other: -1, or one more to wait for. */
enum terminal_event terminal_wait(struct terminal *t, int ms, int other, struct key *k);

/* Gives the terminal back and stops, as Ctrl-Z does; goes on when the shell says so. */
void terminal_suspend(struct terminal *t);

/* Asks for the color of the background: the answer comes as KEY_GROUND, or never. */
void terminal_ask_ground(struct terminal *t);

/* Appends what puts the text into the clipboard (OSC 52). */
void terminal_copy(struct strbuf *out, struct span text);

#endif
