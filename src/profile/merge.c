/* Adds one profile to another: each table of `from` is mapped to rows of `into`. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "profile/intervals.h"
#include "profile/profile.h"
#include "profile/ticks.h"

#include <stdlib.h>

/* By handle in `from`: the handle in `into`. */
struct mapping {
	str_id *string;
	module_id *module;
	frame_id *frame;
	stack_id *stack;
	thread_id *thread;
	uint32_t *event;
	int64_t *factor; /* by event: for its weights, to the scale of `into`; 0: overflow */
	label_id *labels;
};

static void map_frames(struct profile *into, const struct profile *from, struct mapping *m)
{
	struct line *line = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < from->nr_frame; i++) {
		struct frame f = from->frame[i];

		if (f.nr_line > cap) {
			cap = f.nr_line;
			line = xreallocarray(line, cap, sizeof(*line));
		}
		for (size_t k = 0; k < f.nr_line; k++)
			line[k] = (struct line){
				.function = m->string[f.line[k].function.i],
				.file = m->string[f.line[k].file.i],
				.line = f.line[k].line,
			};
		f.line = line;
		f.module = m->module[f.module.i];
		m->frame[i] = profile_frame(into, &f);
		if (f.nr_line && !into->frame[m->frame[i].i].nr_line)
			profile_name(into, m->frame[i], line, f.nr_line);
	}
	free(line);
}

static void map_labels(struct profile *into, const struct profile *from, const struct merge_opts *o,
		       struct mapping *m)
{
	bool more = o->key.size > 0;
	struct label added = { .key = profile_string(into, o->key),
			       .value = profile_string(into, o->value) };

	for (size_t i = 0; i < from->nr_labels; i++) {
		const struct label_set *set = &from->labels[i];
		struct label *label = xcalloc(set->nr + 1, sizeof(*label));
		size_t nr = 0;

		for (size_t k = 0; k < set->nr; k++) {
			label[nr] = (struct label){ .key = m->string[set->label[k].key.i],
						    .value = m->string[set->label[k].value.i] };
			nr += !more || label[nr].key.i != added.key.i;
		}
		if (more)
			label[nr++] = added;
		m->labels[i] = profile_labels(into, label, nr);
		free(label);
	}
}

/* The weights of an event are converted to the finer scale of both profiles. */
static void map_events(struct profile *into, const struct profile *from, const struct merge_opts *o,
		       struct mapping *m)
{
	for (size_t i = 0; i < from->nr_event; i++) {
		const struct event *e = &from->event[i];
		size_t nr = into->nr_event;
		uint32_t to = o->as ? *o->as
				    : profile_event(into, profile_peek(from, e->name),
						    profile_peek(from, e->unit));
		bool is_new = to >= nr;
		int scale = o->samples ? 0 : e->scale; /* samples are whole numbers */

		m->event[i] = to;
		m->factor[i] = 1;
		if (o->in && !o->in[i])
			continue;
		if (scale < into->event[to].scale && profile_rescale(into, to, scale))
			m->factor[i] = 0;
		for (int s = scale; s > into->event[to].scale; s--)
			if (__builtin_mul_overflow(m->factor[i], 10, &m->factor[i]))
				m->factor[i] = 0;
		if (!into->event[to].period)
			into->event[to].period = e->period;
		/* If the sides differ, the less reliable source. */
		into->event[to].source =
			is_new || into->event[to].source == e->source ? e->source : SOURCE_SAMPLED;
		if (is_new)
			into->event[to].extent = e->extent;
		into->event[to].untimed |= e->untimed;
	}
}

/* Counts of `from` that were dropped, because their sums would overflow. */
struct refused {
	struct count *at;
	size_t nr, cap;
};

static bool is_refused(const struct refused *r, const struct tick *t)
{
	for (size_t i = 0; i < r->nr; i++)
		if (r->at[i].stack.i == t->stack.i && r->at[i].thread.i == t->thread.i &&
		    r->at[i].event == t->event && r->at[i].labels.i == t->labels.i)
			return true;
	return false;
}

