/*
 * Processed profiles of the Firefox Profiler, version 60: the first in which all threads share one
 * table of stacks, as ours do.  The front end upgrades them as it loads them.
 *
 * In this format, a thread has one kind of weights, so each event of a thread is written as a
 * separate thread; the members `event`, `unit` and `source`, which only wick reads, say which.
 * Intervals are markers, and series are counters.
 */
#include "base/alloc.h"
#include "base/date.h"
#include "base/intern.h"
#include "profile/spelling.h"
#include "write/json_out.h"
#include "write/writer.h"

#include <stdlib.h>

enum { VERSION = 60, GECKO_VERSION = 24, RESOURCE_LIBRARY = 1, PHASE_INTERVAL = 1 };

/* In the order of `categories` below. */
enum category { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_JIT };

static const char categories[] =
	"{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"JIT\",\"color\":\"blue\",\"subcategories\":[\"Other\"]}";

static const char marker_schema[] =
	"{\"name\":\"interval\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
	"\"chartLabel\":\"{marker.data.function}\",\"tooltipLabel\":\"{marker.data.function}\","
	"\"tableLabel\":\"{marker.data.function}\",\"fields\":["
	"{\"key\":\"function\",\"label\":\"Function\",\"format\":\"string\"},"
	"{\"key\":\"labels\",\"label\":\"Labels\",\"format\":\"string\"}]}";

/* A row of the frame table, which is written column by column. */
struct frame_row {
	uint32_t func;
	uint32_t depth; /* of inlining */
	uint32_t line;
	enum category category;
};

struct func {
	uint32_t name, file; /* strings; file 0: unknown */
	uint32_t module;
};

struct firefox {
	struct json_out json;
	const struct profile *p;
	unsigned spelling;
	struct intern strings; /* number 0 is the empty string */
	struct intern funcs;   /* struct func */
	struct intern sources; /* numbers of strings */
	struct frame_row *frame;
	size_t nr_frame, cap_frame;
	uint32_t *first_frame; /* by frame of the profile: the row of its innermost call */
	uint32_t *last_stack;  /* by stack of the profile: the row of its innermost call */
	uint64_t begin;	       /* time of all */
	struct strbuf text;
};

static void put(struct firefox *w, const char *text)
{
	json_out_text(&w->json, text);
}

static void put_number(struct firefox *w, uint64_t number)
{
	json_out_number(&w->json, number);
}

/* Before each element but the first. */
static void separate(struct firefox *w, size_t i)
{
	if (i)
		output_char(w->json.out, ',');
}

/* ns as ms */
static void put_time(struct firefox *w, uint64_t time)
{
	json_out_decimal(&w->json, (int64_t)(time - w->begin), 6);
}

static uint32_t string_of(struct firefox *w, struct span s)
{
	return intern(&w->strings, s);
}

/* Functions and frames */

static size_t nr_lines(const struct frame *f)
{
	return f->nr_line ? f->nr_line : 1;
}

static uint32_t func_of(struct firefox *w, frame_id id, size_t line)
{
	const struct frame *f = &w->p->frame[id.i];
	struct func func = { .module = f->module.i };

	strbuf_reset(&w->text);
	spelling_frame(&w->text, w->p, id, line, w->spelling);
	func.name = string_of(w, strbuf_peek(&w->text));
	if (line < f->nr_line)
		func.file = string_of(w, profile_peek(w->p, f->line[line].file));
	if (func.file)
		intern(&w->sources,
		       (struct span){ .at = (const char *)&func.file, .size = sizeof(func.file) });
	return intern(&w->funcs, (struct span){ .at = (const char *)&func, .size = sizeof(func) });
}

static enum category category_of(enum frame_kind kind)
{
	switch (kind) {
	case FRAME_USER:
		return CATEGORY_USER;
	case FRAME_KERNEL:
		return CATEGORY_KERNEL;
	case FRAME_JIT:
		return CATEGORY_JIT;
	case FRAME_LABEL:
		break;
	}
	return CATEGORY_OTHER;
}

