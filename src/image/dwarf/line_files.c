/* The names of files and folders in the header of a line table. */
#include "base/alloc.h"
#include "image/dwarf/abbrevs.h"
#include "image/dwarf/line_table.h"

#include <dwarf.h>
#include <stdlib.h>

/* A list of names, and the numbers of their folders. */
struct names {
	struct name {
		const char *text;
		uint64_t folder;
	} * name;
	size_t nr, cap;
};

static void add_name(struct names *n, struct name name)
{
	GROW(n->name, n->nr, n->cap);
	n->name[n->nr++] = name;
}

static const char *folder_of(const struct names *folders, uint64_t number)
{
	return number < folders->nr ? folders->name[number].text : NULL;
}

/*
 * Up to DWARF 4, lists end with an empty name and count from 1.  Folder 0 is the compiler's working
 * directory, which is not in the list.
 */
static void old_names(const struct line_table *t, struct names *folders, struct names *files)
{
	struct bytes b = t->names;
	const char *text;

	add_name(folders, (struct name){ .text = NULL });
	while ((text = dwarf_text(&b)) && *text)
		add_name(folders, (struct name){ .text = text });
	add_name(files, (struct name){ .text = NULL });
	while ((text = dwarf_text(&b)) && *text) {
		uint64_t folder = bytes_varint(&b);

		(void)bytes_varint(&b); /* modification time */
		(void)bytes_varint(&b); /* size */
		add_name(files, (struct name){ .text = text, .folder = folder });
	}
}

/* In DWARF 5, lists have columns: a header gives the content and form of each. */
struct column {
	uint64_t what, form;
	enum abbrev_shape shape;
	uint32_t size;
};

enum { COLUMNS_MAX = 255 };

static const char *text_at(const struct debug_bytes *d, enum debug_section section, uint64_t offset)
{
	struct span all = d->section[section];
	struct bytes b;

	if (offset >= all.size)
		return NULL;
	b = bytes_over(span_from(all, (size_t)offset));
	return dwarf_text(&b);
}

static const char *take_text(struct bytes *b, const struct column *c, const struct debug_bytes *d)
{
	switch (c->form) {
	case DW_FORM_string:
		return dwarf_text(b);
	case DW_FORM_line_strp:
		return text_at(d, DEBUG_LINE_STR, dwarf_number(b, c->size, d->order));
	case DW_FORM_strp:
		return text_at(d, DEBUG_STR, dwarf_number(b, c->size, d->order));
	default:
		abbrev_skip(b, c->shape, c->size, d->order);
		return NULL;
	}
}

static uint64_t take_number(struct bytes *b, const struct column *c, enum byte_order order)
{
	if (c->shape == SHAPE_NUMBER)
		return bytes_varint(b);
	if (c->shape == SHAPE_FIXED && c->size && c->size <= sizeof(uint64_t))
		return dwarf_number(b, c->size, order);
	abbrev_skip(b, c->shape, c->size, order);
	return 0;
}

static size_t take_columns(struct bytes *b, const struct line_table *t,
			   struct column column[static COLUMNS_MAX])
{
	size_t nr = bytes_u8(b);

	for (size_t i = 0; i < nr; i++) {
		column[i].what = bytes_varint(b);
		column[i].form = bytes_varint(b);
		column[i].shape = abbrev_shape(column[i].form, &t->format, &column[i].size);
	}
	return nr;
}

/* bytes_count() bounds the rows by the bytes that are left, even if rows have no columns. */
static void take_list(struct bytes *b, const struct line_table *t, const struct debug_bytes *d,
		      struct names *list)
{
	struct column column[COLUMNS_MAX];
	size_t nr_column = take_columns(b, t, column), nr = bytes_count(b);

	for (size_t i = 0; i < nr && !b->failed; i++) {
		struct name n = { .text = NULL };

		for (size_t k = 0; k < nr_column; k++)
			if (column[k].what == DW_LNCT_path)
				n.text = take_text(b, &column[k], d);
			else if (column[k].what == DW_LNCT_directory_index)
				n.folder = take_number(b, &column[k], d->order);
			else
				abbrev_skip(b, column[k].shape, column[k].size, d->order);
		add_name(list, n);
	}
}

size_t line_table_files(const struct line_table *t, const struct debug_bytes *d,
			struct line_file **files)
{
	struct names folders = { 0 }, found = { 0 };
	struct bytes b = t->names;

	if (t->format.version < 5) {
		old_names(t, &folders, &found);
	} else {
		take_list(&b, t, d, &folders);
		take_list(&b, t, d, &found);
	}
	*files = xcalloc(found.nr + 1, sizeof(**files));
	for (size_t i = 0; i < found.nr; i++)
		(*files)[i] =
			(struct line_file){ .folder = folder_of(&folders, found.name[i].folder),
					    .name = found.name[i].text };
	free(folders.name);
	free(found.name);
	return found.nr;
}
