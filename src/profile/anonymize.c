#include "profile/anonymize.h"

#include "base/alloc.h"
#include "profile/intervals.h"
#include "profile/ticks.h"

#include <stdlib.h>

/* Facts that do not reveal who recorded what, and where. */
static const char *const harmless[] = { "arch",		  "captured", "cpu",  "cpus",
					"format",	  "kernel",   "perf", FACT_SAMPLING,
					FACT_NOT_SAMPLED, FACT_TIME };

/* By handle in `from`: the handle in `into`. */
struct mapping {
	struct profile *into;
	const struct profile *from;
	module_id *module;
	frame_id *frame;
	stack_id *stack;
	thread_id *thread;
	label_id *labels;
};

static struct span file_name(struct span path)
{
	size_t slash = span_rfind(path, '/'), backslash = span_rfind(path, '\\');

	if (backslash < path.size && (slash == path.size || backslash > slash))
		slash = backslash;
	return slash == path.size ? path : span_from(path, slash + 1);
}

/* /home/me/app and C:\app are paths, java/lang/String is not. */
static bool is_path(struct span name)
{
	return span_starts(name, "/") || span_starts(name, "~/") ||
	       (name.size > 2 && name.at[1] == ':' && name.at[2] == '\\');
}

/* The same string, or only the file name if it is a path. */
static str_id map_name(struct mapping *m, str_id s)
{
	struct span name = profile_peek(m->from, s);

	return profile_string(m->into, is_path(name) ? file_name(name) : name);
}

static str_id map_path(struct mapping *m, str_id s)
{
	return profile_string(m->into, file_name(profile_peek(m->from, s)));
}

static void map_frames(struct mapping *m)
{
	struct line *line = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < m->from->nr_frame; i++) {
		struct frame f = m->from->frame[i];

		if (f.nr_line > cap) {
			cap = f.nr_line;
			line = xreallocarray(line, cap, sizeof(*line));
		}
		for (size_t k = 0; k < f.nr_line; k++)
			line[k] = (struct line){ .function = map_name(m, f.line[k].function),
						 .file = map_path(m, f.line[k].file),
						 .line = f.line[k].line };
		f.line = line;
		f.module = m->module[f.module.i];
		m->frame[i] = profile_frame(m->into, &f);
	}
	free(line);
}

static void map_labels(struct mapping *m)
{
	for (size_t i = 0; i < m->from->nr_labels; i++) {
		const struct label_set *set = &m->from->labels[i];
		struct label *label = xcalloc(set->nr, sizeof(*label));

		for (size_t k = 0; k < set->nr; k++)
			label[k] = (struct label){ .key = map_name(m, set->label[k].key),
						   .value = map_path(m, set->label[k].value) };
		m->labels[i] = profile_labels(m->into, label, set->nr);
		free(label);
	}
}

static void map_tables(struct mapping *m)
{
	const struct profile *from = m->from;

	for (size_t i = 0; i < from->nr_module; i++)
		m->module[i] =
			profile_module(m->into, file_name(profile_peek(from, from->module[i].path)),
				       profile_peek(from, from->module[i].build_id));
	map_frames(m);
	for (size_t i = 1; i < from->nr_stack; i++)
		m->stack[i] = profile_push(m->into, m->stack[from->stack[i].caller.i],
					   m->frame[from->stack[i].frame.i]);
	for (size_t i = 0; i < from->nr_thread; i++) {
		struct thread t = from->thread[i];

		t.comm = map_name(m, t.comm);
		m->thread[i] = profile_thread(m->into, &t);
	}
	for (size_t i = 0; i < from->nr_event; i++) {
		const struct event *e = &from->event[i];
		uint32_t event = profile_event(m->into, profile_peek(from, e->name),
					       profile_peek(from, e->unit));

		m->into->event[event].scale = e->scale;
		m->into->event[event].period = e->period;
		m->into->event[event].source = e->source;
		m->into->event[event].extent = e->extent;
	}
	map_labels(m);
}

/* Paths with the same file name become one row, so their counts are added; false if a sum overflows. */
static bool add_counts(struct mapping *m)
{
	const struct profile *from = m->from;
	bool all = true;

	for (size_t i = 0; i < from->nr_count; i++) {
		struct count c = from->count[i];

		c.thread = m->thread[c.thread.i];
		c.stack = m->stack[c.stack.i];
		c.labels = m->labels[c.labels.i];
		if (!profile_add_count(m->into, &c))
			continue;
		notes_add(&m->into->notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
		all = false;
	}
	return all;
}

static void add_ticks(struct mapping *m)
{
	const struct profile *from = m->from;

	profile_keep_ticks(m->into, from->max_tick);
	m->into->tick_quantum = from->tick_quantum;
	m->into->timed = from->timed;
	for (size_t i = 0; i < from->nr_tick; i++) {
		struct tick t = from->tick[i];

		t.thread = m->thread[t.thread.i];
		t.stack = m->stack[t.stack.i];
		t.labels = m->labels[t.labels.i];
		ticks_add(m->into, &t);
	}
}

static void add_intervals(struct mapping *m)
{
	profile_keep_intervals(m->into, m->from->max_interval);
	intervals_append(m->into, m->from,
			 &(struct interval_mapping){
				 .thread = m->thread, .stack = m->stack, .labels = m->labels });
}

static void add_series(struct mapping *m, const struct series *from)
{
	struct profile *into = m->into;
	str_id scope = map_name(m, from->scope);
	struct series *s =
		profile_series(into, profile_peek(m->from, from->name),
			       profile_peek(m->from, from->unit), profile_peek(into, scope));

	if (!s)
		return;
	s->scale = from->scale;
	for (size_t i = 0; i < from->nr; i++)
		series_add(into, s, from->point[i].time, from->point[i].value);
}

static void add_notes(struct notes *into, const struct notes *from)
{
	for (size_t i = 0; i < from->nr; i++)
		notes_add(into, from->note[i].code, 0, from->note[i].line, SPAN(""));
	for (int code = 0; code < NR_NOTE_CODES; code++)
		into->count[code] += from->count[code];
}

static void add_facts(struct profile *into, const struct profile *from)
{
	for (size_t i = 0; i < from->nr_info; i++) {
		struct span key = profile_peek(from, from->info[i].key);

		for (size_t k = 0; k < ARRAY_SIZE(harmless); k++)
			if (span_is(key, harmless[k]))
				profile_inform(into, key, profile_peek(from, from->info[i].value));
	}
}

void profile_anonymize(struct profile *into, const struct profile *from)
{
	struct mapping m = {
		.into = into,
		.from = from,
		.module = xcalloc(from->nr_module, sizeof(*m.module)),
		.frame = xcalloc(from->nr_frame, sizeof(*m.frame)),
		.stack = xcalloc(from->nr_stack, sizeof(*m.stack)),
		.thread = xcalloc(from->nr_thread, sizeof(*m.thread)),
		.labels = xcalloc(from->nr_labels, sizeof(*m.labels)),
	};

	map_tables(&m);
	/* If a count was dropped, ticks would not add up to counts. */
	if (add_counts(&m)) {
		if (from->max_tick)
			add_ticks(&m);
		if (from->max_interval)
			add_intervals(&m);
	}
	/* The scope of a series may be a path: of a cgroup, of a file. */
	for (size_t i = 0; i < from->nr_series; i++)
		add_series(&m, &from->series[i]);
	add_notes(&into->notes, &from->notes);
	add_facts(into, from);
	free(m.module);
	free(m.frame);
	free(m.stack);
	free(m.thread);
	free(m.labels);
}
