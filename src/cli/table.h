/*
 * A table as text, which fits on the terminal, or as Markdown.  Names are
 * untrusted bytes: escape sequences and the like are made legible.
 */
#ifndef WICK_CLI_TABLE_H
#define WICK_CLI_TABLE_H

#include "cli/term.h"

enum table_kind {
	TABLE_NUMBER, /* right-aligned, never shortened */
	TABLE_BAR,    /* a bar; left out in Markdown, or if there is no room */
	TABLE_NAME,   /* any bytes, shortened if there is no room */
	TABLE_PATH,   /* the same, but the end is kept */
};

struct table_column {
	const char *title;
	enum table_kind kind;
	bool spare; /* left out if there is no room, after bars */
};

struct table_cell {
	size_t begin, size; /* in the text */
	enum term_style style;
};

/* Appends a name in at most `max` characters: shorten() of render/, which cli/ may not include. */
typedef void table_shortener(struct strbuf *out, struct span name, size_t max);

struct table {
	const struct table_column *column;
	size_t nr_column;
	table_shortener *shorten; /* of TABLE_NAME */
	struct strbuf text;	  /* of all cells */
	struct table_cell *cell;  /* row by row */
	size_t nr_cell, cap_cell;
};

/* Adds the next cell, from left to right and row by row; the text is copied. */
void table_add(struct table *t, struct span text, enum term_style style);

/* Adds a bar as the next cell; share is from 0 to 1. */
void table_add_bar(struct table *t, double share);

/* Both append to out. */
void table_write(const struct table *t, const struct term *term, struct strbuf *out);
void table_write_markdown(const struct table *t, struct strbuf *out);
void table_release(struct table *t);

#endif
