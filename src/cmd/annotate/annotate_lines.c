#include "cmd/annotate/annotate_view.h"
#include "load/source_text.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "symbol/advice.h"

#include <stdlib.h>
#include <sys/stat.h>

enum {
	AROUND = 3,    /* lines of context before and after a line with samples */
	NUMBER_AT = 6, /* digits of a line number */
	USED = 2 * 10 + NUMBER_AT + 4,
};

/* Consecutive lines of a.line, of one function and one file. */
struct block {
	const struct annotation_line *line;
	size_t nr;
	weight_sum self;
};

static bool is_same_block(const struct annotation_line *a, const struct annotation_line *b)
{
	return a->is_own == b->is_own && a->function.i == b->function.i && a->file.i == b->file.i;
}

/* The function's own lines first, then inlined calls by weight. */
static int by_weight(const void *x, const void *y)
{
	const struct block *a = x, *b = y;

	if (a->line->is_own != b->line->is_own)
		return a->line->is_own ? -1 : 1;
	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static struct block *find_blocks(const struct annotation *a, size_t *nr)
{
	struct block *block = NULL;
	size_t cap = 0;

	*nr = 0;
	for (size_t i = 0; i < a->nr_line; i++) {
		if (!*nr || !is_same_block(block[*nr - 1].line, &a->line[i])) {
			GROW(block, *nr, cap);
			block[(*nr)++] = (struct block){ .line = &a->line[i] };
		}
		block[*nr - 1].nr++;
		block[*nr - 1].self += a->line[i].self;
	}
	if (*nr)
		qsort(block, *nr, sizeof(*block), by_weight);
	return block;
}

static void write_line(const struct annotate_view *v, const struct annotation_line *l,
		       uint32_t number, struct span text)
{
	struct strbuf shown = { 0 };

	annotate_add_share(v, l ? l->self : 0, v->a->code);
	annotate_add_share(v, l ? l->total : 0, v->a->total);
	if (number)
		strbuf_addf(&shown, "  %*u", NUMBER_AT, number);
	term_add(v->out, &v->term, STYLE_DIM, strbuf_peek(&shown));
	if (text.size) {
		strbuf_add(v->out, SPAN("  "));
		annotate_add_text(v, text, USED, STYLE_PLAIN);
	}
	strbuf_addch(v->out, '\n');
	strbuf_release(&shown);
}

/* Writes the lines from one number up to another, without numbers of samples. */
static void write_between(const struct annotate_view *v, const struct source_text *s, uint64_t from,
			  uint64_t to)
{
	for (uint64_t i = from; i <= to && i <= s->nr; i++)
		write_line(v, NULL, (uint32_t)i, source_text_line(s, (uint32_t)i));
}

static void write_gap(const struct annotate_view *v)
{
	strbuf_addf(v->out, "%*s⋮\n", 2 * 10 + NUMBER_AT + 1, "");
}

/* The begin of the function: the line of its first instruction; 0: unknown. */
static uint32_t find_first_line(const struct annotate_view *v, struct span file)
{
	const struct annotation_place *place = v->a->place;
	const struct module *m = v->a->nr_place ? &v->p->module[place->module.i] : NULL;
	struct source_line line[INLINED_MAX];
	struct image_code code;
	enum image_state state;
	struct image *image = m ? image_open(profile_peek(v->p, m->path),
					     profile_peek(v->p, m->build_id), v->image, &state)
				: NULL;
	size_t nr = 0;
	uint32_t first = 0;

	if (image && image_code(image, place->address, &code))
		nr = image_lines(image, code.place, line);
	if (nr && line[nr - 1].file && span_is(file, line[nr - 1].file))
		first = line[nr - 1].line;
	image_close(image);
	return first;
}

/* Writes the first lines of the function, up to the first that has samples. */
static uint32_t write_begin(const struct annotate_view *v, const struct block *b,
			    const struct source_text *s)
{
	uint32_t first =
		b->line->is_own ? find_first_line(v, profile_peek(v->p, b->line->file)) : 0;
	uint32_t from = first > 1 ? first - 1 : first, to = b->line->line;

	if (!first || first >= to)
		return 1;
	/* A short gap is written as a whole. */
	if (to - from > 3 * AROUND)
		to = from + AROUND;
	write_between(v, s, from, to - 1);
	return to;
}

/* Writes the lines that have samples, each with its context. */
static void write_with_source(const struct annotate_view *v, const struct block *b,
			      const struct source_text *s)
{
	uint64_t next = write_begin(v, b, s); /* lines before it are done */

	for (size_t i = 0; i < b->nr; i++) {
		const struct annotation_line *l = &b->line[i];
		uint64_t from = l->line > AROUND ? l->line - AROUND : 1;
		uint64_t behind = (uint64_t)l->line + AROUND;

		if (!l->line) {
			write_line(v, l, 0, SPAN(""));
			continue;
		}
		if (from > next && next > 1)
			write_gap(v);
		write_between(v, s, from > next ? from : next, l->line - 1);
		write_line(v, l, l->line, source_text_line(s, l->line));
		next = (uint64_t)l->line + 1;
		if (i + 1 < b->nr && b->line[i + 1].line <= behind)
			continue;
		write_between(v, s, next, behind);
		next = behind + 1;
	}
}

/* Is the source newer than the program?  Then lines may have moved. */
static bool is_newer(const struct annotate_view *v, const struct source_text *s)
{
	struct stat st;
	struct strbuf path = { 0 };
	bool newer;

	if (!v->a->nr_place)
		return false;
	strbuf_add(&path, span_of(v->image->symfs ? v->image->symfs : ""));
	strbuf_add(&path, profile_peek(v->p, v->p->module[v->a->place[0].module.i].path));
	newer = !stat(path.at, &st) && s->changed > st.st_mtime;
	strbuf_release(&path);
	return newer;
}

static void write_heading(const struct annotate_view *v, const struct block *b, const char *note)
{
	struct strbuf text = { 0 };

	if (!b->line->is_own) {
		strbuf_add(&text, SPAN("inlined: "));
		legible_add(&text, profile_peek(v->p, b->line->function));
		strbuf_add(&text, SPAN(", "));
	}
	legible_add(&text, profile_peek(v->p, b->line->file));
	strbuf_addch(v->out, '\n');
	term_add(v->out, &v->term, STYLE_BOLD, strbuf_peek(&text));
	strbuf_addf(v->out, "%s\n", note);
	strbuf_release(&text);
}

static void write_block(const struct annotate_view *v, const struct block *b)
{
	struct span file = profile_peek(v->p, b->line->file);
	struct source_text s;

	if (!file.size || !b->line[b->nr - 1].line) {
		write_heading(v, b, file.size ? "" : "in unknown lines");
		write_line(v, b->line, 0, SPAN(""));
	} else if (source_text_open(&s, file, v->source)) {
		write_heading(v, b,
			      is_newer(v, &s) ? " (newer than the program: line numbers may be off)"
					      : "");
		write_with_source(v, b, &s);
		source_text_release(&s);
	} else {
		write_heading(v, b,
			      v->source ? " (not found below --source: line numbers only)"
					: " (not found: line numbers only; use --source DIR)");
		for (size_t i = 0; i < b->nr; i++)
			write_line(v, &b->line[i], b->line[i].line, SPAN(""));
	}
}

static bool knows_lines(const struct annotation *a)
{
	for (size_t i = 0; i < a->nr_line; i++)
		if (a->line[i].line)
			return true;
	return false;
}

/* The kind of the function: user, kernel or generated code. */
static enum frame_kind find_kind(const struct annotate_view *v)
{
	if (v->a->nr_place)
		return v->a->place[0].kind;
	for (size_t i = 0; v->a->nr_line && i < v->p->nr_frame; i++) {
		const struct frame *f = &v->p->frame[i];

		if (f->nr_line && f->line[f->nr_line - 1].function.i == v->a->line[0].function.i)
			return f->kind;
	}
	return FRAME_USER;
}

/* Did Go build the program of the function? */
static bool is_go(const struct annotate_view *v)
{
	const struct module *m = &v->p->module[v->a->place[0].module.i];
	enum image_state state;
	struct image *image = image_open(profile_peek(v->p, m->path),
					 profile_peek(v->p, m->build_id), v->image, &state);
	bool found = image && image_is_go(image);

	image_close(image);
	return found;
}

static int no_lines(const struct annotate_view *v, struct error *e)
{
	error_set(e, ERROR_INPUT,
		  "no source lines: debug info is missing, or the input has no lines");
	switch (find_kind(v)) {
	case FRAME_KERNEL:
		/* Debug info does not help without addresses. */
		if (!v->a->nr_place)
			return error_hint(
				e,
				"record with wick record or perf record (perf script prints lines with -F +srcline)");
		return error_hint(
			e,
			"install the kernel's debug info (vmlinux), or name its directory: --debug-dir DIR");
	case FRAME_JIT:
		return error_hint(
			e,
			"lines of JIT-compiled code are in a jitdump, if the runtime writes one");
	case FRAME_USER:
	case FRAME_LABEL:
		break;
	}
	if (v->a->nr_place)
		return error_hint(e, "%s, or use %s for instructions", advice_build(is_go(v)),
				  v->to_code);
	return error_hint(
		e,
		"compile with -g, and record with wick record or perf record (perf script prints lines with -F +srcline)");
}

int annotate_write_lines(const struct annotate_view *v, struct error *e)
{
	size_t nr;
	struct block *block;

	if (!knows_lines(v->a))
		return no_lines(v, e);
	block = find_blocks(v->a, &nr);
	for (size_t i = 0; i < nr; i++)
		write_block(v, &block[i]);
	free(block);
	return 0;
}
