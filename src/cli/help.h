/* wick help: how a command is called, or its page of the manual. */
#ifndef WICK_CLI_HELP_H
#define WICK_CLI_HELP_H

#include "cli/program.h"

/* How a program with commands is called: on standard output, in pages as any help. */
void help_program(const struct program *p);

/* The same on standard error: there is no command. */
void help_missing(const struct program *p);

/* The command; the first of the list is wick itself. */
int help_main(const struct program *list, int argc, char **argv);
extern const struct option_table help_table;

/* Why a command is not known, and which may have been meant. */
int help_unknown(const struct program *p, const char *name, struct error *e);

#endif
