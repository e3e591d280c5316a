#include "pack/pack_write.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/sort.h"
#include "pack/order.h"
#include "pack/section.h"
#include "pack/stack_rows.h"
#include "profile/spelling.h"

#include <stdlib.h>

struct writer {
	const struct profile *p;
	const struct pack_view *view;
	struct orders o;
	struct section *section; /* the one that is being written */
	struct stack_rows stacks;
};

static void add_text(struct strbuf *out, struct span s)
{
	bytes_add_varint(out, s.size);
	strbuf_add(out, s);
}

static void add_string(const struct writer *w, struct strbuf *out, str_id s)
{
	bytes_add_varint(out, w->o.strings.number[s.i]);
}

static void write_strings(struct writer *w, struct strbuf *out)
{
	const struct order *o = &w->o.strings;

	if (o->nr == 1)
		return;
	bytes_add_varint(out, o->nr - 1);
	for (size_t i = 1; i < o->nr; i++)
		bytes_add_varint(out, profile_peek(w->p, (str_id){ o->row[i] }).size);
	for (size_t i = 1; i < o->nr; i++)
		strbuf_add(out, profile_peek(w->p, (str_id){ o->row[i] }));
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

static void write_lines(struct writer *w, struct strbuf *out)
{
	const struct order *o = &w->o.frames;
	const struct frame *frame = w->p->frame;
	size_t nr = 0;

	for (size_t i = 1; i < o->nr; i++)
		nr += frame[o->row[i]].nr_line;
	bytes_add_varint(out, nr);
	for (size_t i = 1; i < o->nr; i++)
		for (size_t k = 0; k < frame[o->row[i]].nr_line; k++)
			add_string(w, out, frame[o->row[i]].line[k].function);
	for (size_t i = 1; i < o->nr; i++)
		for (size_t k = 0; k < frame[o->row[i]].nr_line; k++)
			add_string(w, out, frame[o->row[i]].line[k].file);
	for (size_t i = 1; i < o->nr; i++)
		for (size_t k = 0; k < frame[o->row[i]].nr_line; k++)
			bytes_add_varint(out, frame[o->row[i]].line[k].line);
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
		bytes_add_varint(out, frame[o->row[i]].kind);
	for (size_t i = 1; i < o->nr; i++)
		bytes_add_varint(out, frame[o->row[i]].flags);
	for (size_t i = 1; i < o->nr; i++)
		bytes_add_varint(out, w->o.modules.number[frame[o->row[i]].module.i]);
	for (size_t i = 1; i < o->nr; i++) {
		uint64_t address = frame[o->row[i]].address;

		bytes_add_signed(out, (int64_t)(address - last));
		last = address;
	}
	for (size_t i = 1; i < o->nr; i++)
		bytes_add_varint(out, frame[o->row[i]].nr_line);
	write_lines(w, out);
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
	/* THREAD_UNKNOWN plus 1 is 0. */
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

/* Counts */

enum part { BY_STACK, BY_LABELS, BY_THREAD, BY_EVENT, NR_PARTS };

static uint32_t part_of(const struct writer *w, const struct count *c, enum part part)
{
	switch (part) {
	case BY_STACK:
		return stack_rows_number(&w->stacks, c->stack);
	case BY_LABELS:
		return w->o.labels.number[c->labels.i];
	case BY_THREAD:
		return w->o.threads.number[c->thread.i];
	case BY_EVENT:
	case NR_PARTS:
		return c->event;
	}
	return 0;
}

/* By event, thread, labels, stack: the last of them first, since equal ones keep their order. */
static uint64_t *sort_counts(const struct writer *w)
{
	const struct profile *p = w->p;
	const size_t nr_row[NR_PARTS] = { p->nr_stack, p->nr_labels, p->nr_thread, p->nr_event };
	uint64_t *key = xcalloc(p->nr_count, sizeof(*key));

	for (size_t i = 0; i < p->nr_count; i++)
		key[i] = i;
	for (int part = 0; part < NR_PARTS; part++) {
		if (nr_row[part] == 1)
			continue;
		for (size_t i = 0; i < p->nr_count; i++) {
			uint32_t row = sort_what(key[i]);

			key[i] = sort_key(part_of(w, &p->count[row], (enum part)part), row);
		}
		sort_keys(key, p->nr_count);
	}
	return key;
}

static bool same_group(const struct count *a, const struct count *b)
{
	return a->event == b->event && a->thread.i == b->thread.i && a->labels.i == b->labels.i;
}

/* Writes the rows of one group, which end before `end`, to the columns they belong to. */
static void write_group(const struct writer *w, const uint64_t *key, size_t begin, size_t end,
			struct strbuf *groups, struct strbuf column[3])
{
	const struct count *count = w->p->count, *first = &count[sort_what(key[begin])];
	bool mode = false;
	uint32_t last = 0;

	for (size_t i = begin; i < end; i++) {
		const struct count *c = &count[sort_what(key[i])];
		uint32_t stack = stack_rows_number(&w->stacks, c->stack);

		bytes_add_varint(&column[0], stack - last);
		bytes_add_signed(&column[1], c->weight);
		mode |= c->weight < 0 || c->nr != (uint64_t)c->weight;
		last = stack;
	}
	for (size_t i = begin; i < end && mode; i++)
		bytes_add_varint(&column[2], count[sort_what(key[i])].nr);
	bytes_add_varint(groups, first->event);
	bytes_add_varint(groups, w->o.threads.number[first->thread.i]);
	bytes_add_varint(groups, w->o.labels.number[first->labels.i]);
	bytes_add_varint(groups, mode);
	bytes_add_varint(groups, end - begin);
}

static void write_counts(struct writer *w, struct strbuf *out)
{
	struct strbuf groups = { 0 }, column[3] = { 0 };
	const struct count *count = w->p->count;
	size_t nr = w->p->nr_count, nr_group = 0;
	uint64_t *key = sort_counts(w);

	for (size_t i = 0, begin = 0; i < nr; i++) {
		if (i + 1 < nr &&
		    same_group(&count[sort_what(key[i])], &count[sort_what(key[i + 1])]))
			continue;
		write_group(w, key, begin, i + 1, &groups, column);
		begin = i + 1;
		nr_group++;
	}
	free(key);
	if (nr_group) {
		bytes_add_varint(out, nr_group);
		strbuf_add(out, strbuf_peek(&groups));
	}
	for (size_t i = 0; i < ARRAY_SIZE(column); i++) {
		strbuf_add(out, strbuf_peek(&column[i]));
		strbuf_release(&column[i]);
	}
	strbuf_release(&groups);
}

/* In the order of the samples */
static void write_ticks(struct writer *w, struct strbuf *out)
{
	const struct profile *p = w->p;
	uint64_t time = 0;
	uint32_t stack = 0;

	if (!p->max_tick)
		return;
	bytes_add_varint(out, p->max_tick);
	bytes_add_varint(out, p->tick_quantum);
	bytes_add_varint(out, p->timed);
	bytes_add_varint(out, p->nr_tick);
	for (size_t i = 0; i < p->nr_tick; i++) {
		bytes_add_signed(out, (int64_t)(p->tick[i].time - time));
		time = p->tick[i].time;
	}
	for (size_t i = 0; i < p->nr_tick; i++)
		bytes_add_varint(out, p->tick[i].event);
	for (size_t i = 0; i < p->nr_tick; i++)
		bytes_add_varint(out, w->o.threads.number[p->tick[i].thread.i]);
	for (size_t i = 0; i < p->nr_tick; i++) {
		uint32_t number = stack_rows_number(&w->stacks, p->tick[i].stack);

		bytes_add_signed(out, (int64_t)number - stack);
		stack = number;
	}
	for (size_t i = 0; i < p->nr_tick; i++)
		bytes_add_varint(out, w->o.labels.number[p->tick[i].labels.i]);
	for (size_t i = 0; i < p->nr_tick; i++)
		bytes_add_signed(out, p->tick[i].weight);
}

/* What was left out because it is not shown is not left out here, and nothing is added up. */
static bool is_written(const struct notes *n, int code)
{
	return code != NOTE_FILTERED && code != NOTE_SUMMED && (n->count[code] || n->kept[code]);
}

static void write_note_texts(const struct notes *n, const unsigned *place, struct strbuf *out)
{
	struct strbuf line = { 0 }, size = { 0 }, text = { 0 };

	bytes_add_varint(out, n->nr - n->kept[NOTE_FILTERED] - n->kept[NOTE_SUMMED]);
	for (size_t i = 0; i < n->nr; i++) {
		const struct note *note = &n->note[i];

		if (!is_written(n, (int)note->code))
			continue;
		bytes_add_varint(out, place[note->code]);
		bytes_add_varint(&line, note->line);
		bytes_add_varint(&size, note->text.size);
		strbuf_add(&text, note->text);
	}
	strbuf_add(out, strbuf_peek(&line));
	strbuf_add(out, strbuf_peek(&size));
	strbuf_add(out, strbuf_peek(&text));
	strbuf_release(&line);
	strbuf_release(&size);
	strbuf_release(&text);
}

static void write_notes(struct writer *w, struct strbuf *out)
{
	const struct notes *n = &w->p->notes;
	unsigned place[NR_NOTE_CODES] = { 0 }, nr = 0;

	for (int code = 0; code < NR_NOTE_CODES; code++)
		if (is_written(n, code))
			place[code] = nr++;
	if (!nr)
		return;
	bytes_add_varint(out, nr);
	for (int i = 0; i < NR_NOTE_CODES; i++) {
		enum note_code code = (enum note_code)i;

		if (!is_written(n, i))
			continue;
		add_text(out, span_of(note_name(code)));
		bytes_add_varint(out, n->count[code]);
		add_text(out, span_of(note_what(code, n->count[code])));
	}
	write_note_texts(n, place, out);
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
		add_text(out, span_of(view->setting[i].key));
		add_text(out, view->setting[i].value);
	}
}

/* Words */

struct words {
	struct writer *w;
	struct strbuf which, sizes, bytes, word; /* columns, and the word that is spelled */
};

/* What the column of words says of one: see docs/pack.md. */
enum { WORD_TEXT, WORD_FUNCTION, WORD_STRING };

/* The word that was spelled, which most often is just the function's name. */
static void add_word(struct words *s, uint32_t function)
{
	const struct writer *w = s->w;
	struct span word = strbuf_peek(&s->word);
	uint32_t have = intern_find(&w->p->strings, word, intern_hash(word));

	if (have != INTERN_NONE && have == function) {
		bytes_add_varint(&s->which, WORD_FUNCTION);
	} else if (have != INTERN_NONE && (!have || w->o.strings.number[have])) {
		bytes_add_varint(&s->which, WORD_STRING + w->o.strings.number[have]);
	} else {
		/* Also a string that no row names: it is not in the file. */
		bytes_add_varint(&s->which, 0);
		bytes_add_varint(&s->sizes, word.size);
		strbuf_add(&s->bytes, word);
	}
	strbuf_reset(&s->word);
}

static void add_frame_words(struct words *s, struct strbuf *out, unsigned spelling)
{
	const struct order *o = &s->w->o.frames;
	const struct profile *p = s->w->p;

	bytes_add_varint(out, o->nr);
	for (size_t i = 0; i < o->nr; i++) {
		frame_id f = { o->row[i] };
		const struct frame *frame = &p->frame[f.i];
		size_t nr = frame->nr_line ? frame->nr_line : 1;

		bytes_add_varint(out, nr);
		for (size_t line = nr; line-- > 0;) {
			spelling_frame(&s->word, p, f, line, spelling);
			add_word(s, frame->nr_line ? frame->line[line].function.i : INTERN_NONE);
		}
	}
}

static void add_thread_words(struct words *s, struct strbuf *out, unsigned spelling)
{
	const struct order *o = &s->w->o.threads;

	bytes_add_varint(out, o->nr);
	for (size_t i = 0; i < o->nr; i++) {
		spelling_thread(&s->word, s->w->p, (thread_id){ o->row[i] }, spelling);
		bytes_add_varint(out, s->word.size != 0);
		if (s->word.size)
			add_word(s, INTERN_NONE);
	}
}

static void write_words(struct writer *w, struct strbuf *out)
{
	struct words s = { .w = w };
	unsigned spelling;

	if (!w->view)
		return;
	spelling = w->view->spelling & ~(unsigned)SPELL_MARKS;
	add_frame_words(&s, out, spelling);
	add_thread_words(&s, out, spelling);
	strbuf_add(out, strbuf_peek(&s.which));
	strbuf_add(out, strbuf_peek(&s.sizes));
	strbuf_add(out, strbuf_peek(&s.bytes));
	strbuf_release(&s.which);
	strbuf_release(&s.sizes);
	strbuf_release(&s.bytes);
	strbuf_release(&s.word);
}

/* Colors of the words, in the same order. */
static void write_colors(struct writer *w, struct strbuf *out)
{
	const struct order *frames = &w->o.frames, *threads = &w->o.threads;
	const struct pack_view *view = w->view;
	const struct profile *p = w->p;
	struct strbuf word = { 0 };
	unsigned spelling;

	if (!view || !view->color)
		return;
	spelling = view->spelling | SPELL_MARKS;
	for (size_t i = 0; i < frames->nr; i++) {
		frame_id f = { frames->row[i] };

		for (size_t line = p->frame[f.i].nr_line ? p->frame[f.i].nr_line : 1; line-- > 0;) {
			strbuf_reset(&word);
			spelling_frame(&word, p, f, line, spelling);
			bytes_add_varint(out, view->color(view->color_arg, strbuf_peek(&word)));
		}
	}
	for (size_t i = 0; i < threads->nr; i++) {
		strbuf_reset(&word);
		spelling_thread(&word, p, (thread_id){ threads->row[i] }, spelling);
		if (word.size)
			bytes_add_varint(out, view->color(view->color_arg, strbuf_peek(&word)));
	}
	strbuf_release(&word);
}

/* In the order of PACK_TAGS. */
static void (*const writers[PACK_NR_TAGS])(struct writer *, struct strbuf *) = {
	write_strings, write_modules,  write_frames, write_stacks, write_threads,
	write_events,  write_labels,   write_counts, write_ticks,  write_notes,
	write_info,    write_settings, write_words,  write_colors,
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
}
