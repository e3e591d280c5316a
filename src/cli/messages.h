/* Messages to the user, on standard error. */
#ifndef WICK_CLI_MESSAGES_H
#define WICK_CLI_MESSAGES_H

#include "base/error.h"

#include <stdio.h>

/* Prints "wick: <text>", then "hint: <hint>"; nothing for a closed pipe. */
void message_error(const struct error *e);

/* "wick: …" */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints a drop-in program's message, in the words of the program that it replaces; control
 * characters are replaced.
 */
void message_peer(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The exit status for an error: 2 for a wrong command line, else 1. */
int message_status(const struct error *e);

/*
 * The exit status for a result: ret itself; if that is -1, prints the error and returns its status.
 */
int message_result(int ret, const struct error *e);

/*
 * To be called first: makes sure that files opened later do not become standard input, output or
 * error if those were closed.
 */
void messages_init(void);

/* To be called last: returns the status to exit with; 1 if standard output could not be written. */
int messages_end(int status);

#endif
