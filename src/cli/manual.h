/* Manual pages: man/ has the prose; synopsis and options are filled in from the tables. */
#ifndef WICK_CLI_MANUAL_H
#define WICK_CLI_MANUAL_H

#include "cli/program.h"

/*
 * Copies a page from standard input to standard output.  The lines @SYNOPSIS@
 * and @OPTIONS@ are replaced by those of the table, and @COMMANDS@ by the
 * program's subcommands; p NULL: it has none.
 */
int manual_fill(const struct program *p, const struct option_table *t, struct error *e);

#endif
