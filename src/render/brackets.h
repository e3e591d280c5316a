/*
 * Finds the pairs of brackets in the name of a function, in any language.  A < or > is not always a
 * bracket: it may be an arrow (->), or part of the name of an operator (operator<<).
 */
#ifndef WICK_RENDER_BRACKETS_H
#define WICK_RENDER_BRACKETS_H

#include "base/span.h"

/* A pair of brackets with the text between them: text[open] up to, not including, text[close]. */
struct bracket_group {
	size_t open, close;
	size_t around; /* the number of enclosing pairs */
	size_t inside; /* the number of those that are not { } */
	char kind;     /* the opening bracket */
};

/* Facts about a byte of the text. */
enum brackets_place {
	BRACKETS_PLAIN = 1,	      /* outside of brackets and operator names */
	BRACKETS_BEHIND_OPERATOR = 2, /* right after an operator name */
};

struct brackets {
	struct span text;
	struct bracket_group *group; /* in the order in which they close */
	size_t nr, cap;
	unsigned char *place; /* by byte, and one more at the end: a set of enum brackets_place */
};

/* The text must outlive it. */
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

/* The byte before a group; 0: the text begins with the group. */
static inline char brackets_before(const struct brackets *b, const struct bracket_group *g)
{
	return g->open ? b->text.at[g->open - 1] : '\0';
}

/*
 * Is the group a list of arguments or template arguments, that is, right after a name and not
 * inside ( < [?
 */
bool brackets_is_list(const struct brackets *b, const struct bracket_group *g);

/* The last argument list that is not inside of other brackets, or NULL. */
const struct bracket_group *brackets_last_arguments(const struct brackets *b);

/* The first or last position of a word outside of brackets; text.size: not found. */
size_t brackets_find(const struct brackets *b, const char *word);
size_t brackets_rfind(const struct brackets *b, const char *word);

#endif
