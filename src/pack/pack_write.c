#include "pack/pack_write.h"

#include "base/bytes.h"
#include "pack/count_rows.h"
#include "pack/interval_rows.h"
#include "pack/note_rows.h"
#include "pack/order.h"
#include "pack/section.h"
#include "pack/series_rows.h"
#include "pack/stack_rows.h"
#include "pack/tick_rows.h"
#include "pack/word_rows.h"

struct writer {
	const struct profile *p;
	const struct pack_view *view;
	struct orders o;
	struct section *section; /* being written */
	struct stack_rows stacks;
	struct interval_rows intervals;
};

static void add_string(const struct writer *w, struct strbuf *out, str_id s)
{
	bytes_add_varint(out, w->o.strings.number[s.i]);
}

/* The i-th string.  Strings are scattered in memory, so a later one is prefetched. */
static struct span string_at(const struct writer *w, size_t i)
{
	enum { AHEAD = 8 };
	const struct order *o = &w->o.strings;

	if (i + AHEAD < o->nr)
		__builtin_prefetch(w->p->strings.by[o->row[i + AHEAD]]);
	return profile_peek(w->p, (str_id){ o->row[i] });
}

static void write_strings(struct writer *w, struct strbuf *out)
{
	const struct order *o = &w->o.strings;

	if (o->nr == 1)
		return;
	bytes_add_varint(out, o->nr - 1);
	for (size_t i = 1; i < o->nr; i++) {
		size_t size = string_at(w, i).size;

		bytes_add_varint(out, size);
		w->section->expected += 1 + size;
	}
	/*
	 * A million names need as much memory as everything else, so they are deflated chunk by
	 * chunk.
	 */
	for (size_t i = 1; i < o->nr; i++) {
		strbuf_add(out, string_at(w, i));
		section_cut(w->section);
	}
}

static void write_modules(struct writer *w, struct strbuf *out)
{
	const struct order *o = &w->o.modules;

	if (o->nr == 1)
		return;
	bytes_add_varint(out, o->nr - 1);
	for (size_t i = 1; i < o->nr; i++)
		add_string(w, out, w->p->module[o->row[i]].path);
	for (size_t i = 1; i < o->nr; i++)
		add_string(w, out, w->p->module[o->row[i]].build_id);
}

/* Adds a number to a column, which may have millions: chunks are cut on the way. */
static void add_cell(struct writer *w, uint64_t value)
{
	bytes_add_varint(&w->section->body, value);
	section_cut_even(w->section);
}

static void write_lines(struct writer *w)
{
	const struct order *o = &w->o.frames;
	const struct frame *frame = w->p->frame;
	size_t nr = 0;

	for (size_t i = 1; i < o->nr; i++)
		nr += frame[o->row[i]].nr_line;
	add_cell(w, nr);
	for (size_t i = 1; i < o->nr; i++)
		for (size_t k = 0; k < frame[o->row[i]].nr_line; k++)
			add_cell(w, w->o.strings.number[frame[o->row[i]].line[k].function.i]);
	for (size_t i = 1; i < o->nr; i++)
		for (size_t k = 0; k < frame[o->row[i]].nr_line; k++)
			add_cell(w, w->o.strings.number[frame[o->row[i]].line[k].file.i]);
	for (size_t i = 1; i < o->nr; i++)
		for (size_t k = 0; k < frame[o->row[i]].nr_line; k++)
			add_cell(w, frame[o->row[i]].line[k].line);
}

static void write_frames(struct writer *w, struct strbuf *out)
{
	const struct order *o = &w->o.frames;
	const struct frame *frame = w->p->frame;
	uint64_t last = 0;

	if (o->nr == 1)
		return;
	bytes_add_varint(out, o->nr - 1);
	for (size_t i = 1; i < o->nr; i++)
		add_cell(w, frame[o->row[i]].kind);
	for (size_t i = 1; i < o->nr; i++)
		add_cell(w, frame[o->row[i]].flags);
	for (size_t i = 1; i < o->nr; i++)
		add_cell(w, w->o.modules.number[frame[o->row[i]].module.i]);
	for (size_t i = 1; i < o->nr; i++) {
		uint64_t address = frame[o->row[i]].address;

		bytes_add_signed(out, (int64_t)(address - last));
		section_cut_even(w->section);
		last = address;
	}
	for (size_t i = 1; i < o->nr; i++)
		add_cell(w, frame[o->row[i]].nr_line);
	write_lines(w);
}

static void write_stacks(struct writer *w, struct strbuf *out)
{
	(void)out;
	stack_rows_write(&w->stacks, w->p, &w->o, w->section);
}

static void write_threads(struct writer *w, struct strbuf *out)
{
	const struct order *o = &w->o.threads;
	const struct thread *thread = w->p->thread;

	if (o->nr == 1)
		return;
	bytes_add_varint(out, o->nr - 1);
	/* THREAD_UNKNOWN + 1 is 0. */
	for (size_t i = 1; i < o->nr; i++)
		bytes_add_varint(out, (uint32_t)(thread[o->row[i]].pid + 1));
	for (size_t i = 1; i < o->nr; i++)
		bytes_add_varint(out, (uint32_t)(thread[o->row[i]].tid + 1));
	for (size_t i = 1; i < o->nr; i++)
		add_string(w, out, thread[o->row[i]].comm);
}

