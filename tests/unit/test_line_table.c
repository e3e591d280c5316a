/* Programs of lines and lists of files, byte by byte. */
#include "image/dwarf/lines.h"

#include "base/strbuf.h"
#include "tap.h"

#include <dwarf.h>
#include <stdlib.h>

static const struct code_range code = { .begin = 0x1000, .end = 0x2000 };

#define BYTES(...) \
	((struct span){ (const char *)(const unsigned char[]){ __VA_ARGS__ }, \
			sizeof((const unsigned char[]){ __VA_ARGS__ }) })

/* The names of old tables: two folders, and three files in them. */
#define NAMES_4 \
	BYTES('i', 'n', 'c', 0, '/', 'x', 0, 0, 'a', '.', 'c', 0, 0, 0, 0, 'b', '.', 'h', 0, 1, 0, \
	      0, '/', 'c', 0, 2, 0, 0, 0)
#define SET_ADDRESS(low) 0, 9, 2, low, 0x10, 0, 0, 0, 0, 0, 0
#define END		 0, 1, 1
/* Goes on by so many bytes and lines, and makes a row. */
#define SPECIAL(bytes, lines) (13 + (bytes)*4 + (lines) + 1)

struct made {
	struct debug_bytes d;
	struct line_table t;
	char bytes[512];
};

static void put_u32(struct strbuf *out, size_t v)
{
	strbuf_add(out, (struct span){ (const char *)&(uint32_t){ htole32((uint32_t)v) }, 4 });
}

/* A table of which an instruction has a byte, lines go by -1 to 2, and short opcodes begin at 13. */
static bool make(struct made *m, char version, unsigned char range, struct span names,
		 struct span program)
{
	struct span old = BYTES(1, 1, 1, 0xff, range, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1);
	struct strbuf out = { 0 };

	put_u32(&out, 2 + (version == 5 ? 2 : 0) + 4 + old.size + names.size + program.size);
	strbuf_add(&out, (struct span){ (char[]){ version, 0, 8, 0 }, version == 5 ? 4 : 2 });
	put_u32(&out, old.size + names.size);
	strbuf_add(&out, old);
	strbuf_add(&out, names);
	strbuf_add(&out, program);
	debug_bytes_init(&m->d, ORDER_LITTLE);
	memcpy(m->bytes, out.at, out.size);
	m->d.section[DEBUG_LINE] = (struct span){ m->bytes, out.size };
	strbuf_release(&out);
	return line_table_parse(&m->t, &m->d, 0);
}

/* "file:line" at an address. */
static void is_at(const struct lines *l, uint32_t place, const char *want, const char *what)
{
	const struct line_row *row = lines_find(l, place);
	char got[32] = "none";

	if (row)
		snprintf(got, sizeof(got), "%u:%u", row->file, row->line);
	is_str(got, want, what);
}

static void test_rows(void)
{
	/* Another file, 98 lines further; then a row of no length before the end. */
	struct span program = BYTES(SET_ADDRESS(0x10), 1, SPECIAL(2, 1), 4, 2, 3, 0xe2, 0, 2, 2, 1,
				    SPECIAL(4, 1), END);
	struct made m;
	struct lines l;

	if (!ok(make(&m, 4, 4, NAMES_4, program), "line_table_parse reads a table of DWARF 4"))
		return;
	ok(lines_init(&l, &m.t, &code), "lines_init runs the program of a table");
	is_at(&l, 0x0f, "none", "an address before the first row has no line");
	is_at(&l, 0x10, "1:1", "the address of the first row has its line");
	is_at(&l, 0x13, "1:2", "an address between two rows has the line of the row before it");
	is_at(&l, 0x17, "2:100", "an address behind a change of the file has the new file");
	is_at(&l, 0x18, "none", "the address where a sequence ends has no line");
	lines_release(&l);
}

