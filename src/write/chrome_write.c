/*
 * Chrome's Trace Event Format, for Perfetto, chrome://tracing and others: slices of time, which
 * begin (B) and end (E) as functions do.
 *
 * A span is one slice.  A sample or a wait has a whole stack: the frames that it shares with the
 * previous one stay open.  The length of a sample is its weight if that is a time, but the sample
 * ends at the next one of its thread at the latest.  Series are counters (C).
 *
 * The shown event is on the tracks of its threads.  Every other event with times has its own
 * tracks: threads of the same process, with unused thread IDs.  The args of the track's name have
 * the event and the real thread, for wick's reader.
 */
#include "base/alloc.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "fold/sums.h"
#include "profile/spelling.h"
#include "write/writer.h"

#include <inttypes.h>
#include <stdlib.h>

/* A stack of a thread for some time. */
struct slice {
	uint64_t begin, end;
	uint32_t group; /* 0: a shown event; otherwise 1 + the event's number */
	thread_id thread;
	stack_id stack;
	uint32_t row; /* in its table: decides the order of equal times */
	bool is_span; /* only its leaf begins and ends */
	bool is_wait; /* a wait's end is known, and not extended to the next slice */
	bool is_sample;
};

struct chrome {
	struct output *out;
	const struct profile *p;
	const bool *shown; /* by event */
	unsigned spelling;
	struct slice *slice;
	size_t nr, cap;
	uint64_t first;	  /* time of all */
	uint32_t pid;	  /* of counters */
	uint32_t tid;	  /* of the track that is being written */
	uint32_t nr_free; /* the first unused thread ID */
	stack_id *path;	  /* the stack to be written, from the root */
	stack_id *was;	  /* the stack whose frames are open */
	size_t nr_path, cap_path, nr_was, cap_was;
	bool any; /* an event was written: the next one needs a comma before it */
	struct strbuf text;
};

/* Slices */

static uint32_t group_of(const struct chrome *w, uint32_t event)
{
	return w->shown[event] ? 0 : event + 1;
}

static bool is_same_track(const struct slice *a, const struct slice *b)
{
	return a->group == b->group && a->thread.i == b->thread.i;
}

static void add(struct chrome *w, struct slice s)
{
	GROW(w->slice, w->nr, w->cap);
	w->slice[w->nr++] = s;
}

/*
 * Skips allocations and the like: they last until they are freed, so they are not activities of a
 * thread.
 */
static bool add_intervals(struct chrome *w, const bool *in, bool *has)
{
	bool any = false;

	for (size_t i = 0; i < w->p->nr_interval; i++) {
		const struct interval *v = &w->p->interval[i];
		enum extent extent = w->p->event[v->event].extent;

		if (!in[v->event] || extent == EXTENT_WHOLE || v->end == INTERVAL_OPEN)
			continue;
		has[v->event] = any = true;
		add(w, (struct slice){ .begin = v->begin,
				       .end = v->end,
				       .group = group_of(w, v->event),
				       .thread = v->thread,
				       .stack = v->stack,
				       .row = (uint32_t)i,
				       .is_span = extent == EXTENT_SELF,
				       .is_wait = extent == EXTENT_SHARE });
	}
	return any;
}

static bool add_ticks(struct chrome *w, const bool *in, const bool *has)
{
	bool any = false;

	for (size_t i = 0; i < w->p->nr_tick; i++) {
		const struct tick *t = &w->p->tick[i];
		bool is_time = span_is(write_unit(w->p, t->event), "nanoseconds");
		int64_t weight = is_time ? write_whole(w->p, t->event, t->weight) : 0;
		uint64_t end;

		if (!in[t->event] || has[t->event] || !profile_ticks_timed(w->p, t->event))
			continue;
		if (weight <= 0 || __builtin_add_overflow(t->time, (uint64_t)weight, &end))
			end = UINT64_MAX;
		any = true;
		add(w,
		    (struct slice){ .begin = t->time,
				    .end = end,
				    .group = group_of(w, t->event),
				    .thread = t->thread,
				    .stack = t->stack,
				    .row = (uint32_t)i,
				    .is_sample = w->p->event[t->event].source == SOURCE_SAMPLED });
	}
	return any;
}

