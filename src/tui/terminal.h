/*
 * The terminal in raw mode, on the alternate screen: its size, its keys, its signals.  It is
 * restored in all cases: at exit, on signals, in crashes, and while suspended.
 */
#ifndef WICK_TUI_TERMINAL_H
#define WICK_TUI_TERMINAL_H

#include "base/error.h"
#include "base/strbuf.h"
#include "tui/keys.h"

#include <signal.h>

struct terminal {
	int keys;		 /* a descriptor to read: /dev/tty */
	int out;		 /* a descriptor to write: standard output */
	int signals;		 /* signalfd */
	sigset_t blocked_before; /* the signal mask to restore */
	char input[4096];	 /* bytes that are not a complete key yet */
	size_t nr_input;
	bool asked; /* terminal_ask_ground() was called */
};

enum terminal_event {
	TERMINAL_KEY,
	TERMINAL_RESIZED, /* also after a suspend: everything must be sent again */
	TERMINAL_TIMEOUT,
	TERMINAL_TOLD, /* the other descriptor is readable */
	TERMINAL_END,  /* SIGTERM, SIGINT and the like, or the terminal is gone */
};

/*
 * Takes over the terminal on standard output.  -1: it is not a terminal; call terminal_close() even
 * then.
 */
int terminal_open(struct terminal *t, struct error *e);
void terminal_close(struct terminal *t);

/* In cells; 80 × 24 if unknown. */
void terminal_size(const struct terminal *t, int *width, int *height);

/* Writes everything, and waits for a slow terminal. */
void terminal_write(const struct terminal *t, struct span bytes);

/*
 * Waits for an event, for at most that many ms; -1: without a limit.  other: one more descriptor to wait
 * for, or -1.  *k is set with TERMINAL_KEY only.
 */
enum terminal_event terminal_wait(struct terminal *t, int ms, int other, struct key *k);

/* Restores the terminal and stops, as Ctrl-Z does; returns when the shell continues the job. */
void terminal_suspend(struct terminal *t);

/* Queries the background color: the reply comes as KEY_GROUND, or never. */
void terminal_ask_ground(struct terminal *t);

/* Appends the escape sequence that puts a text into the clipboard (OSC 52). */
void terminal_copy(struct strbuf *out, struct span text);

#endif
