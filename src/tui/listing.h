/* The source of a function, or its instructions, with what each line took: text that somebody else wrote. */
#ifndef WICK_TUI_LISTING_H
#define WICK_TUI_LISTING_H

#include "tui/model.h"

enum listing_what { LISTING_SOURCE, LISTING_CODE };

/* Appends the lines for a function, or why there are none. */
typedef void listing_writer(void *arg, const struct model *m, uint32_t label,
			    enum listing_what what, struct strbuf *out);

struct listing {
	uint32_t label; /* of the function; LAYOUT_ALL: nothing is there */
	enum listing_what what;
	struct strbuf text;
	size_t *begin; /* of each line in the text, and behind the last */
	size_t nr;
	listing_writer *write; /* or NULL */
	void *arg;
};

void listing_empty(struct listing *l);

/* Of a function, unless it is there already; true when it is a new one. */
bool listing_fill(struct listing *l, const struct model *m, uint32_t label);

struct span listing_line(const struct listing *l, size_t line);

/* Does a line tell what it took?  Then it has numbers in front. */
bool listing_has_cost(struct span line);

/* The line that took most; 0 when none did. */
size_t listing_heaviest(const struct listing *l);

#endif