static void make_frames(struct firefox *w)
{
	w->first_frame = xcalloc(w->p->nr_frame, sizeof(*w->first_frame));
	for (uint32_t i = 0; i < w->p->nr_frame; i++) {
		const struct frame *f = &w->p->frame[i];

		w->first_frame[i] = (uint32_t)w->nr_frame;
		for (size_t line = 0; line < nr_lines(f); line++) {
			GROW(w->frame, w->nr_frame, w->cap_frame);
			w->frame[w->nr_frame++] = (struct frame_row){
				.func = func_of(w, (frame_id){ i }, line),
				.depth = (uint32_t)(nr_lines(f) - 1 - line) +
					 !!(f->flags & FRAME_INLINED),
				.line = line < f->nr_line ? f->line[line].line : 0,
				.category = category_of(f->kind),
			};
		}
	}
}

/* Tables are written column by column; a column has one value for all rows, or one for each */

static void put_column(struct firefox *w, const char *name, const char *value, size_t nr)
{
	put(w, ",\"");
	put(w, name);
	put(w, "\":[");
	for (size_t i = 0; i < nr; i++) {
		separate(w, i);
		put(w, value);
	}
	put(w, "]");
}

static void put_or_null(struct firefox *w, uint64_t number)
{
	if (number)
		put_number(w, number);
	else
		put(w, "null");
}

static void write_frames(struct firefox *w)
{
	put(w, "\"frameTable\":{\"length\":");
	put_number(w, w->nr_frame);
	put(w, ",\n\"func\":[");
	for (size_t i = 0; i < w->nr_frame; i++) {
		separate(w, i);
		put_number(w, w->frame[i].func);
	}
	put(w, "],\n\"inlineDepth\":[");
	for (size_t i = 0; i < w->nr_frame; i++) {
		separate(w, i);
		put_number(w, w->frame[i].depth);
	}
	put(w, "],\n\"line\":[");
	for (size_t i = 0; i < w->nr_frame; i++) {
		separate(w, i);
		put_or_null(w, w->frame[i].line);
	}
	put(w, "],\n\"category\":[");
	for (size_t i = 0; i < w->nr_frame; i++) {
		separate(w, i);
		put_number(w, w->frame[i].category);
	}
	put(w, "]");
	put_column(w, "subcategory", "0", w->nr_frame);
	put_column(w, "address", "-1", w->nr_frame);
	put_column(w, "nativeSymbol", "null", w->nr_frame);
	put_column(w, "innerWindowID", "0", w->nr_frame);
	put_column(w, "column", "null", w->nr_frame);
	put(w, "},\n");
}

static struct func func_at(const struct firefox *w, uint32_t i)
{
	struct func func;

	memcpy(&func, intern_peek(&w->funcs, i).at, sizeof(func));
	return func;
}

static void write_funcs(struct firefox *w)
{
	size_t nr = w->funcs.nr;

	put(w, "\"funcTable\":{\"length\":");
	put_number(w, nr);
	put(w, ",\n\"name\":[");
	for (uint32_t i = 0; i < nr; i++) {
		separate(w, i);
		put_number(w, func_at(w, i).name);
	}
	put(w, "],\n\"resource\":[");
	for (uint32_t i = 0; i < nr; i++) {
		separate(w, i);
		json_out_signed(&w->json, (int64_t)func_at(w, i).module - 1);
	}
	put(w, "],\n\"source\":[");
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t file = func_at(w, i).file;

		separate(w, i);
		if (file)
			put_number(w, intern(&w->sources, (struct span){ .at = (const char *)&file,
									 .size = sizeof(file) }));
		else
			put(w, "null");
	}
	put(w, "]");
	put_column(w, "isJS", "false", nr);
	put_column(w, "relevantForJS", "false", nr);
	put_column(w, "lineNumber", "null", nr);
	put_column(w, "columnNumber", "null", nr);
	put(w, "},\n\"sources\":{\"length\":");
	put_number(w, w->sources.nr);
	put(w, ",\"filename\":[");
	for (uint32_t i = 0; i < w->sources.nr; i++) {
		uint32_t file;

		memcpy(&file, intern_peek(&w->sources, i).at, sizeof(file));
		separate(w, i);
		put_number(w, file);
	}
	put(w, "]");
	put_column(w, "id", "null", w->sources.nr);
	put(w, "},\n");
}

