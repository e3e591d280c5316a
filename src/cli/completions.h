/* Completion scripts for shells, from the same tables that parse command lines. */
#ifndef WICK_CLI_COMPLETIONS_H
#define WICK_CLI_COMPLETIONS_H

#include "cli/program.h"

/* The shells, as the words of an argument. */
#define COMPLETIONS_SHELLS "bash|zsh|fish|powershell|elvish"

/* Prints the completion script of a program; -1: unknown shell. */
int completions_write(const struct program *p, const char *shell, struct error *e);

/* The command `wick completions`; the first program of the list is wick itself. */
int completions_main(const struct program *list, int argc, char **argv);
extern const struct option_table completions_table;

#endif