/* Outer spans before inner ones. */
static int compare_slices(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->thread.i != y->thread.i)
		return x->thread.i < y->thread.i ? -1 : 1;
	if (x->is_span != y->is_span)
		return x->is_span ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->is_span && x->end != y->end)
		return x->end > y->end ? -1 : 1;
	if (x->is_span && x->stack.i != y->stack.i)
		return x->stack.i < y->stack.i ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/*
 * Does this slice end where the next one begins?  A small gap between samples counts as none, as
 * clocks are not exact.
 */
static bool is_followed(const struct slice *s, const struct slice *next)
{
	uint64_t length = s->end - s->begin, gap = next->begin - s->begin;

	return is_same_track(next, s) &&
	       (gap <= length || (!s->is_wait && gap - length < length / 2));
}

/*
 * A sample ends where the next one of its thread begins; the last one is as long as its
 * predecessor.
 */
static void set_ends(struct chrome *w)
{
	for (size_t i = 0; i < w->nr; i++) {
		struct slice *s = &w->slice[i];
		bool goes_on = i && is_same_track(&s[-1], s) && !s[-1].is_span;

		if (s->is_span)
			continue;
		if (i + 1 < w->nr && is_followed(s, s + 1))
			s->end = s[1].begin;
		else if (s->end == UINT64_MAX)
			s->end = s->begin + (goes_on ? s->begin - s[-1].begin : 1000);
	}
}

/* Events */

static void put_event(struct chrome *w, char phase, thread_id thread, uint64_t time)
{
	const struct thread *t = &w->p->thread[thread.i];
	uint32_t pid = t->pid == THREAD_UNKNOWN ? 0 : t->pid;

	time -= w->first;
	strbuf_reset(&w->text);
	strbuf_addf(&w->text,
		    "%s{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ".%03" PRIu64,
		    w->any ? ",\n" : "\n", phase, pid, w->tid, time / 1000, time % 1000);
	w->any = true;
}

static void end_event(struct chrome *w)
{
	strbuf_addch(&w->text, '}');
	output_add(w->out, strbuf_peek(&w->text));
}

static void add_name(struct chrome *w, frame_id frame, size_t line)
{
	struct strbuf name = { 0 };

	spelling_frame(&name, w->p, frame, line, w->spelling);
	strbuf_add(&w->text, SPAN(",\"name\":"));
	json_add_string(&w->text, strbuf_peek(&name));
	strbuf_release(&name);
}

static size_t nr_lines(const struct chrome *w, stack_id stack)
{
	size_t nr = w->p->frame[w->p->stack[stack.i].frame.i].nr_line;

	return nr ? nr : 1;
}

static void begin_frame(struct chrome *w, const struct slice *s, stack_id stack)
{
	for (size_t line = nr_lines(w, stack); line-- > 0;) {
		put_event(w, 'B', s->thread, s->begin);
		add_name(w, w->p->stack[stack.i].frame, line);
		end_event(w);
	}
}

static void end_frame(struct chrome *w, const struct slice *s, stack_id stack, uint64_t time)
{
	/* The name tells speedscope which function ends if another begins at the same time. */
	for (size_t line = 0; line < nr_lines(w, stack); line++) {
		put_event(w, 'E', s->thread, time);
		add_name(w, w->p->stack[stack.i].frame, line);
		end_event(w);
	}
}

static void write_span(struct chrome *w, const struct slice *s)
{
	uint64_t length = s->end - s->begin;

	for (size_t line = s->stack.i ? nr_lines(w, s->stack) : 0; line-- > 0;) {
		put_event(w, 'X', s->thread, s->begin);
		strbuf_addf(&w->text, ",\"dur\":%" PRIu64 ".%03" PRIu64, length / 1000,
			    length % 1000);
		add_name(w, w->p->stack[s->stack.i].frame, line);
		end_event(w);
	}
}

/* Ends the open frames that the next stack does not share. */
static void end_open(struct chrome *w, const struct slice *s, size_t keep, uint64_t time)
{
	while (w->nr_was > keep)
		end_frame(w, s, w->was[--w->nr_was], time);
}

static void set_path(struct chrome *w, stack_id stack)
{
	w->nr_path = 0;
	for (; stack.i; stack = w->p->stack[stack.i].caller) {
		GROW(w->path, w->nr_path, w->cap_path);
		w->path[w->nr_path++] = stack;
	}
	for (size_t i = 0; i < w->nr_path / 2; i++) {
		stack_id other = w->path[w->nr_path - 1 - i];

		w->path[w->nr_path - 1 - i] = w->path[i];
		w->path[i] = other;
	}
}