/* A resource for each module, and a library for each resource. */
static void write_resources(struct firefox *w)
{
	size_t nr = w->p->nr_module - 1;

	put(w, "\"resourceTable\":{\"length\":");
	put_number(w, nr);
	put(w, ",\"lib\":[");
	for (size_t i = 0; i < nr; i++) {
		separate(w, i);
		put_number(w, i);
	}
	put(w, "],\"name\":[");
	for (size_t i = 0; i < nr; i++) {
		struct span path = profile_peek(w->p, w->p->module[i + 1].path);

		separate(w, i);
		put_number(w, string_of(w, span_base(path)));
	}
	put(w, "],\"type\":[");
	for (size_t i = 0; i < nr; i++) {
		separate(w, i);
		put_number(w, RESOURCE_LIBRARY);
	}
	put(w, "]");
	put_column(w, "host", "null", nr);
	put(w, "},\n\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],"
	       "\"functionSize\":[]},\n");
}

static void write_libs(struct firefox *w)
{
	put(w, "\"libs\":[");
	for (size_t i = 1; i < w->p->nr_module; i++) {
		struct span path = profile_peek(w->p, w->p->module[i].path);

		put(w, i > 1 ? ",\n{\"name\":" : "\n{\"name\":");
		json_out_string(&w->json, span_base(path));
		put(w, ",\"path\":");
		json_out_string(&w->json, path);
		put(w, ",\"debugName\":");
		json_out_string(&w->json, span_base(path));
		put(w, ",\"debugPath\":");
		json_out_string(&w->json, path);
		put(w, ",\"breakpadId\":\"\",\"arch\":\"\",\"codeId\":");
		json_out_string(&w->json, profile_peek(w->p, w->p->module[i].build_id));
		put(w, "}");
	}
	put(w, "],\n");
}

/*
 * A stack has a row for each call of its frame, the outermost first; callers have smaller numbers.
 */
static void write_stacks(struct firefox *w)
{
	uint32_t nr = 0;

	w->last_stack = xcalloc(w->p->nr_stack, sizeof(*w->last_stack));
	put(w, "\"stackTable\":{\"frame\":[");
	for (size_t i = 1; i < w->p->nr_stack; i++) {
		uint32_t f = w->p->stack[i].frame.i;

		for (size_t line = nr_lines(&w->p->frame[f]); line-- > 0;) {
			separate(w, nr++);
			put_number(w, w->first_frame[f] + line);
		}
		w->last_stack[i] = nr - 1;
	}
	put(w, "],\n\"prefix\":[");
	nr = 0;
	for (size_t i = 1; i < w->p->nr_stack; i++) {
		uint32_t caller = w->p->stack[i].caller.i;

		separate(w, nr);
		if (caller)
			put_number(w, w->last_stack[caller]);
		else
			put(w, "null");
		while (nr++ < w->last_stack[i]) {
			put(w, ",");
			put_number(w, nr - 1);
		}
	}
	put(w, "],\"length\":");
	put_number(w, nr);
	put(w, "},\n");
}

/* Threads */

static void put_stack(struct firefox *w, stack_id stack)
{
	if (stack.i)
		put_number(w, w->last_stack[stack.i]);
	else
		put(w, "null");
}

