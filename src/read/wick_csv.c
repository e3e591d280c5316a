/*
 * wick's own CSV, a row for each sample or stack:
 *
 *	event,unit,weight,samples,time,end,thread,pid,tid,labels,source,stack
 *	cycles,,100,1,1000000000,,app,10,11,cpu=3,sampled,main;leaf
 *
 * Columns may come in any order; only weight and stack are required.
 */
#include "base/alloc.h"
#include "base/csv.h"
#include "base/decimal.h"
#include "profile/spelling.h"
#include "read/build.h"
#include "read/readers.h"

#include <stdlib.h>

enum column {
	COLUMN_EVENT,
	COLUMN_UNIT,
	COLUMN_SOURCE,
	COLUMN_WEIGHT,
	COLUMN_SAMPLES,
	COLUMN_TIME,
	COLUMN_END,
	COLUMN_THREAD,
	COLUMN_PID,
	COLUMN_TID,
	COLUMN_LABELS,
	COLUMN_STACK,
	NR_COLUMNS,
};

static const char *const columns[NR_COLUMNS] = {
	[COLUMN_EVENT] = "event",     [COLUMN_UNIT] = "unit",	[COLUMN_WEIGHT] = "weight",
	[COLUMN_SAMPLES] = "samples", [COLUMN_TIME] = "time",	[COLUMN_END] = "end",
	[COLUMN_THREAD] = "thread",   [COLUMN_PID] = "pid",	[COLUMN_TID] = "tid",
	[COLUMN_LABELS] = "labels",   [COLUMN_STACK] = "stack", [COLUMN_SOURCE] = "source",
};

struct wick_csv {
	struct build *b;
	struct csv csv;
	size_t at[NR_COLUMNS]; /* the field of a column; csv.nr of the header: there is none */
	size_t nr_field;
	struct label *label;
	size_t nr_label, cap_label;
};

static struct span cell(const struct wick_csv *w, enum column c)
{
	return w->at[c] < w->nr_field ? w->csv.field[w->at[c]].text : SPAN("");
}

static bool read_header(struct csv *csv, struct span line, size_t at[NR_COLUMNS])
{
	csv_parse(csv, line);
	for (size_t c = 0; c < NR_COLUMNS; c++)
		at[c] = csv_find(csv, columns[c]);
	return at[COLUMN_WEIGHT] < csv->nr && at[COLUMN_STACK] < csv->nr;
}

/* cpu=3;cgroup=/a */
static label_id read_labels(struct wick_csv *w)
{
	struct span rest = cell(w, COLUMN_LABELS);

	w->nr_label = 0;
	while (rest.size) {
		struct span one = span_upto(rest, span_find(rest, ';'));
		size_t equal = span_find(one, '=');

		rest = span_from(rest, one.size + 1);
		GROW(w->label, w->nr_label, w->cap_label);
		w->label[w->nr_label++] = (struct label){
			.key = profile_string(w->b->p, span_upto(one, equal)),
			.value = profile_string(w->b->p, span_from(one, equal + 1)),
		};
	}
	return profile_labels(w->b->p, w->label, w->nr_label);
}

static uint32_t read_id(struct span s)
{
	uint64_t id;

	return span_u64(s, &id) && id < THREAD_UNKNOWN ? (uint32_t)id : THREAD_UNKNOWN;
}

static thread_id read_thread(struct wick_csv *w)
{
	struct thread t = { .pid = read_id(cell(w, COLUMN_PID)),
			    .tid = read_id(cell(w, COLUMN_TID)) };

	if (!cell(w, COLUMN_THREAD).size && t.pid == THREAD_UNKNOWN && t.tid == THREAD_UNKNOWN)
		return (thread_id){ 0 };
	t.comm = profile_string(w->b->p, cell(w, COLUMN_THREAD));
	return profile_thread(w->b->p, &t);
}

static void push_stack(struct wick_csv *w)
{
	struct span rest = cell(w, COLUMN_STACK);

	for (bool more = rest.size; more;) {
		struct span name = span_upto(rest, span_find(rest, ';'));
		struct frame frame = { .kind = FRAME_USER };
		struct line line;

		more = name.size < rest.size;
		rest = span_from(rest, name.size + 1);
		line = (struct line){ .function = profile_string(w->b->p,
								 spelling_unmark(name, &frame)) };
		frame.line = &line;
		frame.nr_line = 1;
		build_push(w->b, profile_frame(w->b->p, &frame));
	}
}

static int read_row(struct wick_csv *w, struct span line, struct error *e)
{
	struct build *b = w->b;
	struct span event;
	struct decimal d;
	uint64_t nr = 1, time, end;
	int64_t weight;
	stack_id stack;

	csv_parse(&w->csv, line);
	event = cell(w, COLUMN_EVENT);
	if (w->csv.nr < w->nr_field || w->csv.unclosed)
		return build_note(b, NOTE_BAD_LINE, line, e);
	b->event = profile_event(b->p, event.size ? event : SPAN("samples"), cell(w, COLUMN_UNIT));
	if (span_is(cell(w, COLUMN_SOURCE), "measured"))
		b->p->event[b->event].source = SOURCE_MEASURED;
	if (!decimal_parse(cell(w, COLUMN_WEIGHT), &d) || !build_decimal(b, d, &weight) ||
	    (cell(w, COLUMN_SAMPLES).size && !span_u64(cell(w, COLUMN_SAMPLES), &nr)))
		return build_note(b, NOTE_BAD_COUNT, line, e);
	b->thread = read_thread(w);
	b->labels = read_labels(w);
	push_stack(w);
	if (build_stack(b, ROOT_FIRST, &stack, e))
		return -1;
	if (!cell(w, COLUMN_TIME).size)
		return build_add(b, stack, weight, nr, e);
	if (!span_u64(cell(w, COLUMN_TIME), &time))
		return build_note(b, NOTE_BAD_LINE, line, e);
	if (build_add_at(b, stack, weight, nr, time, e))
		return -1;
	if (span_u64(cell(w, COLUMN_END), &end)) {
		if (!cell(w, COLUMN_SOURCE).size)
			build_measure(b, SOURCE_MEASURED, EXTENT_SHARE);
		build_extent(b, stack, time, end, weight);
	}
	return 0;
}

static int wick_csv_read(struct build *b, struct error *e)
{
	struct wick_csv w = { .b = b };
	struct span line;
	int ret = 0;

	if (!text_line(b->text, &line) || !read_header(&w.csv, line, w.at))
		ret = build_note(b, NOTE_BAD_HEADER, SPAN(""), e);
	else
		w.nr_field = w.csv.nr;
	while (!ret && w.nr_field && text_line(b->text, &line))
		if (line.size)
			ret = read_row(&w, line, e);
	csv_release(&w.csv);
	free(w.label);
	return ret;
}

static bool wick_csv_accepts(struct span head)
{
	struct csv csv = { 0 };
	size_t at[NR_COLUMNS];
	bool yes = read_header(&csv, span_trim(span_upto(head, span_find(head, '\n'))), at) &&
		   at[COLUMN_EVENT] < csv.nr && at[COLUMN_SAMPLES] < csv.nr;

	csv_release(&csv);
	return yes;
}

const struct reader reader_wick_csv = {
	.name = "wick-csv",
	.title = "wick's own CSV",
	.accepts = wick_csv_accepts,
	.read = wick_csv_read,
	.split = SPLIT_LINE,
	.timed = true,
	.spelling = SPELL_THREAD | SPELL_MARKS,
};