/* Are these the same functions, whatever their addresses? */
static bool is_same(const struct chrome *w, stack_id a, stack_id b)
{
	frame_id x = w->p->stack[a.i].frame, y = w->p->stack[b.i].frame;
	const struct frame *f = &w->p->frame[x.i], *g = &w->p->frame[y.i];

	if (x.i == y.i)
		return true;
	if (!f->nr_line || f->nr_line != g->nr_line || f->kind != g->kind)
		return false;
	for (size_t i = 0; i < f->nr_line; i++)
		if (f->line[i].function.i != g->line[i].function.i)
			return false;
	return true;
}

static void write_stack(struct chrome *w, const struct slice *s, const struct slice *before)
{
	size_t shared = 0;

	if (before && before->end < s->begin)
		end_open(w, before, 0, before->end);
	set_path(w, s->stack);
	while (shared < w->nr_was && shared < w->nr_path &&
	       is_same(w, w->was[shared], w->path[shared]))
		shared++;
	end_open(w, s, shared, s->begin);
	for (; w->nr_was < w->nr_path; w->nr_was++) {
		GROW(w->was, w->nr_was, w->cap_was);
		w->was[w->nr_was] = w->path[w->nr_was];
		begin_frame(w, s, w->was[w->nr_was]);
	}
}

/* The name of a track: "app", or for another event "app 11 off-cpu", with its parts as args. */
static void write_thread(struct chrome *w, const struct slice *s)
{
	const struct thread *t = &w->p->thread[s->thread.i];
	struct span comm = profile_peek(w->p, t->comm), event = SPAN("");
	struct strbuf name = { 0 };

	if (s->group)
		event = profile_peek(w->p, w->p->event[s->group - 1].name);
	if (!comm.size && !event.size)
		return;
	strbuf_add(&name, comm);
	if (event.size && t->tid != THREAD_UNKNOWN)
		strbuf_addf(&name, "%s%u", name.size ? " " : "", t->tid);
	if (event.size)
		strbuf_addf(&name, "%s%.*s", name.size ? " " : "", (int)event.size, event.at);
	put_event(w, 'M', s->thread, w->first);
	strbuf_add(&w->text, SPAN(",\"name\":\"thread_name\",\"args\":{\"name\":"));
	json_add_string(&w->text, strbuf_peek(&name));
	/* wick's reader takes a trace for measured unless the file says otherwise. */
	if (s->is_sample)
		strbuf_add(&w->text, SPAN(",\"source\":\"sampled\""));
	if (event.size) {
		strbuf_add(&w->text, SPAN(",\"event\":"));
		json_add_string(&w->text, event);
		strbuf_add(&w->text, SPAN(",\"thread\":"));
		json_add_string(&w->text, comm);
		if (t->tid != THREAD_UNKNOWN)
			strbuf_addf(&w->text, ",\"tid\":%u", t->tid);
	}
	strbuf_addch(&w->text, '}');
	end_event(w);
	strbuf_release(&name);
}

/* A process is named after its first thread. */
static void write_processes(struct chrome *w)
{
	for (uint32_t i = 1; i < w->p->nr_thread; i++) {
		const struct thread *t = &w->p->thread[i];
		struct span comm = profile_peek(w->p, t->comm);

		if (t->pid != t->tid || t->pid == THREAD_UNKNOWN || !comm.size)
			continue;
		w->tid = t->tid;
		put_event(w, 'M', (thread_id){ i }, w->first);
		strbuf_add(&w->text, SPAN(",\"name\":\"process_name\",\"args\":{\"name\":"));
		json_add_string(&w->text, comm);
		strbuf_addch(&w->text, '}');
		end_event(w);
	}
}

static void begin_track(struct chrome *w, const struct slice *s)
{
	const struct thread *t = &w->p->thread[s->thread.i];

	w->tid = s->group ? w->nr_free++ : t->tid == THREAD_UNKNOWN ? s->thread.i : t->tid;
	write_thread(w, s);
}