static void write_events(struct writer *w, struct strbuf *out)
{
	const struct profile *p = w->p;

	if (!p->nr_event)
		return;
	bytes_add_varint(out, p->nr_event);
	for (size_t i = 0; i < p->nr_event; i++)
		add_string(w, out, p->event[i].name);
	for (size_t i = 0; i < p->nr_event; i++)
		add_string(w, out, p->event[i].unit);
	for (size_t i = 0; i < p->nr_event; i++)
		bytes_add_signed(out, p->event[i].scale);
	for (size_t i = 0; i < p->nr_event; i++)
		bytes_add_varint(out, p->event[i].period);
}

/* Not written if all events have the defaults from before the format had this section. */
static void write_sources(struct writer *w, struct strbuf *out)
{
	const struct profile *p = w->p;
	bool any = false;

	for (size_t i = 0; i < p->nr_event; i++)
		any |= p->event[i].source || p->event[i].extent;
	for (size_t i = 0; i < p->nr_event && any; i++)
		bytes_add_varint(out, p->event[i].source);
	for (size_t i = 0; i < p->nr_event && any; i++)
		bytes_add_varint(out, p->event[i].extent);
}

static void write_labels(struct writer *w, struct strbuf *out)
{
	const struct order *o = &w->o.labels;
	const struct label_set *set = w->o.label_set;

	if (o->nr == 1)
		return;
	bytes_add_varint(out, o->nr - 1);
	for (size_t i = 1; i < o->nr; i++)
		bytes_add_varint(out, set[o->row[i]].nr);
	for (size_t i = 1; i < o->nr; i++)
		for (size_t k = 0; k < set[o->row[i]].nr; k++)
			add_string(w, out, set[o->row[i]].label[k].key);
	for (size_t i = 1; i < o->nr; i++)
		for (size_t k = 0; k < set[o->row[i]].nr; k++)
			add_string(w, out, set[o->row[i]].label[k].value);
}

static void write_counts(struct writer *w, struct strbuf *out)
{
	count_rows_write(w->p, &w->o, &w->stacks, out);
}

static void write_ticks(struct writer *w, struct strbuf *out)
{
	tick_rows_write(w->p, &w->o, &w->stacks, out);
}

static void write_links(struct writer *w, struct strbuf *out)
{
	interval_rows_init(&w->intervals, w->p, &w->o, &w->stacks);
	interval_rows_write_links(&w->intervals, w->p, &w->o, &w->stacks, out);
}

static void write_intervals(struct writer *w, struct strbuf *out)
{
	(void)out;
	interval_rows_write(&w->intervals, w->p, &w->o, &w->stacks, w->section);
}

static void write_series(struct writer *w, struct strbuf *out)
{
	series_rows_write(w->p, &w->o, out);
}

static void write_notes(struct writer *w, struct strbuf *out)
{
	note_rows_write(&w->p->notes, out);
}

static void write_info(struct writer *w, struct strbuf *out)
{
	const struct profile *p = w->p;

	if (!p->nr_info)
		return;
	bytes_add_varint(out, p->nr_info);
	for (size_t i = 0; i < p->nr_info; i++)
		add_string(w, out, p->info[i].key);
	for (size_t i = 0; i < p->nr_info; i++)
		add_string(w, out, p->info[i].value);
}

static void write_settings(struct writer *w, struct strbuf *out)
{
	const struct pack_view *view = w->view;

	if (!view || !view->nr_setting)
		return;
	bytes_add_varint(out, view->nr_setting);
	for (size_t i = 0; i < view->nr_setting; i++) {
		bytes_add_text(out, span_of(view->setting[i].key));
		bytes_add_text(out, view->setting[i].value);
	}
}

static void write_words(struct writer *w, struct strbuf *out)
{
	if (w->view)
		word_rows_write(w->p, &w->o, w->view, out);
}

static void write_colors(struct writer *w, struct strbuf *out)
{
	(void)out;
	if (w->view && w->view->color)
		word_rows_write_colors(w->p, &w->o, w->view, w->section);
}

/* In the order of PACK_TAGS. */
static void (*const writers[PACK_NR_TAGS])(struct writer *, struct strbuf *) = {
	write_strings, write_modules, write_frames, write_stacks,   write_threads, write_events,
	write_sources, write_labels,  write_counts, write_ticks,    write_links,   write_intervals,
	write_series,  write_notes,   write_info,   write_settings, write_words,   write_colors,
};

void pack_write(struct strbuf *out, const struct profile *p, const struct pack_view *view)
{
	struct section section[PACK_NR_TAGS] = { 0 };
	struct writer w = { .p = p, .view = view };

	orders_init(&w.o, p);
	for (size_t i = 0; i < PACK_NR_TAGS; i++) {
		w.section = &section[i];
		writers[i](&w, &section[i].body);
		section_end(&section[i]);
	}
	strbuf_add(out, SPAN(PACK_MAGIC));
	for (size_t i = 0; i < PACK_NR_TAGS; i++)
		section_write(&section[i], PACK_TAGS[i], out);
	orders_release(&w.o);
	stack_rows_release(&w.stacks);
	interval_rows_release(&w.intervals);
}
