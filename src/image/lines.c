#include "image/lines.h"

#include "base/alloc.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_ROWS_MAX = 64 * 1024 * 1024 };

static bool is_same(const struct line_row *a, const struct line_row *b)
{
	return a->file == b->file && a->line == b->line;
}

/*
 * Of several rows at one place the last one counts; libdw puts ends before beginnings.
 * Rows that differ in their columns alone are one for us.
 */
static void add_row(struct lines *l, uint32_t place, struct line_row row)
{
	if (l->nr && l->place[l->nr - 1] == place)
		l->nr--;
	if (l->nr && is_same(&l->row[l->nr - 1], &row))
		return;
	l->place[l->nr] = place;
	l->row[l->nr++] = row;
}

static void add_rows(struct lines *l, Dwarf_Lines *lines, size_t nr, const struct code_range *code)
{
	for (size_t i = 0; i < nr; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		struct line_row row = { .file = LINE_UNKNOWN };
		Dwarf_Files *files;
		Dwarf_Addr at;
		bool end = true;
		size_t file;
		int number;

		/* The end of a sequence may be the end of the code. */
		if (!line || dwarf_lineaddr(line, &at) || at < code->begin || at > code->end)
			continue;
		(void)dwarf_lineendsequence(line, &end);
		if (!end && !dwarf_line_file(line, &files, &file) && file < LINE_UNKNOWN) {
			row.file = (uint32_t)file;
			if (!dwarf_lineno(line, &number) && number > 0)
				row.line = (uint32_t)number;
		}
		add_row(l, (uint32_t)(at - code->begin), row);
	}
}

bool lines_init(struct lines *l, Dwarf_Die *unit, const struct code_range *code)
{
	Dwarf_Lines *lines = NULL;
	size_t nr = 0;

	*l = (struct lines){ 0 };
	if (!dwarf_hasattr(unit, DW_AT_stmt_list))
		return true;
	if (dwarf_getsrclines(unit, &lines, &nr))
		return false;
	if (nr > LINE_ROWS_MAX)
		nr = LINE_ROWS_MAX;
	l->place = xcalloc(nr + 1, sizeof(*l->place));
	l->row = xcalloc(nr + 1, sizeof(*l->row));
	add_rows(l, lines, nr, code);
	l->place = xreallocarray(l->place, l->nr + 1, sizeof(*l->place));
	l->row = xreallocarray(l->row, l->nr + 1, sizeof(*l->row));
	return true;
}

void lines_release(struct lines *l)
{
	free(l->place);
	free(l->row);
	*l = (struct lines){ 0 };
}

const struct line_row *lines_find(const struct lines *l, uint32_t place)
{
	size_t first = 0, nr = l->nr;

	if (!nr || place < l->place[0])
		return NULL;
	while (nr > 1) {
		size_t half = nr / 2;

		first = l->place[first + half] <= place ? first + half : first;
		nr -= half;
	}
	return l->row[first].file != LINE_UNKNOWN ? &l->row[first] : NULL;
}

static void file_table_load(struct file_table *t, Dwarf_Die *unit)
{
	Dwarf_Attribute a;

	t->known = true;
	if (dwarf_getsrcfiles(unit, &t->files, &t->nr)) {
		t->nr = 0;
		return;
	}
	t->path = xcalloc(t->nr + 1, sizeof(*t->path));
	t->folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
}

const char *file_table_path(struct file_table *t, Dwarf_Die *unit, uint32_t number,
			    struct arena *paths)
{
	const char *name;
	char *path;
	size_t size;

	if (!t->known)
		file_table_load(t, unit);
	if (number >= t->nr)
		return NULL;
	if (t->path[number])
		return t->path[number];
	name = dwarf_filesrc(t->files, number, NULL, NULL);
	if (!name || name[0] == '/' || !t->folder)
		return t->path[number] = name;
	size = strlen(t->folder) + 1 + strlen(name) + 1;
	path = arena_take(paths, size);
	snprintf(path, size, "%s/%s", t->folder, name);
	return t->path[number] = path;
}

void file_table_release(struct file_table *t)
{
	free(t->path);
	*t = (struct file_table){ 0 };
}
