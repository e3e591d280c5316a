/* The annotated source of a function, or its instructions: text, which a callback writes. */
#ifndef WICK_TUI_SOURCE_LISTING_H
#define WICK_TUI_SOURCE_LISTING_H

#include "tui/model.h"

enum listing_what { LISTING_SOURCE, LISTING_CODE };

/* Appends the lines of a function, or a line that says why there are none. */
typedef void listing_writer(void *arg, const struct model *m, uint32_t label,
			    enum listing_what what, struct strbuf *out);

struct listing {
	uint32_t label; /* of the function; LAYOUT_ALL: it is empty */
	enum listing_what what;
	struct strbuf text;
	size_t *begin;	       /* by line: where in the text it begins; one more is the end */
	size_t nr;	       /* lines */
	listing_writer *write; /* or NULL: there are no listings */
	void *arg;	       /* of write() */
};

/* Removes the text; `what` and the callback stay. */
void listing_empty(struct listing *l);

/* Shows a function, unless it does already; true: the text is new. */
bool listing_fill(struct listing *l, const struct model *m, uint32_t label);

/* A line without its newline. */
struct span listing_line(const struct listing *l, size_t line);

/* Does a line begin with shares? */
bool listing_has_cost(struct span line);

/* The line with the largest self weight; 0: no line has any. */
size_t listing_heaviest(const struct listing *l);

#endif
