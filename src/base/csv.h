/*
 * A line of comma-separated values, cut into fields.  A field may stand in
 * quotes, inside of which a quote is doubled; where tools forget to quote, the
 * line as it was written is still there.
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
	struct strbuf text; /* of the fields that are not a piece of the line */
};

/*
 * Cuts a line, without the byte order mark that some tools write in front of
 * the first one.  The fields are valid as long as the line is, until the next
 * csv_parse().  There is always one, even if it is empty.
 */
void csv_parse(struct csv *c, struct span line);
void csv_release(struct csv *c);

/* Which field says exactly this; c->nr when none does. */
size_t csv_find(const struct csv *c, const char *text);

/* From one field to the other, both included, as they were written. */
struct span csv_written(const struct csv *c, size_t first, size_t last);

#endif