static void add_counts(struct profile *into, const struct profile *from, const struct merge_opts *o,
		       const struct mapping *m, struct refused *refused)
{
	for (size_t i = 0; i < from->nr_count; i++) {
		struct count c = from->count[i];
		int64_t factor = m->factor[c.event];
		bool fits;

		if (o->in && !o->in[c.event])
			continue;
		if (o->samples)
			c.weight = (int64_t)c.nr;
		fits = factor && !__builtin_mul_overflow(c.weight, factor, &c.weight);

		c.event = m->event[c.event];
		c.thread = m->thread[c.thread.i];
		c.stack = m->stack[c.stack.i];
		c.labels = m->labels[c.labels.i];
		if (fits && !profile_add_count(into, &c))
			continue;
		notes_add(&into->notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
		GROW(refused->at, refused->nr, refused->cap);
		refused->at[refused->nr++] = from->count[i];
	}
}

/* Only one side has times: the ticks of the other have line numbers, which must not be read as times. */
static void mark_untimed(struct profile *into, const struct profile *from, const struct mapping *m)
{
	for (size_t i = 0; !into->timed && i < into->nr_tick; i++)
		into->event[into->tick[i].event].untimed = true;
	for (size_t i = 0; !from->timed && i < from->nr_tick; i++)
		into->event[m->event[from->tick[i].event]].untimed = true;
}

static void add_ticks(struct profile *into, const struct profile *from, const struct mapping *m,
		      const struct refused *refused)
{
	for (size_t i = 0; i < from->nr_tick; i++) {
		struct tick t = from->tick[i];

		/* Ticks must add up to counts. */
		if (is_refused(refused, &t))
			continue;
		t.weight *= m->factor[t.event];
		t.event = m->event[t.event];
		t.thread = m->thread[t.thread.i];
		t.stack = m->stack[t.stack.i];
		t.labels = m->labels[t.labels.i];
		ticks_add(into, &t);
	}
}

static void add_intervals(struct profile *into, const struct profile *from, const struct mapping *m,
			  const struct refused *refused)
{
	if (into->max_interval && !refused->nr)
		intervals_append(into, from,
				 &(struct interval_mapping){ .event = m->event,
							     .factor = m->factor,
							     .thread = m->thread,
							     .stack = m->stack,
							     .labels = m->labels });
	series_append(into, from);
}

static void map_strings(struct profile *into, const struct profile *from,
			const struct merge_opts *o, struct mapping *m)
{
	struct strbuf renamed = { 0 };

	for (uint32_t i = 0; i < from->strings.nr; i++) {
		struct span s = profile_peek(from, (str_id){ i });

		if (o->rename) {
			strbuf_reset(&renamed);
			o->rename(&renamed, s);
			s = strbuf_peek(&renamed);
		}
		m->string[i] = profile_string(into, s);
	}
	strbuf_release(&renamed);
}

void profile_merge(struct profile *into, const struct profile *from)
{
	profile_merge_with(into, from, &(struct merge_opts){ 0 });
}

void profile_merge_with(struct profile *into, const struct profile *from,
			const struct merge_opts *o)
{
	struct mapping m = {
		.string = xcalloc(from->strings.nr, sizeof(*m.string)),
		.module = xcalloc(from->nr_module, sizeof(*m.module)),
		.frame = xcalloc(from->nr_frame, sizeof(*m.frame)),
		.stack = xcalloc(from->nr_stack, sizeof(*m.stack)),
		.thread = xcalloc(from->nr_thread, sizeof(*m.thread)),
		.event = xcalloc(from->nr_event, sizeof(*m.event)),
		.factor = xcalloc(from->nr_event, sizeof(*m.factor)),
		.labels = xcalloc(from->nr_labels, sizeof(*m.labels)),
	};
	struct refused refused = { 0 };

	map_strings(into, from, o, &m);
	for (size_t i = 0; i < from->nr_module; i++)
		m.module[i] = profile_module(into, profile_peek(from, from->module[i].path),
					     profile_peek(from, from->module[i].build_id));
	map_frames(into, from, &m);
	/* A caller comes before its callees: one pass maps them all. */
	for (size_t i = 1; i < from->nr_stack; i++)
		m.stack[i] = profile_push(into, m.stack[from->stack[i].caller.i],
					  m.frame[from->stack[i].frame.i]);
	for (size_t i = 0; i < from->nr_thread; i++) {
		struct thread t = from->thread[i];

		t.comm = m.string[t.comm.i];
		m.thread[i] = profile_thread(into, &t);
	}
	map_events(into, from, o, &m);
	map_labels(into, from, o, &m);
	add_counts(into, from, o, &m, &refused);
	if (into->timed != from->timed)
		mark_untimed(into, from, &m);
	into->timed |= from->timed;
	into->has_intervals |= from->has_intervals;
	into->unread |= from->unread;
	if (into->max_tick && !o->in)
		add_ticks(into, from, &m, &refused);
	/* One side may have an event without ticks … */
	if (into->nr_tick && !profile_ticks_add_up(into))
		profile_drop_partial_ticks(into);
	if (!o->in)
		add_intervals(into, from, &m, &refused);
	/* … or without intervals, or counts that would have overflowed. */
	if (into->nr_interval && !profile_intervals_add_up(into))
		profile_drop_partial_intervals(into);
	for (size_t i = 0; i < from->nr_info; i++)
		profile_inform(into, profile_peek(from, from->info[i].key),
			       profile_peek(from, from->info[i].value));
	notes_merge(&into->notes, &from->notes);
	free(refused.at);
	free(m.string);
	free(m.module);
	free(m.frame);
	free(m.stack);
	free(m.thread);
	free(m.event);
	free(m.factor);
	free(m.labels);
}
