/*
 * What is longer than the screen, as git shows it: $WICK_PAGER, $PAGER or less,
 * and only on a terminal.
 */
#ifndef WICK_CLI_PAGER_H
#define WICK_CLI_PAGER_H

#include "base/span.h"

/* Is one wanted, where there is a terminal? */
enum pager_use { PAGER_NEVER, PAGER_ON_TERMINAL };

/* The row of a table of options, for an int that is PAGER_ON_TERMINAL to begin with. */
#define PAGER_OPTION(field) \
	{ \
		"no-pager", 0, OPTION_VALUE, AT(field), NULL, \
			"do not show what is longer than the screen with $WICK_PAGER, $PAGER or less", \
			PAGER_NEVER \
	}

/* Writes to standard output, and waits until the person has seen enough. */
void pager_show(struct span text, enum pager_use use);

#endif
