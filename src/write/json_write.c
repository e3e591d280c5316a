/*
 * The profile as JSON, table by table, for scripts: docs/json.md describes it.  Row numbers are
 * those of the profile, where row 0 means none.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "write/json_out.h"
#include "write/writer.h"

#include <inttypes.h>
#include <stdlib.h>

enum { VERSION = 1 };

struct json_profile {
	struct json_out json;
	const struct profile *p;
	bool *in; /* by event: is it written? */
	struct strbuf text;
};

static void put(struct json_profile *w, const char *text)
{
	json_out_text(&w->json, text);
}

/* Each row of a table stands on its own line. */
static void next_row(struct json_profile *w, size_t i)
{
	put(w, i ? ",\n" : "\n");
}

static void put_string(struct json_profile *w, const char *name, str_id s)
{
	put(w, name);
	json_out_string(&w->json, profile_peek(w->p, s));
}

static void put_number(struct json_profile *w, const char *name, uint64_t number)
{
	put(w, name);
	json_out_number(&w->json, number);
}

/* Omits 0, which means none. */
static void put_some(struct json_profile *w, const char *name, uint64_t number)
{
	if (number)
		put_number(w, name, number);
}

static void put_weight(struct json_profile *w, uint32_t event, int64_t weight)
{
	put(w, ",\"weight\":");
	json_out_decimal(&w->json, weight, (unsigned)-w->p->event[event].scale);
}

static void write_info(struct json_profile *w)
{
	put(w, "\"info\":[");
	for (size_t i = 0; i < w->p->nr_info; i++) {
		next_row(w, i);
		put_string(w, "{\"key\":", w->p->info[i].key);
		put_string(w, ",\"value\":", w->p->info[i].value);
		put(w, "}");
	}
	put(w, "],\n");
}

static void write_events_table(struct json_profile *w)
{
	static const char *const sources[] = {
		[SOURCE_SAMPLED] = "sampled", [SOURCE_MEASURED] = "measured"
	};
	static const char *const extents[] = {
		[EXTENT_SHARE] = "share", [EXTENT_SELF] = "self", [EXTENT_WHOLE] = "whole"
	};

	put(w, "\"events\":[");
	for (size_t i = 0; i < w->p->nr_event; i++) {
		const struct event *event = &w->p->event[i];

		next_row(w, i);
		put_string(w, "{\"name\":", event->name);
		put_string(w, ",\"unit\":", event->unit);
		put_some(w, ",\"period\":", event->period);
		put(w, ",\"source\":");
		json_out_string(&w->json, span_of(sources[event->source]));
		put(w, ",\"extent\":");
		json_out_string(&w->json, span_of(extents[event->extent]));
		put(w, "}");
	}
	put(w, "],\n");
}

static void write_threads(struct json_profile *w)
{
	put(w, "\"threads\":[");
	for (size_t i = 0; i < w->p->nr_thread; i++) {
		const struct thread *t = &w->p->thread[i];

		next_row(w, i);
		put_string(w, "{\"name\":", t->comm);
		if (i && t->pid != THREAD_UNKNOWN)
			put_number(w, ",\"pid\":", t->pid);
		if (i && t->tid != THREAD_UNKNOWN)
			put_number(w, ",\"tid\":", t->tid);
		put(w, "}");
	}
	put(w, "],\n");
}

static void write_modules(struct json_profile *w)
{
	put(w, "\"modules\":[");
	for (size_t i = 0; i < w->p->nr_module; i++) {
		next_row(w, i);
		put_string(w, "{\"path\":", w->p->module[i].path);
		put_string(w, ",\"build_id\":", w->p->module[i].build_id);
		put(w, "}");
	}
	put(w, "],\n");
}

static void write_lines(struct json_profile *w, const struct frame *f)
{
	put(w, ",\"lines\":[");
	for (size_t i = 0; i < f->nr_line; i++) {
		put(w, i ? "," : "");
		put_string(w, "{\"function\":", f->line[i].function);
		if (f->line[i].file.i)
			put_string(w, ",\"file\":", f->line[i].file);
		put_some(w, ",\"line\":", f->line[i].line);
		put(w, "}");
	}
	put(w, "]");
}

static void write_frames(struct json_profile *w)
{
	static const char *const kinds[] = { [FRAME_USER] = "user",
					     [FRAME_KERNEL] = "kernel",
					     [FRAME_JIT] = "jit",
					     [FRAME_LABEL] = "label" };
	static const struct {
		unsigned flag;
		const char *text;
	} flags[] = { { FRAME_INLINED, ",\"inlined\":true" },
		      { FRAME_RETURN_ADDRESS, ",\"return_address\":true" },
		      { FRAME_JIT_INLINED, ",\"jit_inlined\":true" },
		      { FRAME_WAKER, ",\"waker\":true" },
		      { FRAME_IN_MODULE, ",\"in_module\":true" } };

	put(w, "\"frames\":[");
	for (size_t i = 0; i < w->p->nr_frame; i++) {
		const struct frame *f = &w->p->frame[i];

		next_row(w, i);
		put(w, "{\"kind\":");
		json_out_string(&w->json, span_of(kinds[f->kind]));
		put_some(w, ",\"module\":", f->module.i);
		if (f->address) {
			/* As a string, since numbers in JSON are exact up to 2^53 only. */
			strbuf_reset(&w->text);
			strbuf_addf(&w->text, ",\"address\":\"0x%" PRIx64 "\"", f->address);
			put(w, w->text.at);
		}
		for (size_t k = 0; k < ARRAY_SIZE(flags); k++)
			if (f->flags & flags[k].flag)
				put(w, flags[k].text);
		write_lines(w, f);
		put(w, "}");
	}
	put(w, "],\n");
}