/* The weight types of the Firefox Profiler; other units are plain numbers ("samples"). */
static const char *weight_type(const struct firefox *w, uint32_t event)
{
	struct span unit = write_unit(w->p, event);

	return span_is(unit, "nanoseconds") ? "tracing-ms"
	       : span_is(unit, "bytes")	    ? "bytes"
					    : "samples";
}

static void put_weight(struct firefox *w, uint32_t event, int64_t weight)
{
	bool is_time = span_is(write_unit(w->p, event), "nanoseconds");

	json_out_decimal(&w->json, write_whole(w->p, event, weight), is_time ? 6 : 0);
}

static void put_duration(struct firefox *w, struct write_sample s, size_t i)
{
	separate(w, i);
	if (s.end == INTERVAL_OPEN)
		put(w, "null");
	else
		json_out_decimal(&w->json, (int64_t)(s.end - s.time), 6);
}

/* Samples without times are 1 ms apart: with one time for all, the timeline would be empty. */
static void write_samples(struct firefox *w, const struct write_run *r, const uint32_t *row)
{
	size_t nr = r->end - r->begin;

	put(w, "\"samples\":{\"length\":");
	put_number(w, nr);
	put(w, ",\"stack\":[");
	for (size_t i = 0; i < nr; i++) {
		separate(w, i);
		put_stack(w, write_sample_at(w->p, r->table, row[r->begin + i]).stack);
	}
	put(w, "],\n\"time\":[");
	for (size_t i = 0; i < nr; i++) {
		struct write_sample s = write_sample_at(w->p, r->table, row[r->begin + i]);

		separate(w, i);
		if (r->table == WRITE_COUNTS)
			put_number(w, i);
		else
			put_time(w, s.time);
	}
	/* For wick's reader: the Firefox Profiler shows intervals by their markers. */
	if (r->table == WRITE_INTERVALS && w->p->event[r->event].extent != EXTENT_WHOLE) {
		put(w, "],\n\"duration\":[");
		for (size_t i = 0; i < nr; i++)
			put_duration(w, write_sample_at(w->p, r->table, row[r->begin + i]), i);
	}
	put(w, "],\n\"weight\":[");
	for (size_t i = 0; i < nr; i++) {
		separate(w, i);
		put_weight(w, r->event, write_sample_at(w->p, r->table, row[r->begin + i]).weight);
	}
	put(w, "],\"weightType\":\"");
	put(w, weight_type(w, r->event));
	put(w, "\"}");
}

/* Is the interval an activity of its thread?  Allocations outlive it. */
static bool is_marker(const struct firefox *w, const struct interval *v)
{
	return w->p->event[v->event].extent != EXTENT_WHOLE && v->end != INTERVAL_OPEN;
}

static void put_marker_data(struct firefox *w, const struct interval *v)
{
	const struct label_set *set = &w->p->labels[v->labels.i];
	struct strbuf labels = { 0 };

	strbuf_reset(&w->text);
	if (v->stack.i)
		spelling_frame(&w->text, w->p, w->p->stack[v->stack.i].frame, 0, w->spelling);
	put(w, "{\"type\":\"interval\",\"function\":");
	json_out_string(&w->json, strbuf_peek(&w->text));
	for (size_t i = 0; i < set->nr; i++) {
		strbuf_add(&labels, i ? SPAN(", ") : SPAN(""));
		strbuf_add(&labels, profile_peek(w->p, set->label[i].key));
		strbuf_addch(&labels, '=');
		strbuf_add(&labels, profile_peek(w->p, set->label[i].value));
	}
	if (labels.size) {
		put(w, ",\"labels\":");
		json_out_string(&w->json, strbuf_peek(&labels));
	}
	strbuf_release(&labels);
	put(w, ",\"cause\":{\"time\":");
	put_time(w, v->begin);
	put(w, ",\"stack\":");
	put_stack(w, v->stack);
	put(w, "}}");
}

/* The intervals of a thread, by their numbers. */
struct markers {
	uint32_t *row;
	size_t nr, cap;
};

