/* What wick says to the person, on standard error. */
#ifndef WICK_CLI_MESSAGES_H
#define WICK_CLI_MESSAGES_H

#include "base/error.h"

#include <stdio.h>

/* "wick: <text>", then "hint: <hint>". */
void message_error(const struct error *e);

/* "wick: …" */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Another program's words, under its name; only what would steer a terminal is spelled out. */
void message_peer(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The exit status that an error means: 2 for a wrong command line, else 1. */
int message_status(const struct error *e);

/* … and that of a command which ends so: an error (ret is -1) is told. */
int message_result(int ret, const struct error *e);

/*
 * To be called first: makes sure that files opened later do not become
 * standard input, output or error because those were closed.
 */
void messages_init(void);

/* To be called last: the status to exit with, 1 when standard output did not take what was printed. */
int messages_end(int status);

#endif