static void write_slices(struct chrome *w)
{
	const struct slice *before = NULL;

	for (size_t i = 0; i < w->nr; i++) {
		const struct slice *s = &w->slice[i];

		if (!i || !is_same_track(s, &s[-1])) {
			if (before)
				end_open(w, before, 0, before->end);
			before = NULL;
			begin_track(w, s);
		}
		if (s->is_span) {
			write_span(w, s);
		} else {
			write_stack(w, s, before);
			before = s;
		}
	}
	if (before)
		end_open(w, before, 0, before->end);
}

/* Series */

static void write_point(struct chrome *w, const struct series *s, const struct point *p)
{
	struct span unit = profile_peek(w->p, s->unit), scope = profile_peek(w->p, s->scope);
	uint64_t time = p->time - w->first;

	strbuf_reset(&w->text);
	/* The category tells wick's reader that the value is named after its unit. */
	strbuf_addf(&w->text,
		    "%s{\"ph\":\"C\",\"cat\":\"wick\",\"pid\":%u,\"ts\":%" PRIu64 ".%03" PRIu64,
		    w->any ? ",\n" : "\n", w->pid, time / 1000, time % 1000);
	w->any = true;
	strbuf_add(&w->text, SPAN(",\"name\":"));
	json_add_string(&w->text, profile_peek(w->p, s->name));
	if (scope.size) {
		strbuf_add(&w->text, SPAN(",\"id\":"));
		json_add_string(&w->text, scope);
	}
	strbuf_add(&w->text, SPAN(",\"args\":{"));
	json_add_string(&w->text, unit.size ? unit : SPAN("value"));
	strbuf_addch(&w->text, ':');
	sum_add_digits(&w->text, p->value, s->scale);
	strbuf_addch(&w->text, '}');
	end_event(w);
}

static void write_series(struct chrome *w)
{
	for (size_t i = 0; i < w->p->nr_series; i++)
		for (size_t k = 0; k < w->p->series[i].nr; k++)
			write_point(w, &w->p->series[i], &w->p->series[i].point[k]);
}

/*
 * Unused thread IDs follow the known ones, and the thread numbers that stand in for unknown ones.
 */
static void find_free(struct chrome *w)
{
	w->nr_free = (uint32_t)w->p->nr_thread;
	for (size_t i = 0; i < w->p->nr_thread; i++) {
		uint32_t tid = w->p->thread[i].tid;

		if (tid != THREAD_UNKNOWN && tid >= w->nr_free)
			w->nr_free = tid + 1;
	}
}

/*
 * Times are relative to the earliest one, which becomes 1 us: Chrome's DevTools take 0 for a
 * missing time.  Counters belong to the process of the first slice.
 */
static void set_first(struct chrome *w)
{
	uint32_t pid = w->p->thread[w->slice[0].thread.i].pid;

	w->pid = pid == THREAD_UNKNOWN ? 0 : pid;
	for (size_t i = 0; i < w->nr; i++)
		w->first = w->slice[i].begin < w->first ? w->slice[i].begin : w->first;
	for (size_t i = 0; i < w->p->nr_series; i++)
		if (w->p->series[i].nr && w->p->series[i].point[0].time < w->first)
			w->first = w->p->series[i].point[0].time;
	w->first -= 1000; /* may wrap below 0: then the differences to it wrap, too */
}

int chrome_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct chrome w = { .out = out,
			    .p = what->p,
			    .shown = what->in[0],
			    .spelling = (what->spelling & ~(unsigned)SPELL_AROUND) | SPELL_UTF8,
			    .first = UINT64_MAX };
	bool *has = xcalloc(what->p->nr_event, sizeof(*has)), *in = write_events(what), any;

	any = add_intervals(&w, in, has);
	any |= add_ticks(&w, in, has);
	free(has);
	free(in);
	if (!any) {
		error_set(e, ERROR_INPUT, "a trace requires timestamps, and the profile has none");
		return error_hint(e, "wick record, perf record and perf script store timestamps");
	}
	qsort(w.slice, w.nr, sizeof(*w.slice), compare_slices);
	set_ends(&w);
	set_first(&w);
	find_free(&w);
	output_add(out, SPAN("{\"displayTimeUnit\":\"ns\",\"traceEvents\":["));
	write_processes(&w);
	write_slices(&w);
	write_series(&w);
	output_add(out, SPAN("\n]}\n"));
	free(w.slice);
	free(w.path);
	free(w.was);
	strbuf_release(&w.text);
	return 0;
}