static void write_markers(struct firefox *w, const struct write_run *r, const struct markers *m)
{
	put(w, ",\n\"markers\":{\"length\":");
	put_number(w, m->nr);
	put(w, ",\"startTime\":[");
	for (size_t i = 0; i < m->nr; i++) {
		separate(w, i);
		put_time(w, w->p->interval[m->row[i]].begin);
	}
	put(w, "],\"endTime\":[");
	for (size_t i = 0; i < m->nr; i++) {
		separate(w, i);
		put_time(w, w->p->interval[m->row[i]].end);
	}
	put(w, "],\"name\":[");
	for (size_t i = 0; i < m->nr; i++) {
		separate(w, i);
		put_number(w, string_of(w, profile_peek(w->p, w->p->event[r->event].name)));
	}
	put(w, "],\"phase\":[");
	for (size_t i = 0; i < m->nr; i++) {
		separate(w, i);
		put_number(w, PHASE_INTERVAL);
	}
	put(w, "],\"data\":[");
	for (size_t i = 0; i < m->nr; i++) {
		separate(w, i);
		put_marker_data(w, &w->p->interval[m->row[i]]);
	}
	put(w, "]");
	put_column(w, "category", "0", m->nr);
	put(w, "}");
}

/* IDs are strings; an unknown one is "0". */
static void put_id(struct firefox *w, const char *name, uint32_t id)
{
	put(w, name);
	put(w, "\"");
	put_number(w, id == THREAD_UNKNOWN ? 0 : id);
	put(w, "\"");
}

static void write_thread(struct firefox *w, const struct write_run *r, const uint32_t *row,
			 const struct markers *m, bool first)
{
	const struct thread *t = &w->p->thread[r->thread.i];
	const struct event *event = &w->p->event[r->event];
	struct span comm = profile_peek(w->p, t->comm), name = profile_peek(w->p, event->name);

	put(w, "{\"name\":");
	json_out_string(&w->json, comm);
	put(w, ",\"event\":");
	json_out_string(&w->json, name);
	put(w, ",\"unit\":");
	json_out_string(&w->json, span_is(write_unit(w->p, r->event), "nanoseconds")
					  ? SPAN("ns")
					  : profile_peek(w->p, event->unit));
	put(w, event->source == SOURCE_MEASURED ? ",\"source\":\"measured\""
						: ",\"source\":\"sampled\"");
	if (event->extent == EXTENT_SELF)
		put(w, ",\"spans\":true");
	/*
	 * The samples are sums per stack: from the period, wick's reader computes the number of
	 * samples.
	 */
	if (r->table == WRITE_COUNTS && write_period(w->p, r->event)) {
		put(w, ",\"period\":");
		put_number(w, write_period(w->p, r->event));
	}
	put(w, ",\"processName\":");
	json_out_string(&w->json, first ? comm : name);
	put_id(w, ",\"pid\":", t->pid);
	put_id(w, ",\"tid\":", t->tid);
	put(w, ",\"isMainThread\":");
	put(w, t->pid == t->tid ? "true" : "false");
	put(w, ",\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,"
	       "\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\n");
	write_samples(w, r, row);
	write_markers(w, r, m);
	put(w, "}");
}

