/*
 * The output of `perf script`, for scripts that read it:
 *
 *	app 1234/1235 [1] 12.000500000:     250000 cpu-clock:
 *		    4f2a leaf (/usr/bin/app)
 *		    51c0 main (/usr/bin/app)
 *
 * These scripts count records, so a count of n samples becomes n records.  A header line, which
 * scripts skip if they do not know it, names the measured events.
 */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/spelling.h"
#include "write/writer.h"

#include <inttypes.h>
#include <stdlib.h>

/* About 1 GB of text */
enum { RECORDS_MAX = 16 * 1024 * 1024 };

struct script {
	struct output *out;
	const struct profile *p;
	struct strbuf text, stack;
	stack_id last;	/* the stack whose text is in `stack` */
	uint64_t shift; /* of times */
};

/*
 * Writes a name, with `_` for control characters and, if `blank`, for blanks, which would end the
 * line or the word.
 */
static void add_name(struct strbuf *text, struct span name, bool blank)
{
	for (size_t i = 0; i < name.size; i++) {
		unsigned char c = (unsigned char)name.at[i];

		strbuf_addch(text, c < ' ' || (blank && c == ' ') ? '_' : name.at[i]);
	}
}

static void add_module(struct script *w, const struct frame *f)
{
	struct span path = profile_peek(w->p, w->p->module[f->module.i].path);

	strbuf_add(&w->stack, SPAN(" ("));
	add_name(&w->stack, path.size ? path : SPAN("[unknown]"), false);
	strbuf_add(&w->stack, SPAN(")\n"));
}

static void add_frame(struct script *w, frame_id id)
{
	const struct frame *f = &w->p->frame[id.i];

	for (size_t i = 0; i < f->nr_line || !i; i++) {
		struct span name =
			i < f->nr_line ? profile_peek(w->p, f->line[i].function) : SPAN("");
		bool inlined = i + 1 < f->nr_line || f->flags & FRAME_INLINED;

		strbuf_addf(&w->stack, "\t%16" PRIx64 " ", f->address);
		add_name(&w->stack, name.size ? name : SPAN("[unknown]"), false);
		if (inlined)
			strbuf_add(&w->stack, SPAN(" (inlined)\n"));
		else
			add_module(w, f);
	}
}

static void set_stack(struct script *w, stack_id stack)
{
	if (w->last.i == stack.i)
		return;
	w->last = stack;
	strbuf_reset(&w->stack);
	for (; stack.i; stack = w->p->stack[stack.i].caller)
		add_frame(w, w->p->stack[stack.i].frame);
}

static void add_cpu(struct script *w, label_id labels)
{
	const struct label_set *set = &w->p->labels[labels.i];

	for (size_t i = 0; i < set->nr; i++)
		if (span_is(profile_peek(w->p, set->label[i].key), "cpu")) {
			strbuf_add(&w->text, SPAN(" ["));
			strbuf_add(&w->text, profile_peek(w->p, set->label[i].value));
			strbuf_addch(&w->text, ']');
		}
}

static void write_record(struct script *w, const struct tick *t)
{
	const struct thread *thread = &w->p->thread[t->thread.i];
	struct span comm = profile_peek(w->p, thread->comm);
	struct span event = profile_peek(w->p, w->p->event[t->event].name);
	uint32_t pid = thread->pid == THREAD_UNKNOWN ? 0 : thread->pid;
	uint32_t tid = thread->tid == THREAD_UNKNOWN ? pid : thread->tid;

	strbuf_reset(&w->text);
	add_name(&w->text, comm.size ? comm : SPAN("unknown"), false);
	strbuf_addf(&w->text, " %u/%u", pid, tid);
	add_cpu(w, t->labels);
	strbuf_addf(&w->text, " %" PRIu64 ".%09" PRIu64 ": %10" PRId64 " ", t->time / 1000000000,
		    t->time % 1000000000, write_whole(w->p, t->event, t->weight));
	add_name(&w->text, event.size ? event : SPAN("samples"), true);
	strbuf_add(&w->text, SPAN(":\n"));
	output_add(w->out, strbuf_peek(&w->text));
	set_stack(w, t->stack);
	output_add(w->out, strbuf_peek(&w->stack));
	output_char(w->out, '\n');
}

/* A count of n samples becomes n records, which share its weight. */
static void write_sample(struct script *w, const struct write_run *r, uint32_t row)
{
	struct write_sample s = write_sample_at(w->p, r->table, row);
	struct tick t = { .event = r->event,
			  .thread = r->thread,
			  .stack = s.stack,
			  .labels = s.labels,
			  .time = r->table == WRITE_COUNTS ? 0 : s.time + w->shift };
	int64_t nr = s.nr ? (int64_t)s.nr : 1;

	for (int64_t i = 0; i < nr; i++) {
		t.weight = s.weight / nr + (i < s.weight % nr);
		write_record(w, &t);
	}
}

/*
 * Header comments between two lines of `=`, as perf writes them: the Firefox Profiler detects the
 * format by the first line.
 */
static void write_sources(struct script *w, const bool *in)
{
	static const char frame[] = "# ========\n";

	strbuf_reset(&w->text);
	for (uint32_t i = 0; i < w->p->nr_event; i++) {
		if (!in[i] || w->p->event[i].source != SOURCE_MEASURED)
			continue;
		if (!w->text.size)
			strbuf_add(&w->text, span_of(frame));
		strbuf_add(&w->text, SPAN("# measured event : "));
		add_name(&w->text, profile_peek(w->p, w->p->event[i].name), true);
		strbuf_addch(&w->text, '\n');
	}
	if (w->text.size)
		strbuf_add(&w->text, span_of(frame));
	output_add(w->out, strbuf_peek(&w->text));
}

/* In perf script text, a time of 0 means none: if there is one, all times are shifted by 1 us. */
static uint64_t find_shift(const struct profile *p, const struct write_order *o)
{
	for (size_t i = 0; i < o->nr_run; i++)
		for (size_t k = o->run[i].begin; k < o->run[i].end; k++)
			if (o->run[i].table != WRITE_COUNTS &&
			    !write_sample_at(p, o->run[i].table, o->row[k]).time)
				return 1000;
	return 0;
}

static int check_size(const struct profile *p, const bool *in, struct error *e)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		if (in[p->count[i].event] &&
		    __builtin_add_overflow(nr, p->count[i].nr ? p->count[i].nr : 1, &nr))
			nr = UINT64_MAX;
	if (nr <= RECORDS_MAX)
		return 0;
	return error_set(e, ERROR_INPUT,
			 "%" PRIu64 " samples are too many for perf script text (limit: %d)", nr,
			 RECORDS_MAX);
}

int perf_script_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct script w = { .out = out, .p = what->p };
	bool *in = write_events(what);
	struct write_order order = { 0 };
	int ret = check_size(what->p, in, e);

	if (!ret) {
		write_sources(&w, in);
		write_order_make(&order, what, in, false);
		w.shift = find_shift(w.p, &order);
	}
	for (size_t i = 0; i < order.nr_run; i++)
		for (size_t k = order.run[i].begin; k < order.run[i].end; k++)
			write_sample(&w, &order.run[i], order.row[k]);
	write_order_release(&order);
	free(in);
	strbuf_release(&w.text);
	strbuf_release(&w.stack);
	return ret;
}
