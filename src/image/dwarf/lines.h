/* Source lines by address: the rows of a line table, sorted. */
#ifndef WICK_IMAGE_DWARF_LINES_H
#define WICK_IMAGE_DWARF_LINES_H

#include "base/arena.h"
#include "image/code/code_ranges.h"
#include "image/dwarf/line_table.h"

struct lines {
	struct sorted_addresses begin; /* of each row, relative to the code */
	struct line_row {
		uint32_t file; /* its number in the table; LINE_UNKNOWN: code without lines */
		uint32_t line;
	} * row;
};

#define LINE_UNKNOWN UINT32_MAX

/* Runs a table's program; false if it is malformed: rows before that are kept. */
bool lines_init(struct lines *l, const struct line_table *t, const struct code_range *code);
void lines_release(struct lines *l);

/* NULL when there is none. */
const struct line_row *lines_find(const struct lines *l, uint32_t place);

/* The files of a table by number.  Their paths are built on demand. */
struct file_table {
	const char *folder; /* where the compiler ran; NULL: unknown */
	struct line_file *file;
	const char **path; /* NULL: not built yet */
	size_t nr;
};

void file_table_init(struct file_table *f, const struct line_table *t, const struct debug_bytes *d,
		     const char *folder);
void file_table_release(struct file_table *f);

/* Lives in the arena or in the sections; NULL when there is no such file. */
const char *file_table_path(struct file_table *f, uint32_t number, struct arena *paths);

#endif
