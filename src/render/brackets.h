/*
 * Where brackets open and close in the name of a function, in any language: not all of < and > are
 * some, and what an operator is called is none.
 */
#ifndef WICK_RENDER_BRACKETS_H
#define WICK_RENDER_BRACKETS_H

#include "base/span.h"

/* A pair of them: text[open] up to text[close]. */
struct bracket_group {
	size_t open, close;
	size_t around; /* brackets around it */
	size_t inside; /* those of them that are no { } */
	char kind;     /* the opening one */
};

/* What there is at a place of the text. */
enum brackets_place {
	BRACKETS_PLAIN = 1,	      /* outside of brackets and operators */
	BRACKETS_BEHIND_OPERATOR = 2, /* right behind one */
};

struct brackets {
	struct span text;
	struct bracket_group *group; /* in the order in which they close */
	size_t nr, cap;
	unsigned char *place; /* enum brackets_place */
};

void brackets_init(struct brackets *b, struct span text);
void brackets_release(struct brackets *b);

static inline bool brackets_is_plain(const struct brackets *b, size_t at)
{
	return b->place[at] & BRACKETS_PLAIN;
}

static inline struct span brackets_text(const struct brackets *b, const struct bracket_group *g)
{
	return span_between(b->text.at + g->open, b->text.at + g->close);
}

/* What stands in front of a group; 0: nothing. */
static inline char brackets_before(const struct brackets *b, const struct bracket_group *g)
{
	return g->open ? b->text.at[g->open - 1] : '\0';
}

/* Is it a list of arguments or of a template? */
bool brackets_is_list(const struct brackets *b, const struct bracket_group *g);

/* The last argument list that is inside of nothing, or NULL. */
const struct bracket_group *brackets_last_arguments(const struct brackets *b);

/* Where a word stands outside of brackets: the first place, or the last; text.size: nowhere. */
size_t brackets_find(const struct brackets *b, const char *word);
size_t brackets_rfind(const struct brackets *b, const char *word);

#endif
