#include "image/dwarf/lines.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_ROWS_MAX = 64 * 1024 * 1024 };

/* Rows in the order in which the program generates them. */
struct rows {
	const struct code_range *code;
	uint64_t *key; /* sort_key() of place and row */
	struct line_row *row;
	size_t nr, cap, cap_row;
};

static bool is_same(const struct line_row *a, const struct line_row *b)
{
	return a->file == b->file && a->line == b->line;
}

/* Skips rows that only change the column. */
static void add_row(void *arg, uint64_t address, uint64_t file, uint64_t line)
{
	struct rows *r = arg;
	struct line_row row = { .file = file < LINE_UNKNOWN ? (uint32_t)file : LINE_UNKNOWN };

	/* A sequence may end at the end of the code. */
	if (address < r->code->begin || address > r->code->end || r->nr == LINE_ROWS_MAX)
		return;
	if (row.file != LINE_UNKNOWN && line <= INT32_MAX)
		row.line = (uint32_t)line;
	/* Removes rows at the address where their sequence ends: they are empty. */
	while (file == LINE_NO_FILE && r->nr && r->row[r->nr - 1].file != LINE_UNKNOWN &&
	       sort_by(r->key[r->nr - 1]) == address - r->code->begin)
		r->nr--;
	if (r->nr && is_same(&r->row[r->nr - 1], &row) &&
	    sort_by(r->key[r->nr - 1]) <= address - r->code->begin)
		return;
	GROW(r->key, r->nr, r->cap);
	GROW(r->row, r->nr, r->cap_row);
	r->key[r->nr] = sort_key((uint32_t)(address - r->code->begin), r->nr);
	r->row[r->nr++] = row;
}

/* Of several rows at one place the last counts, unless it ends a sequence. */
static void keep_rows(struct lines *l, const struct rows *r)
{
	uint32_t *place = xcalloc(r->nr + 1, sizeof(*place));
	size_t nr = 0;

	l->row = xcalloc(r->nr + 1, sizeof(*l->row));
	for (size_t i = 0; i < r->nr; i++) {
		const struct line_row *row = &r->row[sort_what(r->key[i])];
		uint32_t at = sort_by(r->key[i]);

		if (nr && place[nr - 1] == at) {
			if (row->file == LINE_UNKNOWN)
				continue;
			nr--;
		}
		if (nr && is_same(&l->row[nr - 1], row))
			continue;
		place[nr] = at;
		l->row[nr++] = *row;
	}
	sorted_addresses_init(&l->begin, place, nr);
}

bool lines_init(struct lines *l, const struct line_table *t, const struct code_range *code)
{
	struct rows r = { .code = code };
	bool good = line_table_run(t, add_row, &r);

	*l = (struct lines){ 0 };
	sort_keys(r.key, r.nr);
	keep_rows(l, &r);
	free(r.key);
	free(r.row);
	return good;
}

void lines_release(struct lines *l)
{
	sorted_addresses_release(&l->begin);
	free(l->row);
	*l = (struct lines){ 0 };
}

const struct line_row *lines_find(const struct lines *l, uint32_t place)
{
	uint32_t i = sorted_addresses_find(&l->begin, place);

	return i == PLACE_NONE || l->row[i].file == LINE_UNKNOWN ? NULL : &l->row[i];
}

void file_table_init(struct file_table *f, const struct line_table *t, const struct debug_bytes *d,
		     const char *folder)
{
	*f = (struct file_table){ .folder = folder };
	f->nr = line_table_files(t, d, &f->file);
	f->path = xcalloc(f->nr + 1, sizeof(*f->path));
}

/* Each part is relative to the one before, unless it is absolute. */
static const char *make_path(const struct file_table *f, const struct line_file *file,
			     struct arena *paths)
{
	const char *part[] = { f->folder, file->folder, file->name };
	size_t first = ARRAY_SIZE(part) - 1, size = 0;
	char *path, *end;

	if (!file->name || file->name[0] == '/')
		return file->name;
	while (first && !(part[first] && part[first][0] == '/'))
		first--;
	for (size_t i = first; i < ARRAY_SIZE(part); i++)
		size += part[i] ? strlen(part[i]) + 1 : 0;
	path = end = arena_take(paths, size);
	for (size_t i = first; i < ARRAY_SIZE(part); i++)
		if (part[i]) {
			end = stpcpy(end, part[i]);
			*end++ = '/';
		}
	end[-1] = '\0';
	return path;
}

const char *file_table_path(struct file_table *f, uint32_t number, struct arena *paths)
{
	if (number >= f->nr)
		return NULL;
	if (!f->path[number])
		f->path[number] = make_path(f, &f->file[number], paths);
	return f->path[number];
}

void file_table_release(struct file_table *f)
{
	free(f->file);
	free(f->path);
	*f = (struct file_table){ 0 };
}
