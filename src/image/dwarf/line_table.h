/*
 * The line table of a unit (.debug_line): a header with the names of files, and a program that
 * generates rows of address, file and line.
 */
#ifndef WICK_IMAGE_DWARF_LINE_TABLE_H
#define WICK_IMAGE_DWARF_LINE_TABLE_H

#include "image/dwarf/debug_sections.h"
#include "image/dwarf/dwarf_bytes.h"

struct line_table {
	struct dwarf_format format;
	/* In the terms of the standard: */
	uint8_t step; /* minimum_instruction_length */
	int8_t line_base;
	uint8_t line_range;
	uint8_t opcode_base;
	const unsigned char *operands; /* standard_opcode_lengths, from opcode 1 */
	struct bytes names, program;
};

/* Parses the header at an offset in .debug_line; false when it is malformed. */
bool line_table_parse(struct line_table *t, const struct debug_bytes *d, uint64_t offset);

/* A row is valid from its address on.  LINE_NO_FILE: a sequence ends here. */
typedef void line_sink(void *arg, uint64_t address, uint64_t file, uint64_t line);
#define LINE_NO_FILE UINT64_MAX

/* Runs the program; false if it is malformed: rows before that were passed to the sink. */
bool line_table_run(const struct line_table *t, line_sink *sink, void *arg);

/*
 * line_files.c: an array of files by number, from 0, and its length.  The caller frees it; its
 * strings are in the sections.
 */
struct line_file {
	const char *folder, *name; /* as they are written; NULL: unknown */
};
size_t line_table_files(const struct line_table *t, const struct debug_bytes *d,
			struct line_file **files);

#endif
