/* What standard output is: how wide, and whether it shows colors. */
#ifndef WICK_CLI_TERM_H
#define WICK_CLI_TERM_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* As --color says it. */
enum term_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The row of a table of options, for an int. */
#define TERM_COLOR_OPTION(field) \
	{ \
		"color", 0, OPTION_CHOICE, AT(field), "auto|always|never", \
			"colors [auto: on a terminal, unless NO_COLOR is set]", 0 \
	}

struct term {
	size_t width; /* 0: it is no terminal, and lines may be as long as they are */
	bool color;
};

/* What it is now: to be asked before a pager takes its place. */
struct term term_find(enum term_color color);

enum term_style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_HOT, STYLE_WARM, NR_STYLES };

/* How a share of the whole is shown. */
enum term_style term_style_of(double share);

/* Appends text in a style, which must not need it: it is plain where there are no colors. */
void term_add(struct strbuf *out, const struct term *t, enum term_style style, struct span text);

#endif
