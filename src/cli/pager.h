/*
 * Shows text with a pager, as git does: $WICK_PAGER, $PAGER or less, and only on
 * a terminal.
 */
#ifndef WICK_CLI_PAGER_H
#define WICK_CLI_PAGER_H

#include "base/strbuf.h"

enum pager_use { PAGER_NEVER, PAGER_ON_TERMINAL };

/* The --no-pager row of an option table, for an int that starts as PAGER_ON_TERMINAL. */
#define PAGER_OPTION(field) \
	{ \
		"no-pager", 0, OPTION_VALUE, AT(field), NULL, \
			"do not pipe long output through $WICK_PAGER, $PAGER or less", PAGER_NEVER \
	}

/* The --ascii row of an option table, for a bool. */
#define PAGER_ASCII_OPTION(field) \
	{ \
		"ascii", 0, OPTION_FLAG, AT(field), NULL, "use ASCII only", 0 \
	}

/* For --ascii: replaces all non-ASCII characters. */
void pager_make_ascii(struct strbuf *text);

/* Writes text to standard output; with a pager, waits until that ends. */
void pager_show(struct span text, enum pager_use use);

#endif
