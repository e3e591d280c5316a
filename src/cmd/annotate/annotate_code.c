#include "cmd/annotate/annotate_view.h"
#include "load/source_text.h"

#include "base/alloc.h"
#include "base/legible.h"
#include "image/code/disassemble.h"
#include "symbol/demangle.h"

#include <stdlib.h>

enum {
	CODE_MAX = 4 * 1024 * 1024, /* bytes of a function; a longer symbol is not shown */
	USED = 2 * 10 + 20,
};

/* Writes the functions of one module. */
struct writer {
	const struct annotate_view *v;
	struct image *image;
	struct image_code code;
	const struct annotation_place *place; /* places of this module not written yet */
	size_t nr_place;
	/* The line of the source that was shown last, and its file. */
	struct source_text source;
	const char *file;
	uint32_t line;
};

/* Takes the places up to `end`, which belong to one instruction, and sums their weights. */
static void take_places(struct writer *w, uint64_t end, weight_sum *self, weight_sum *total)
{
	*self = *total = 0;
	for (; w->nr_place && w->place->address < end; w->place++, w->nr_place--) {
		*self += w->place->self;
		*total += w->place->total;
	}
}

/* Writes the source line of the instruction at this place, if it differs from the previous one. */
static void write_line(struct writer *w, uint64_t place)
{
	struct source_line line[INLINED_MAX];
	size_t nr = image_lines(w->image, place, line);
	struct strbuf text = { 0 };
	const char *slash;

	if (!nr || !line[0].file || (line[0].file == w->file && line[0].line == w->line))
		return;
	if (line[0].file != w->file) {
		source_text_release(&w->source);
		source_text_open(&w->source, span_of(line[0].file), w->v->source);
	}
	w->file = line[0].file;
	w->line = line[0].line;
	slash = strrchr(w->file, '/');
	legible_add(&text, span_of(slash ? slash + 1 : w->file));
	strbuf_addf(&text, ":%u  ", w->line);
	strbuf_add(&text, span_trim_start(source_text_line(&w->source, w->line)));
	strbuf_addf(w->v->out, "%*s", 2 * 10 + 2, "");
	annotate_add_text(w->v, strbuf_peek(&text), 2 * 10 + 2, STYLE_DIM);
	strbuf_addch(w->v->out, '\n');
	strbuf_release(&text);
}

/* Appends the target of a call or jump, if it is another function of the same file. */
static void add_target(const struct writer *w, const struct instruction *i, struct strbuf *out)
{
	const struct symbol *s;

	if (!i->goes || i->target - w->code.address < w->code.bytes.size)
		return;
	s = image_symbol(w->image, w->code.place + (i->target - w->code.address));
	if (!s)
		return;
	strbuf_add(out, SPAN(" <"));
	demangle(out, s->name);
	if (s->begin != i->target)
		strbuf_addf(out, "+0x%llx", (unsigned long long)(i->target - s->begin));
	strbuf_addch(out, '>');
}

static void write_instructions(struct writer *w, struct disassembler *d)
{
	struct span code = span_upto(w->code.bytes, CODE_MAX);
	uint64_t address = w->code.address;
	struct instruction i;

	while (disassembler_next(d, &code, &address, &i)) {
		uint64_t place = w->code.place + (i.address - w->code.address);
		struct strbuf text = { 0 }, shown = { 0 };
		weight_sum self, total;

		write_line(w, place);
		take_places(w, place + i.size, &self, &total);
		annotate_add_share(w->v, self, w->v->a->placed_self);
		annotate_add_share(w->v, total, w->v->a->placed_total);
		strbuf_addf(&text, "  %12llx  ", (unsigned long long)i.address);
		term_add(w->v->out, &w->v->term, STYLE_DIM, strbuf_peek(&text));
		strbuf_add(&shown, span_of(i.text));
		add_target(w, &i, &shown);
		annotate_add_text(w->v, strbuf_peek(&shown), USED, STYLE_PLAIN);
		strbuf_addch(w->v->out, '\n');
		strbuf_release(&text);
		strbuf_release(&shown);
	}
}

static int write_code(struct writer *w, struct error *e)
{
	struct machine machine = { .number = w->code.machine,
				   .is_64 = w->code.is_64,
				   .order = w->code.order };
	struct disassembler *d =
		disassembler_new(&machine, w->v->intel ? SYNTAX_INTEL : SYNTAX_ATT, e);

	if (!d)
		return -1;
	write_instructions(w, d);
	disassembler_free(d);
	return 0;
}

static int no_code(const struct annotate_view *v, struct span path, struct error *e)
{
	static const char *const helps[] = {
		[FRAME_USER] = "name the directory with the recorded files: --symfs DIR",
		[FRAME_KERNEL] = "install the vmlinux with this build ID",
		[FRAME_JIT] = "JIT-compiled code is lost when its process ends",
		[FRAME_LABEL] = "this frame is not a function",
	};

	error_set(e, ERROR_INPUT, "the code of %.*s is not available", (int)path.size, path.at);
	return error_hint(e, "%s", helps[v->a->place[0].kind]);
}

/* Writes the function's code in one module: a symbol, or several with the same name. */
static int write_module(struct writer *w, struct span path, struct error *e)
{
	const struct annotate_view *v = w->v;

	while (w->nr_place) {
		const struct annotation_place *first = w->place;
		struct strbuf heading = { 0 };

		if (!image_code(w->image, w->place->address, &w->code))
			return no_code(v, path, e);
		legible_add(&heading, path);
		strbuf_addch(v->out, '\n');
		term_add(v->out, &v->term, STYLE_BOLD, strbuf_peek(&heading));
		strbuf_addch(v->out, '\n');
		strbuf_release(&heading);
		if (write_code(w, e))
			return -1;
		w->file = NULL;
		/*
		 * The symbol has no size, and the place is after the code that was shown: skips it.
		 */
		if (w->place == first) {
			w->place++;
			w->nr_place--;
		}
	}
	return 0;
}

/* The number of places from here on in the same module. */
static size_t count_places(const struct annotation *a, size_t from)
{
	size_t nr = 1;

	while (from + nr < a->nr_place && a->place[from + nr].module.i == a->place[from].module.i)
		nr++;
	return nr;
}

int annotate_write_code(const struct annotate_view *v, struct error *e)
{
	const struct annotation *a = v->a;
	int ret = 0;

	if (!a->nr_place) {
		error_set(e, ERROR_INPUT, "the input has no code addresses");
		return error_hint(e, "use perf.data or a file written by wick record, not text");
	}
	for (size_t i = 0; i < a->nr_place && !ret; i += count_places(a, i)) {
		const struct module *m = &v->p->module[a->place[i].module.i];
		struct span path = profile_peek(v->p, m->path);
		struct writer w = { .v = v, .place = &a->place[i], .nr_place = count_places(a, i) };
		enum image_state state;

		w.image = image_open(path, profile_peek(v->p, m->build_id), v->image, &state);
		ret = w.image ? write_module(&w, path, e) : no_code(v, path, e);
		source_text_release(&w.source);
		image_close(w.image);
	}
	return ret;
}