static void test_order(void)
{
	/* Line 5 from 0x20 to 0x24, then line 1 from 0x10 to 0x20. */
	struct span program =
		BYTES(SET_ADDRESS(0x20), 3, 4, 1, 2, 4, END, SET_ADDRESS(0x10), 1, 2, 16, END);
	struct made m;
	struct lines l;

	if (!ok(make(&m, 4, 4, NAMES_4, program) && lines_init(&l, &m.t, &code),
		"lines_init accepts sequences that are not in the order of addresses"))
		return;
	is_at(&l, 0x1f, "1:1", "an address in a later sequence with lower addresses has its line");
	is_at(&l, 0x20, "1:5",
	      "the address where one sequence ends and another begins has the line of the latter");
	is_at(&l, 0x24, "none", "an address behind all sequences has no line");
	lines_release(&l);
}

static void test_files(void)
{
	struct arena paths = { 0 };
	struct file_table f;
	struct made m;

	if (!ok(make(&m, 4, 4, NAMES_4, SPAN("")),
		"line_table_parse reads a table without a program"))
		return;
	file_table_init(&f, &m.t, &m.d, "/home");
	is_int((intmax_t)f.nr, 4, "files of DWARF 4 are numbered from 1");
	ok(!file_table_path(&f, 0, &paths), "file 0 of DWARF 4 has no path");
	is_str(file_table_path(&f, 1, &paths), "/home/a.c",
	       "a file without a directory is in the compilation directory");
	is_str(file_table_path(&f, 2, &paths), "/home/inc/b.h",
	       "a file in a relative directory is below the compilation directory");
	is_str(file_table_path(&f, 3, &paths), "/c", "a file with an absolute path keeps it");
	ok(!file_table_path(&f, 4, &paths), "a file number behind the last file has no path");
	file_table_release(&f);
	arena_release(&paths);
}

static void test_lists(void)
{
	/* Folders: texts in another section; files: a text, its folder's number, a checksum. */
	struct span names = BYTES(1, DW_LNCT_path, DW_FORM_line_strp, 2, 0, 0, 0, 0, 3, 0, 0, 0, 3,
				  DW_LNCT_path, DW_FORM_string, DW_LNCT_directory_index,
				  DW_FORM_data1, DW_LNCT_MD5, DW_FORM_data16, 1, 'm', 0, 1, 1, 2, 3,
				  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	struct arena paths = { 0 };
	struct file_table f;
	struct made m;

	if (!ok(make(&m, 5, 4, names, SPAN("")), "line_table_parse reads a table of DWARF 5"))
		return;
	m.d.section[DEBUG_LINE_STR] = (struct span){ "/w\0sub", 7 };
	file_table_init(&f, &m.t, &m.d, "/w");
	is_int((intmax_t)f.nr, 1, "files of DWARF 5 are numbered from 0");
	is_str(file_table_path(&f, 0, &paths), "/w/sub/m",
	       "a directory of DWARF 5 is read from .debug_line_str");
	file_table_release(&f);
	m.d.section[DEBUG_LINE_STR] = (struct span){ "/w", 2 };
	file_table_init(&f, &m.t, &m.d, "/w");
	is_str(file_table_path(&f, 0, &paths), "/w/m",
	       "a directory whose offset is behind .debug_line_str is ignored");
	file_table_release(&f);
	arena_release(&paths);
}

static void test_nonsense(void)
{
	/* Rows of no columns, as many as a number can say. */
	struct span endless = BYTES(0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0);
	struct line_file *files;
	struct made m;
	struct lines l;

	if (ok(make(&m, 5, 4, endless, SPAN("")),
	       "line_table_parse accepts a file list that is longer than its bytes")) {
		is_int((intmax_t)line_table_files(&m.t, &m.d, &files), 0,
		       "a file list that is longer than its bytes has no files");
		free(files);
	}
	ok(!make(&m, 4, 0, NAMES_4, SPAN("")), "line_table_parse rejects a line range of 0");
	ok(!line_table_parse(&m.t, &m.d, 4096),
	   "line_table_parse rejects an offset behind the section");
	if (ok(make(&m, 4, 4, NAMES_4, BYTES(0, 9, 2)),
	       "line_table_parse accepts a table whose program is truncated")) {
		ok(!lines_init(&l, &m.t, &code), "lines_init rejects a truncated program");
		lines_release(&l);
	}
}

int main(void)
{
	test_rows();
	test_order();
	test_files();
	test_lists();
	test_nonsense();
	return done();
}
