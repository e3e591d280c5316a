#include "read/read.h"

#include "base/alloc.h"
#include "base/text.h"
#include "read/build.h"
#include "read/foreign.h"
#include "read/readers.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static const struct reader *const readers[] = {
#define X(name) &reader_##name,
	READERS(X)
#undef X
		NULL,
};

const struct reader *const *reader_list(void)
{
	return readers;
}

const struct reader *reader_find(struct span name)
{
	for (size_t i = 0; readers[i]; i++)
		if (span_is(name, readers[i]->name))
			return readers[i];
	return NULL;
}

const struct reader *reader_guess(struct span head)
{
	/* Windows tools begin text with a byte order mark. */
	if (span_starts(head, "\xef\xbb\xbf"))
		head = span_from(head, 3);
	/* Some unsupported formats have lines that one of the readers would accept. */
	if (foreign_find(head))
		return NULL;
	for (size_t i = 0; readers[i]; i++)
		if (readers[i]->accepts && readers[i]->accepts(head))
			return readers[i];
	return NULL;
}

/* A thread that reads chunks of the source into its own profile. */
struct worker {
	const struct reader *reader;
	const struct read_opts *o;
	struct source *source;
	struct profile *p;
	struct profile own;
	unsigned threads;
	struct text text;
	struct read_result result;
	pthread_t thread;
	struct error error;
	int ret;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	struct build b = { .text = &w->text,
			   .head = source_head(w->source),
			   .p = w->p,
			   .o = w->o,
			   .threads = w->threads,
			   .result = &w->result };

	w->result.spelling = w->reader->spelling;
	w->p->fold_recursion = w->o->fold_recursion;
	w->ret = w->reader->read(&b, &w->error);
	if (!w->ret && w->text.failed) {
		w->error = w->text.error;
		w->ret = -1;
	}
	free(b.frame);
	return NULL;
}

static int by_number(const void *a, const void *b)
{
	const struct chunk_lines *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/*
 * The notes of workers have line numbers of the form (chunk << 32 | line in the chunk), since a worker
 * does not know how many lines the chunks of others have.  Converts them to lines of the whole input.
 */
static void resolve_lines(struct worker *w, size_t nr)
{
	struct chunk_lines *all = NULL;
	size_t nr_all = 0, cap = 0;
	uint64_t line = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < w[i].text.nr_seen; k++) {
			GROW(all, nr_all, cap);
			all[nr_all++] = w[i].text.seen[k];
		}
	if (nr_all)
		qsort(all, nr_all, sizeof(*all), by_number);
	for (size_t i = 0; i < nr_all; i++) {
		uint64_t lines = all[i].lines;

		all[i].lines = line;
		line += lines;
	}
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < w[i].p->notes.nr; k++) {
			struct note *note = &w[i].p->notes.note[k];
			struct chunk_lines key = { .number = note->line >> 32 };
			const struct chunk_lines *at =
				nr_all ? bsearch(&key, all, nr_all, sizeof(*all), by_number) : NULL;

			note->line = (note->line & UINT32_MAX) + (at ? at->lines : 0);
		}
	free(all);
}

static int by_line(const void *a, const void *b)
{
	const struct note *x = *(const struct note *const *)a, *y = *(const struct note *const *)b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	/* All notes about a line are from one worker, in one array: keep their order. */
	return x < y ? -1 : x > y;
}

/*
 * Adds the workers' notes to those of earlier inputs, sorted by line, so that the
 * examples that are kept (the first of each code) do not depend on the threads.
 */
static void gather_notes(struct worker *w, size_t nr, struct notes *into)
{
	const struct note **all = NULL;
	size_t nr_all = 0, cap = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < w[i].p->notes.nr; k++) {
			GROW(all, nr_all, cap);
			all[nr_all++] = &w[i].p->notes.note[k];
		}
	if (nr_all)
		qsort(all, nr_all, sizeof(*all), by_line);
	for (size_t i = 0; i < nr_all; i++)
		notes_add(into, all[i]->code, 0, all[i]->line, all[i]->text);
	for (size_t i = 0; i < nr; i++) {
		for (int code = 0; code < NR_NOTE_CODES; code++)
			into->count[code] += w[i].p->notes.count[code];
		notes_release(&w[i].p->notes);
	}
	free(all);
}

static int read_parallel(const struct reader *r, struct source *source, const struct read_opts *o,
			 struct profile *p, unsigned nr, struct error *e)
{
	struct worker *w = xcalloc(nr, sizeof(*w));
	struct notes notes = p->notes;
	int ret = 0;

