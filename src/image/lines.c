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

/* What was decoded so far. */
struct rows {
	uint32_t *place;
	struct line_row *row;
	size_t nr;
};

/*
 * Of several rows at one place the last one counts; libdw puts ends before beginnings.
 * Rows that differ in their columns alone are one for us.
 */
static void add_row(struct rows *r, uint32_t place, struct line_row row)
{
	if (r->nr && r->place[r->nr - 1] == place)
		r->nr--;
	if (r->nr && is_same(&r->row[r->nr - 1], &row))
		return;
	r->place[r->nr] = place;
	r->row[r->nr++] = row;
}

static void add_rows(struct rows *r, Dwarf_Lines *lines, size_t nr, const struct code_range *code)
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
		add_row(r, (uint32_t)(at - code->begin), row);
	}
}

bool lines_init(struct lines *l, Dwarf_Die *unit, const struct code_range *code)
{
	Dwarf_Lines *lines = NULL;
	struct rows r = { 0 };
	size_t nr = 0;

	*l = (struct lines){ 0 };
	if (!dwarf_hasattr(unit, DW_AT_stmt_list))
		return true;
	if (dwarf_getsrclines(unit, &lines, &nr))
		return false;
	if (nr > LINE_ROWS_MAX)
		nr = LINE_ROWS_MAX;
	r.place = xcalloc(nr + 1, sizeof(*r.place));
	r.row = xcalloc(nr + 1, sizeof(*r.row));
	add_rows(&r, lines, nr, code);
	places_init(&l->begin, xreallocarray(r.place, r.nr + 1, sizeof(*r.place)), r.nr);
	l->row = xreallocarray(r.row, r.nr + 1, sizeof(*r.row));
	return true;
}

void lines_release(struct lines *l)
{
	places_release(&l->begin);
	free(l->row);
	*l = (struct lines){ 0 };
}

const struct line_row *lines_find(const struct lines *l, uint32_t place)
{
	uint32_t i = places_find(&l->begin, place);

	return i == PLACE_NONE || l->row[i].file == LINE_UNKNOWN ? NULL : &l->row[i];
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
