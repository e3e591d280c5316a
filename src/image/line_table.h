/*
 * A unit's table of lines: a program that makes rows of addresses and lines, and the
 * names of files behind its header.
 */
#ifndef WICK_IMAGE_LINE_TABLE_H
#define WICK_IMAGE_LINE_TABLE_H

#include "image/debug_sections.h"
#include "image/dwarf_bytes.h"

struct line_table {
	struct dwarf_format format;
	uint8_t step;		       /* an instruction has at least so many bytes */
	int8_t line_base;	       /* what the shortest instructions of the program do */
	uint8_t line_range;	       /* … */
	uint8_t opcode_base;	       /* … and where they begin */
	const unsigned char *operands; /* how many the others have, by number from 1 */
	struct bytes names, program;
};

/* Of the table at that offset; false when it makes no sense. */
bool line_table_parse(struct line_table *t, const struct debug_bytes *d, uint64_t offset);

/* A row: from this address on it is that line; or code without lines begins there. */
typedef void line_sink(void *arg, uint64_t address, uint64_t file, uint64_t line);
#define LINE_NO_FILE UINT64_MAX

/* Runs the program; false when it makes no sense any more. */
bool line_table_run(const struct line_table *t, line_sink *sink, void *arg);

/* line_files.c: files by their number, from 0; freed by the caller.  Texts are the sections'. */
struct line_file {
	const char *folder, *name; /* as they are written; NULL: not told */
};
size_t line_table_files(const struct line_table *t, const struct debug_bytes *d,
			struct line_file **files);

#endif
