/* The programs that wick is, as data: what runs, what the help and the manual tell, what shells complete. */
#ifndef WICK_CLI_PROGRAM_H
#define WICK_CLI_PROGRAM_H

#include "cli/options.h"

/* `wick NAME`: a row of a list that ends with a row of zeros. */
struct subcommand {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *about; /* NULL: not shown */
	const struct option_table *table;
};

/* A name that people call and complete: the same. */
struct program {
	const char *name;
	const struct option_table *table;
	const struct subcommand *command; /* NULL: it has none */
};

const struct program *program_find(const struct program *list, const char *name);
const struct subcommand *subcommand_find(const struct subcommand *list, const char *name);

/* The one that was probably meant, or NULL. */
const char *subcommand_nearest(const struct subcommand *list, const char *name);

#endif
