/*
 * A table for people: as wide as its texts, or as the terminal; or Markdown.
 * Names in it are other people's bytes, and none of them reaches the terminal
 * that would tell it what to do.
 */
#ifndef WICK_CLI_TABLE_H
#define WICK_CLI_TABLE_H

#include "cli/term.h"

enum table_kind {
	TABLE_NUMBER, /* to the right, never cut */
	TABLE_BAR,    /* for the eye: not in Markdown */
	TABLE_NAME,   /* any bytes, as short as there is room */
	TABLE_PATH,   /* the same, of which the end tells most */
};

struct table_column {
	const char *title;
	enum table_kind kind;
	bool spare; /* left out where there is no room for it, after the bar */
};

struct table_cell {
	size_t begin, size; /* in the text */
	enum term_style style;
};

/* Appends what of a name tells most in so many characters. */
typedef void table_shortener(struct strbuf *out, struct span name, size_t max);

struct table {
	const struct table_column *column;
	size_t nr_column;
	table_shortener *shorten;
	struct strbuf text;
	struct table_cell *cell; /* a row after the other */
	size_t nr_cell, cap_cell;
};

/* The next cell, from the left to the right and row by row. */
void table_add(struct table *t, struct span text, enum term_style style);

/* A bar of a share, up to 1. */
void table_add_bar(struct table *t, double share);

void table_write(const struct table *t, const struct term *term, struct strbuf *out);
void table_write_markdown(const struct table *t, struct strbuf *out);
void table_release(struct table *t);

#endif