static void write_threads(struct firefox *w, const struct write_order *o)
{
	const struct profile *p = w->p;
	struct markers *m = xcalloc(o->nr_run + 1, sizeof(*m));
	struct intern runs = { 0 }; /* event and thread, in the order of runs */

	for (size_t i = 0; i < o->nr_run; i++) {
		uint32_t key[] = { o->run[i].event, o->run[i].thread.i };

		intern(&runs, (struct span){ .at = (const char *)key, .size = sizeof(key) });
	}
	for (uint32_t i = 0; i < p->nr_interval; i++) {
		uint32_t key[] = { p->interval[i].event, p->interval[i].thread.i };
		uint32_t at;

		if (!is_marker(w, &p->interval[i]))
			continue;
		/* An event that is not written has no run. */
		at = intern(&runs, (struct span){ .at = (const char *)key, .size = sizeof(key) });
		if (at >= o->nr_run)
			continue;
		GROW(m[at].row, m[at].nr, m[at].cap);
		m[at].row[m[at].nr++] = i;
	}
	put(w, "\"threads\":[");
	for (size_t i = 0; i < o->nr_run; i++) {
		put(w, i ? ",\n" : "\n");
		write_thread(w, &o->run[i], o->row, &m[i], o->run[i].event == o->run[0].event);
		free(m[i].row);
	}
	put(w, "],\n");
	free(m);
	intern_release(&runs);
}

/* The points of a counter are differences to the previous point. */
static void write_counter(struct firefox *w, const struct series *s, uint32_t pid)
{
	struct span unit = profile_peek(w->p, s->unit);
	int64_t before = 0;

	put(w, "{\"name\":");
	json_out_string(&w->json, profile_peek(w->p, s->name));
	put(w, ",\"category\":");
	put(w, span_is(unit, "bytes") ? "\"Memory\"" : "\"Other\"");
	put(w, ",\"description\":");
	json_out_string(&w->json, profile_peek(w->p, s->scope));
	put(w, ",\"unit\":");
	json_out_string(&w->json, unit);
	put_id(w, ",\"pid\":", pid);
	put(w, ",\"mainThreadIndex\":0,\"samples\":{\"length\":");
	put_number(w, s->nr);
	put(w, ",\"time\":[");
	for (size_t i = 0; i < s->nr; i++) {
		separate(w, i);
		put_time(w, s->point[i].time);
	}
	put(w, "],\"count\":[");
	for (size_t i = 0; i < s->nr; i++) {
		int64_t change = (int64_t)((uint64_t)s->point[i].value - (uint64_t)before);

		separate(w, i);
		json_out_decimal(&w->json, change, (unsigned)-s->scale);
		before = s->point[i].value;
	}
	put(w, "]}}");
}

static void write_counters(struct firefox *w, const struct write_order *o)
{
	uint32_t pid = o->nr_run ? w->p->thread[o->run[0].thread.i].pid : THREAD_UNKNOWN;

	put(w, "\"counters\":[");
	for (size_t i = 0; i < w->p->nr_series; i++) {
		put(w, i ? ",\n" : "\n");
		write_counter(w, &w->p->series[i], pid);
	}
	put(w, "],\n");
}

static void write_strings(struct firefox *w)
{
	put(w, "\"stringArray\":[");
	for (uint32_t i = 0; i < w->strings.nr; i++) {
		put(w, i ? ",\n" : "\n");
		json_out_string(&w->json, intern_peek(&w->strings, i));
	}
	put(w, "]");
}

/* The whole file */

static void put_info(struct firefox *w, const char *key, struct span value, bool *first)
{
	put(w, *first ? "{\"label\":" : ",{\"label\":");
	json_out_string(&w->json, span_of(key));
	put(w, ",\"format\":\"string\",\"value\":");
	json_out_string(&w->json, value);
	put(w, "}");
	*first = false;
}

/*
 * Facts about the profile: the Firefox Profiler shows the command, and the others in an extra
 * section.
 */
static void write_facts(struct firefox *w)
{
	time_t captured = 0, when;
	bool first = true;

	put(w, ",\"extra\":[{\"label\":\"wick\",\"entries\":[");
	for (size_t i = 0; i < w->p->nr_info; i++) {
		struct span key = profile_peek(w->p, w->p->info[i].key);
		struct span value = profile_peek(w->p, w->p->info[i].value);

		if (span_is(key, "captured") && date_parse(value, &when) && when > 0)
			captured = when;
		put_info(w, key.at, value, &first);
	}
	put(w, "]}]");
	for (size_t i = 0; i < w->p->nr_info; i++)
		if (span_is(profile_peek(w->p, w->p->info[i].key), "command")) {
			put(w, ",\"arguments\":");
			json_out_string(&w->json, profile_peek(w->p, w->p->info[i].value));
			break;
		}
	put(w, ",\"startTime\":");
	put_number(w, captured > 0 ? (uint64_t)captured * 1000 : 0);
}

