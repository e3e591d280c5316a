/*
 * Errors as text: the innermost function gives the reason, and each level above may prepend what it was
 * doing.
 *
 * A function that can fail returns 0 or -1 and takes a `struct error *` as its very last parameter.
 * All helpers here return -1, so that failing is one statement:
 * `return error_set(e, ERROR_INPUT, "truncated attribute");`.  Nothing below cli/ prints.
 */
#ifndef WICK_BASE_ERROR_H
#define WICK_BASE_ERROR_H

#include <stdbool.h>

enum error_kind {
	ERROR_NONE,
	ERROR_USAGE,  /* the command line is wrong */
	ERROR_INPUT,  /* the input is invalid */
	ERROR_FORMAT, /* the format of the input is unknown */
	ERROR_SYSTEM, /* a system call failed */
	ERROR_PIPE,   /* the reader of the output is gone (EPIPE): no message */
};

struct error {
	enum error_kind kind;
	char text[1024];
	char hint[512]; /* the one command that fixes it, or "" */
};

#define ERROR_INIT \
	{ \
		.kind = ERROR_NONE \
	}

/* Sets the reason. */
int error_set(struct error *e, enum error_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds the reason from errno: "open: No such file or directory".  Too many open files have a hint. */
int error_sys(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prepends what the caller was doing: "cpu 3: …". */
int error_within(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends text, truncated to the size of the buffer: for lists. */
int error_add(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_is_full(const struct error *e);

/* Sets the hint. */
int error_hint(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
