/* Where in the source a function spends its time. */
#ifndef WICK_TUI_SOURCE_H
#define WICK_TUI_SOURCE_H

#include "tui/model.h"

struct source_row {
	str_id file;
	uint32_t line;
	weight_sum self, total;
};

/* Reads a file of the source into *text; false when it cannot be had. */
typedef bool source_loader(struct span path, struct strbuf *text);

struct source_lines {
	uint32_t label;		/* of the function; LAYOUT_ALL: nothing is there */
	struct source_row *row; /* by file, and line */
	size_t nr;
	str_id file;	    /* where it is, mostly */
	struct strbuf text; /* … and what stands there; empty: it is not known */
	size_t *begin;	    /* of its lines in the text */
	size_t nr_line;
	size_t first, last; /* lines that are about the function, from 1; 0: none */
};

void source_lines_init(struct source_lines *s);
void source_lines_release(struct source_lines *s);

/* Of another function. */
void source_lines_fill(struct source_lines *s, const struct model *m, uint32_t label,
		       source_loader *load);

/* What a line of the main file costs; NULL: nothing. */
const struct source_row *source_lines_find(const struct source_lines *s, size_t line);

#endif