	p->notes = (struct notes){ 0 };

	for (unsigned i = 0; i < nr; i++) {
		w[i] = (struct worker){ .reader = r, .o = o, .source = source };
		w[i].p = i ? &w[i].own : p;
		if (i)
			profile_init(&w[i].own);
		if (i && p->max_interval)
			profile_keep_intervals(&w[i].own, p->max_interval);
		text_init(&w[i].text, source);
		w[i].text.shared = true;
		/* The first worker takes the first chunk, so that the first event gets number 0. */
		if (!i)
			text_refill(&w[0].text);
		/* If a thread cannot be created, those before it do the work. */
		if (i && pthread_create(&w[i].thread, NULL, work, &w[i])) {
			profile_release(&w[i].own);
			nr = i;
		}
	}
	work(&w[0]);
	for (unsigned i = 1; i < nr; i++)
		pthread_join(w[i].thread, NULL);
	resolve_lines(w, nr);
	gather_notes(w, nr, &notes);
	p->notes = notes;
	for (unsigned i = 0; i < nr; i++) {
		if (w[i].ret && !ret) {
			*e = w[i].error;
			ret = -1;
		}
		if (i) {
			profile_merge(p, &w[i].own);
			profile_release(&w[i].own);
		}
		text_release(&w[i].text);
	}
	free(w);
	return ret;
}

static int read_alone(struct worker *w, struct error *e)
{
	struct notes notes = w->p->notes;

	w->p->notes = (struct notes){ 0 };
	text_init(&w->text, w->source);
	work(w);
	text_release(&w->text);
	gather_notes(w, 1, &notes);
	w->p->notes = notes;
	if (w->ret)
		*e = w->error;
	return w->ret;
}

/* Each thread has a profile: more than this would only cost memory. */
enum { THREADS_MAX = 256 };

int read_source(const struct reader *r, struct source *source, const struct read_opts *o,
		struct profile *p, struct read_result *result, struct error *e)
{
	unsigned threads = o->threads < THREADS_MAX ? o->threads : THREADS_MAX;
	bool ticks = o->ticks || (o->times && r->timed);
	int ret;

	source_split(source, r->split, r->begins);
	if (ticks && !p->max_tick && !p->nr_count)
		profile_keep_ticks(p, o->ticks ? PROFILE_TICKS_DEFAULT : PROFILE_TIMES_DEFAULT);
	if ((o->times || o->ticks) && !p->max_interval && !p->nr_count)
		profile_keep_intervals(p, o->ticks ? PROFILE_INTERVALS_DEFAULT
						   : PROFILE_TIMES_DEFAULT);
	/* A small input is not worth a second thread.  Ticks and strict errors need order. */
	if (!threads || source_head(source).size < SOURCE_HEAD_SIZE)
		threads = 1;
	if (threads > 1 && !r->turns && (!r->parallel || p->max_tick || o->strict)) {
		source_read_ahead(source);
		threads = 1;
	}
	/* The default: a parallel reader sees only a part of the input, and cannot change it. */
	*result = (struct read_result){ .spelling = r->spelling };
	if (threads > 1 && !r->turns) {
		ret = read_parallel(r, source, o, p, threads, e);
	} else {
		struct worker w = {
			.reader = r, .o = o, .source = source, .p = p, .threads = threads
		};

		ret = read_alone(&w, e);
		*result = w.result;
	}
	/* Some samples of an event had no time: times of only a part would be misleading. */
	if (p->max_tick && !profile_ticks_add_up(p))
		profile_drop_partial_ticks(p);
	if (p->max_tick && !p->nr_tick && !o->ticks && p->nr_count)
		profile_drop_ticks(p);
	/* A pack may contain this note, but it does not matter if times are not requested. */
	if (!o->times && !o->ticks)
		notes_forget(&p->notes, NOTE_TICKS_PARTIAL);
	/* In some inputs, only a part of an event has durations: intervals of a part would be misleading. */
	if (!profile_intervals_add_up(p))
		profile_drop_partial_intervals(p);
	if (source_overlong(source)) {
		notes_add(&p->notes, NOTE_LINE_TOO_LONG, source_overlong(source), 0, SPAN(""));
		if (o->strict && !ret)
			ret = error_set(e, ERROR_INPUT, "line longer than %d MiB",
					SOURCE_LINE_MAX >> 20);
	}
	assert(!profile_check(p));
	return ret;
}