/*
 * Selects the thread with the largest sum of the shown event: by default, the profiler may open one
 * of another event.
 */
static size_t find_selected(const struct firefox *w, const struct write_order *o)
{
	int64_t most = -1;
	size_t selected = 0;

	for (size_t i = 0; i < o->nr_run && o->run[i].event == o->run[0].event; i++) {
		const struct write_run *r = &o->run[i];
		int64_t sum = 0;

		for (size_t k = r->begin; k < r->end; k++)
			write_add(&sum, write_sample_at(w->p, r->table, o->row[k]).weight);
		if (sum > most) {
			most = sum;
			selected = i;
		}
	}
	return selected;
}

static void write_meta(struct firefox *w, const struct write_order *o)
{
	put(w, "{\"meta\":{\"preprocessedProfileVersion\":");
	put_number(w, VERSION);
	put(w, ",\"version\":");
	put_number(w, GECKO_VERSION);
	put(w, ",\"interval\":1,\"processType\":0,\"product\":\"wick\",\"importedFrom\":\"wick\","
	       "\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,\"extensions\":"
	       "{\"baseURL\":[],\"id\":[],\"length\":0,\"name\":[]},\"categories\":[");
	put(w, categories);
	put(w, "],\"markerSchema\":[");
	put(w, marker_schema);
	put(w, "]");
	if (o->nr_run) {
		put(w, ",\"initialSelectedThreads\":[");
		put_number(w, find_selected(w, o));
		put(w, "]");
	}
	write_facts(w);
	put(w, "},\n");
}

static void find_begin(struct firefox *w)
{
	const struct profile *p = w->p;

	w->begin = UINT64_MAX;
	for (size_t i = 0; i < p->nr_tick; i++)
		if (profile_ticks_timed(p, p->tick[i].event) && p->tick[i].time < w->begin)
			w->begin = p->tick[i].time;
	for (size_t i = 0; i < p->nr_interval; i++)
		w->begin = p->interval[i].begin < w->begin ? p->interval[i].begin : w->begin;
	for (size_t i = 0; i < p->nr_series; i++)
		if (p->series[i].nr && p->series[i].point[0].time < w->begin)
			w->begin = p->series[i].point[0].time;
}

int firefox_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct firefox w = { .json = { .out = out },
			     .p = what->p,
			     .spelling = (what->spelling &
					  ~(unsigned)(SPELL_AROUND | SPELL_KERNEL | SPELL_JIT)) |
					 SPELL_UTF8 };
	bool *in = write_events(what);
	struct write_order order;

	(void)e;
	intern(&w.strings, SPAN(""));
	find_begin(&w);
	write_order_make(&order, what, in, true);
	write_meta(&w, &order);
	write_libs(&w);
	make_frames(&w);
	put(&w, "\"shared\":{");
	write_stacks(&w);
	write_frames(&w);
	write_funcs(&w);
	write_resources(&w);
	/* Markers are named after events. */
	for (uint32_t i = 0; i < w.p->nr_event; i++)
		string_of(&w, profile_peek(w.p, w.p->event[i].name));
	write_strings(&w);
	put(&w, "},\n");
	write_counters(&w, &order);
	write_threads(&w, &order);
	put(&w, "\"pages\":[]}\n");
	write_order_release(&order);
	free(in);
	free(w.frame);
	free(w.first_frame);
	free(w.last_stack);
	intern_release(&w.strings);
	intern_release(&w.funcs);
	intern_release(&w.sources);
	strbuf_release(&w.text);
	strbuf_release(&w.json.text);
	return 0;
}
