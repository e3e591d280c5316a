/* A jitdump as an image: names and lines by place, which is an offset in the dump. */
#include "base/alloc.h"
#include "base/first_above.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/whole_file.h"
#include "image/image_internal.h"
#include "image/jit/jitdump.h"

#include <stdlib.h>
#include <sys/stat.h>

enum {
	JITDUMP_MAX = 1024 * 1024 * 1024,
	LINES_MAX = SYMBOLS_MAX,
	/*
	 * V8 adds the size of an ELF header, which precedes the code in the files that perf inject
	 * writes.
	 */
	V8_SHIFT = 64,
};

/* The path by which the dump can be opened: it may have been kept open, or be below symfs. */
static void find_dump(struct strbuf *full, struct span path, const struct image_opts *o)
{
	char *kept = o->kept ? o->kept(o->kept_arg, path, SPAN("")) : NULL;

	if (kept) {
		strbuf_add(full, span_of(kept));
	} else {
		if (o->symfs)
			strbuf_add(full, span_of(o->symfs));
		strbuf_add(full, path);
	}
	free(kept);
}

/* Is it /proc/PID/root/FILE? */
static bool is_in_container(struct span path, uint32_t *pid, struct span *file)
{
	struct span rest = span_from(path, strlen("/proc/")), digits = span_digits(rest);
	uint64_t number;

	rest = span_from(rest, digits.size);
	if (!span_starts(path, "/proc/") || !span_starts(rest, "/root/") ||
	    !span_u64(digits, &number) || number > INT32_MAX)
		return false;
	*pid = (uint32_t)number;
	*file = span_from(rest, strlen("/root"));
	return true;
}

char *jitdump_read(struct span path, const struct image_opts *o, size_t *size)
{
	struct strbuf full = { 0 };
	struct span file;
	uint32_t pid;
	char *bytes;

	find_dump(&full, path, o);
	if (is_in_container(strbuf_peek(&full), &pid, &file))
		bytes = whole_file_of(root_open(pid, file), JITDUMP_MAX, size);
	else
		bytes = whole_file(full.at, JITDUMP_MAX, size);
	strbuf_release(&full);
	return bytes;
}

uint64_t jitdump_size(struct span path, const struct image_opts *o)
{
	struct strbuf full = { 0 };
	struct stat st;

	find_dump(&full, path, o);
	if (stat(full.at, &st))
		st.st_size = 0;
	strbuf_release(&full);
	return (uint64_t)st.st_size;
}

struct jit_lines {
	struct jit_row {
		uint64_t place;
		uint32_t line, file; /* the number of its path; INTERN_NONE: unknown */
	} * row;
	size_t nr, cap;
	struct intern files;
};

void jit_lines_free(struct jit_lines *l)
{
	if (!l)
		return;
	intern_release(&l->files);
	free(l->row);
	free(l);
}

/* Is it UTF-8 without control characters?  Node 20 writes garbage as paths. */
static bool is_text(struct span s)
{
	for (size_t i = 0; i < s.size; i++) {
		unsigned char c = (unsigned char)s.at[i];
		size_t more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0;

		if (c < ' ' || utf8_is_inside(s.at[i]) || more >= s.size - i)
			return false;
		while (more--)
			if (!utf8_is_inside(s.at[++i]))
				return false;
	}
	return s.size;
}

/* Adds the lines of a function, from the JIT_LINES before its JIT_LOAD. */
static void add_lines(struct jit_lines *l, struct fields lines, const struct jit_record *load)
{
	uint64_t shift = span_starts(load->name, "JS:") ? V8_SHIFT : 0;
	uint32_t file = INTERN_NONE;
	struct jit_line line;

	while (jit_line_next(&lines, &line) && l->nr < LINES_MAX) {
		uint64_t at = line.address - load->address - shift;

		if (line.file.size)
			file = is_text(line.file) ? intern(&l->files, line.file) : INTERN_NONE;
		if (at >= load->size)
			continue;
		GROW(l->row, l->nr, l->cap);
		l->row[l->nr++] = (struct jit_row){ .place = load->place + at,
						    .line = line.line,
						    .file = file };
	}
}

static int by_place(const void *a, const void *b)
{
	const struct jit_row *x = a, *y = b;

	return x->place < y->place ? -1 : x->place > y->place;
}

static void add_load(struct image *m, const struct jit_record *r)
{
	struct symbol s = { .begin = r->place, .end = r->place + r->size };

	if (r->name.size)
		symtab_add_copy(&m->symbols, &s, r->name);
}

static void add_records(struct image *m, struct jitdump *d, bool lines)
{
	struct jit_record r, told = { .kind = JIT_OTHER };

	while (jitdump_next(d, &r)) {
		if (r.kind == JIT_LINES)
			told = r;
		if (r.kind != JIT_LOAD)
			continue;
		add_load(m, &r);
		if (lines && told.kind == JIT_LINES && told.address == r.address)
			add_lines(m->jit_lines, told.lines, &r);
		told.kind = JIT_OTHER;
	}
}

enum image_state jitdump_image(struct image *m, struct span path, const struct image_opts *o)
{
	size_t size;
	char *bytes = jitdump_read(path, o, &size);
	struct jitdump d;

	m->jit_lines = xcalloc(1, sizeof(*m->jit_lines));
	if (bytes && jitdump_init(&d, (struct span){ bytes, size }))
		add_records(m, &d, o->lines);
	free(bytes);
	if (m->jit_lines->nr)
		qsort(m->jit_lines->row, m->jit_lines->nr, sizeof(*m->jit_lines->row), by_place);
	symtab_finish(&m->symbols, EQUAL_BEST);
	return m->symbols.nr ? IMAGE_OPEN : IMAGE_NO_JIT_MAP;
}

void jit_lines_find(const struct jit_lines *l, uint64_t place, uint64_t function,
		    struct source_line *line)
{
	size_t low = FIRST_ABOVE(l->row, l->nr, place, place);

	if (!low || l->row[low - 1].place < function)
		return;
	line->line = l->row[low - 1].line;
	if (l->row[low - 1].file != INTERN_NONE)
		line->file = intern_peek(&l->files, l->row[low - 1].file).at;
	else
		line->line = 0;
}
