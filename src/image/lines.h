/* The line of the source at an address, from the line tables of DWARF. */
#ifndef WICK_IMAGE_LINES_H
#define WICK_IMAGE_LINES_H

#include "base/arena.h"
#include "image/places.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* Line tables give addresses; we keep the distance from where the code begins. */
struct code_range {
	uint64_t begin, end;
};

struct lines {
	struct places begin;
	struct line_row {
		uint32_t file; /* its number in the table; LINE_UNKNOWN: code without lines */
		uint32_t line;
	} * row;
	size_t nr;
};

#define LINE_UNKNOWN UINT32_MAX

/* Decodes the table of a unit; false when it makes no sense. */
bool lines_init(struct lines *l, Dwarf_Die *unit, const struct code_range *code);
void lines_release(struct lines *l);

/* NULL when there is none. */
const struct line_row *lines_find(const struct lines *l, uint32_t place);

/* The files of a unit, by their number; paths are made when they are asked for. */
struct file_table {
	Dwarf_Files *files;
	const char *folder; /* where the compiler ran; NULL: who knows */
	const char **path;
	size_t nr;
	bool known;
};

/* The path lives in the arena; NULL when there is none. */
const char *file_table_path(struct file_table *t, Dwarf_Die *unit, uint32_t number,
			    struct arena *paths);
void file_table_release(struct file_table *t);

#endif