static void write_stacks(struct json_profile *w)
{
	put(w, "\"stacks\":[");
	for (size_t i = 0; i < w->p->nr_stack; i++) {
		next_row(w, i);
		put_number(w, "{\"caller\":", w->p->stack[i].caller.i);
		put_number(w, ",\"frame\":", w->p->stack[i].frame.i);
		put(w, "}");
	}
	put(w, "],\n");
}

static void put_labels(struct json_profile *w, label_id labels)
{
	const struct label_set *set = &w->p->labels[labels.i];

	if (!set->nr)
		return;
	put(w, ",\"labels\":{");
	for (size_t i = 0; i < set->nr; i++) {
		put_string(w, i ? "," : "", set->label[i].key);
		put_string(w, ":", set->label[i].value);
	}
	put(w, "}");
}

/* The members that counts, ticks and intervals share. */
static void put_sample(struct json_profile *w, uint32_t event, thread_id thread, stack_id stack)
{
	put_number(w, "\"event\":", event);
	put_some(w, ",\"thread\":", thread.i);
	put_number(w, ",\"stack\":", stack.i);
}

static void write_counts(struct json_profile *w)
{
	size_t nr = 0;

	put(w, "\"counts\":[");
	for (size_t i = 0; i < w->p->nr_count; i++) {
		const struct count *c = &w->p->count[i];

		if (!w->in[c->event])
			continue;
		next_row(w, nr++);
		put(w, "{");
		put_sample(w, c->event, c->thread, c->stack);
		put_labels(w, c->labels);
		put_weight(w, c->event, c->weight);
		put_number(w, ",\"samples\":", c->nr);
		put(w, "}");
	}
	put(w, "],\n");
}

static void write_ticks(struct json_profile *w)
{
	size_t nr = 0;

	put(w, "\"samples\":[");
	for (size_t i = 0; i < w->p->nr_tick; i++) {
		const struct tick *t = &w->p->tick[i];

		if (!w->in[t->event] || !profile_ticks_timed(w->p, t->event))
			continue;
		next_row(w, nr++);
		put_number(w, "{\"time\":", t->time);
		put(w, ",");
		put_sample(w, t->event, t->thread, t->stack);
		put_labels(w, t->labels);
		put_weight(w, t->event, t->weight);
		put(w, "}");
	}
	put(w, "],\n");
}

static void put_links(struct json_profile *w, link_id id)
{
	static const char *const kinds[] = { [LINK_WAKER] = "waker",
					     [LINK_HOLDER] = "holder",
					     [LINK_PARENT] = "parent",
					     [LINK_ASYNC] = "async" };

	put(w, ",\"links\":[");
	for (bool first = true; id.i; id = w->p->link[id.i].next, first = false) {
		const struct link *l = &w->p->link[id.i];

		put(w, first ? "{\"kind\":" : ",{\"kind\":");
		json_out_string(&w->json, span_of(kinds[l->kind]));
		put_some(w, ",\"thread\":", l->thread.i);
		put_some(w, ",\"stack\":", l->stack.i);
		put(w, "}");
	}
	put(w, "]");
}

static void write_intervals(struct json_profile *w)
{
	size_t nr = 0;

	put(w, "\"intervals\":[");
	for (size_t i = 0; i < w->p->nr_interval; i++) {
		const struct interval *v = &w->p->interval[i];

		if (!w->in[v->event])
			continue;
		next_row(w, nr++);
		put_number(w, "{\"begin\":", v->begin);
		if (v->end != INTERVAL_OPEN)
			put_number(w, ",\"end\":", v->end);
		put(w, ",");
		put_sample(w, v->event, v->thread, v->stack);
		put_labels(w, v->labels);
		put_weight(w, v->event, v->weight);
		put_number(w, ",\"samples\":", v->nr);
		if (v->link.i)
			put_links(w, v->link);
		put(w, "}");
	}
	put(w, "],\n");
}

static void write_series(struct json_profile *w)
{
	put(w, "\"series\":[");
	for (size_t i = 0; i < w->p->nr_series; i++) {
		const struct series *s = &w->p->series[i];

		next_row(w, i);
		put_string(w, "{\"name\":", s->name);
		put_string(w, ",\"unit\":", s->unit);
		put_string(w, ",\"scope\":", s->scope);
		put(w, ",\"points\":[");
		for (size_t k = 0; k < s->nr; k++) {
			put_number(w, k ? ",[" : "[", s->point[k].time);
			put(w, ",");
			json_out_decimal(&w->json, s->point[k].value, (unsigned)-s->scale);
			put(w, "]");
		}
		put(w, "]}");
	}
	put(w, "]}\n");
}

int json_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct json_profile w = { .json = { .out = out }, .p = what->p, .in = write_events(what) };

	(void)e;
	put(&w, "{\"format\":\"wick-profile\",");
	put_number(&w, "\"version\":", VERSION);
	put_number(&w, ",\"shown\":", write_first_event(what, w.in));
	put(&w, ",\"spelling\":");
	spelling_write(&w.text, what->spelling);
	json_out_string(&w.json, strbuf_peek(&w.text));
	put(&w, ",\n");
	write_info(&w);
	write_events_table(&w);
	write_threads(&w);
	write_modules(&w);
	write_frames(&w);
	write_stacks(&w);
	write_counts(&w);
	write_ticks(&w);
	write_intervals(&w);
	write_series(&w);
	free(w.in);
	strbuf_release(&w.text);
	strbuf_release(&w.json.text);
	return 0;
}
