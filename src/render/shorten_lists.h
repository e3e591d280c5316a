/* Lists of arguments and of templates in a name, which say the least where there is little room. */
#ifndef WICK_RENDER_SHORTEN_LISTS_H
#define WICK_RENDER_SHORTEN_LISTS_H

#include "base/strbuf.h"

enum shorten_lists {
	SHORTEN_ARGUMENTS, /* f(int, char) is f(…) */
	SHORTEN_TEMPLATES, /* f<int> is f<…>, and <a::B as c::D> is <B as D> */
	SHORTEN_LISTS,	   /* both are gone without a trace */
};

void shorten_lists(struct strbuf *out, struct span text, enum shorten_lists how);

#endif
