/*
 * Splits a line of comma-separated values into fields.  A field may be quoted; a quote inside it is
 * doubled.  Some tools fail to quote, so the original text of fields stays available.
 */
#ifndef WICK_BASE_CSV_H
#define WICK_BASE_CSV_H

#include "base/span.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* A line with more commas than this keeps the rest of them in its last field. */
enum { CSV_FIELDS_MAX = 4096 };

struct csv_field {
	struct span text;    /* without its quotes */
	struct span written; /* with them */
	bool quoted;
};

struct csv {
	struct csv_field *field;
	size_t nr, cap;
	bool unclosed;	    /* a quote is opened and never closed */
	struct strbuf text; /* of quoted fields, decoded */
};

/*
 * Splits a line; a byte order mark in front of the first line is dropped.  The fields are valid as
 * long as the line is, until the next csv_parse().  There is always at least one field, maybe an
 * empty one.
 */
void csv_parse(struct csv *c, struct span line);
void csv_release(struct csv *c);

/* The index of the field with exactly this text; c->nr if there is none. */
size_t csv_find(const struct csv *c, const char *text);

/* The part of the line from one field to another, both included, as written. */
struct span csv_written(const struct csv *c, size_t first, size_t last);

#endif
