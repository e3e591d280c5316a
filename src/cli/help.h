/* wick help: the usage of a command, or its manual page. */
#ifndef WICK_CLI_HELP_H
#define WICK_CLI_HELP_H

#include "cli/program.h"

/*
 * Prints the usage of a program with subcommands on standard output; on a terminal, with the pager.
 */
void help_program(const struct program *p);

/* The same on standard error, for a command line without a subcommand. */
void help_missing(const struct program *p);

/* The command `wick help`; the first program of the list is wick itself. */
int help_main(const struct program *list, int argc, char **argv);
extern const struct option_table help_table;

/* Sets the error for an unknown subcommand, with a hint which one may be meant; returns -1. */
int help_unknown(const struct program *p, const char *name, struct error *e);

#endif
