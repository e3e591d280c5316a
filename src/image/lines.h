/* The line of the source at an address, from the line tables of DWARF. */
#ifndef WICK_IMAGE_LINES_H
#define WICK_IMAGE_LINES_H

#include "base/arena.h"
#include "image/code_ranges.h"
#include "image/line_table.h"

struct lines {
	struct places begin;
	struct line_row {
		uint32_t file; /* its number in the table; LINE_UNKNOWN: code without lines */
		uint32_t line;
	} * row;
};

#define LINE_UNKNOWN UINT32_MAX

/* Runs a table's program; false when it makes no sense. */
bool lines_init(struct lines *l, const struct line_table *t, const struct code_range *code);
void lines_release(struct lines *l);

/* NULL when there is none. */
const struct line_row *lines_find(const struct lines *l, uint32_t place);

/* The files of a table, by their number; paths are made when they are asked for. */
struct file_table {
	const char *folder; /* where the compiler ran; NULL: who knows */
	struct line_file *file;
	const char **path;
	size_t nr;
};

void file_table_init(struct file_table *f, const struct line_table *t, const struct debug_bytes *d,
		     const char *folder);
void file_table_release(struct file_table *f);

/* The path lives in the arena, or in the sections; NULL when there is none. */
const char *file_table_path(struct file_table *f, uint32_t number, struct arena *paths);

#endif
