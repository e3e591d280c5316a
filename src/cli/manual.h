/* Pages of the manual: the prose is in man/, what a table knows is filled in. */
#ifndef WICK_CLI_MANUAL_H
#define WICK_CLI_MANUAL_H

#include "cli/program.h"

/*
 * Copies a page from standard input to standard output.  The lines @SYNOPSIS@
 * and @OPTIONS@ become those of the table, and @COMMANDS@ the list of the
 * program's; p may be NULL.
 */
int manual_fill(const struct program *p, const struct option_table *t, struct error *e);

#endif
