/* Replaces the lists of arguments and of template arguments in a name. */
#ifndef WICK_RENDER_SHORTEN_LISTS_H
#define WICK_RENDER_SHORTEN_LISTS_H

#include "base/strbuf.h"

enum shorten_lists {
	SHORTEN_ARGUMENTS, /* f(int, char) → f(…) */
	SHORTEN_TEMPLATES, /* f<int> → f<…>, and <a::B as c::D> → <B as D> */
	SHORTEN_LISTS,	   /* f<int>(char) → f */
};

/* Appends the text with its lists replaced. */
void shorten_lists(struct strbuf *out, struct span text, enum shorten_lists how);

#endif
