/* What completes command lines in shells, from the same tables that parse them. */
#ifndef WICK_CLI_COMPLETIONS_H
#define WICK_CLI_COMPLETIONS_H

#include "cli/program.h"

/* For the argument that is called SHELL. */
#define COMPLETIONS_SHELLS "bash|zsh|fish|powershell|elvish"

/* Prints it; -1: nobody knows that shell. */
int completions_write(const struct program *p, const char *shell, struct error *e);

/* The command; the first of the list is wick itself. */
int completions_main(const struct program *list, int argc, char **argv);
extern const struct option_table completions_table;

#endif
