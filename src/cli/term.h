/* The width and colors of standard output. */
#ifndef WICK_CLI_TERM_H
#define WICK_CLI_TERM_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* The values of --color. */
enum term_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The --color row of an option table, for an int. */
#define TERM_COLOR_OPTION(field) \
	{ \
		"color", 0, OPTION_CHOICE, AT(field), "auto|always|never", \
			"colors [auto: on a terminal, unless NO_COLOR is set]", 0 \
	}

struct term {
	size_t width; /* characters; 0: not a terminal, and lines may have any length */
	bool color;
};

/* To be called before a pager takes the place of standard output. */
struct term term_find(enum term_color color);

enum term_style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_HOT, STYLE_WARM, NR_STYLES };

/* The style of a share of the total. */
enum term_style term_style_of(double share);

/* Appends text in a style, which is dropped if there are no colors: it must not carry meaning. */
void term_add(struct strbuf *out, const struct term *t, enum term_style style, struct span text);

#endif
