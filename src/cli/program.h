/* The programs and subcommands, as tables that the help, the manual and completion use too. */
#ifndef WICK_CLI_PROGRAM_H
#define WICK_CLI_PROGRAM_H

#include "cli/options.h"

/* `wick NAME`.  A list of them ends with a row of zeros. */
struct subcommand {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *about; /* a line for the help; NULL: hidden */
	const struct option_table *table;
};

/* A program: wick, or a drop-in name of it.  A list of them ends with a row of zeros. */
struct program {
	const char *name;
	const struct option_table *table;
	const struct subcommand *command; /* NULL: it has none */
};

/* NULL: there is none of that name. */
const struct program *program_find(const struct program *list, const char *name);
const struct subcommand *subcommand_find(const struct subcommand *list, const char *name);

/* The name most like a misspelled one, or NULL. */
const char *subcommand_nearest(const struct subcommand *list, const char *name);

#endif
