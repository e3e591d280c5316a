/*
 * A Perfetto trace, for ui.perfetto.dev and trace_processor: a sequence of packets.
 *
 * Samples are perf samples with interned call stacks: a packet defines a stack before its first
 * use.  Each event has its own packet sequence, as a sequence has one time base.  Intervals are
 * slices on tracks of their threads, and series are counters.
 *
 * Perfetto counts samples; their weights are in the running count of the time base.
 */
#include "base/alloc.h"
#include "profile/spelling.h"
#include "write/protobuf.h"
#include "write/writer.h"

#include <stdlib.h>

/* Field numbers of the messages in Perfetto's .proto files */
enum {
	TRACE_PACKET = 1,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK_DESCRIPTOR = 60,
	PACKET_PERF_SAMPLE = 66,
	DEFAULTS_PERF_SAMPLE = 12,
	PERF_DEFAULTS_TIMEBASE = 1,
	TIMEBASE_PERIOD = 1,
	TIMEBASE_NAME = 10,
	INTERNED_FUNCTION_NAMES = 5,
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_BUILD_IDS = 16,
	INTERNED_MAPPING_PATHS = 17,
	INTERNED_SOURCE_PATHS = 18,
	INTERNED_MAPPINGS = 19,
	STRING_IID = 1,
	STRING_STR = 2,
	MAPPING_IID = 1,
	MAPPING_BUILD_ID = 2,
	MAPPING_END = 5,
	MAPPING_PATH = 7,
	FRAME_IID = 1,
	FRAME_FUNCTION_NAME = 2,
	FRAME_MAPPING = 3,
	FRAME_REL_PC = 4,
	FRAME_SOURCE_PATH = 5,
	FRAME_LINE_NUMBER = 6,
	CALLSTACK_IID = 1,
	CALLSTACK_FRAMES = 2,
	PERF_CPU = 1,
	PERF_PID = 2,
	PERF_TID = 3,
	PERF_CALLSTACK = 4,
	PERF_TIMEBASE_COUNT = 6,
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
	COUNTER_UNIT = 3,
	COUNTER_UNIT_NAME = 6,
	EVENT_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORIES = 22,
	EVENT_NAME = 23,
	EVENT_COUNTER_VALUE = 30,
	EVENT_DOUBLE_COUNTER_VALUE = 44,
	ANNOTATION_STRING = 6,
	ANNOTATION_NAME = 10,
};

enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };		    /* sequence_flags */
enum { SLICE_BEGIN = 1, SLICE_END = 2, COUNTER_POINT = 4 }; /* TrackEvent.Type */
enum { UNIT_TIME_NS = 1, UNIT_COUNT = 2, UNIT_BYTES = 3 };  /* CounterDescriptor.Unit */

/* The sequence of all tracks.  A thread's track has the thread's number; other tracks follow. */
enum { TRACK_SEQUENCE = 1 };

struct perfetto {
	struct output *out;
	const struct profile *p;
	unsigned spelling;
	uint32_t *first;	      /* by frame: the number of its innermost call */
	uint64_t *end;		      /* by module: the end of its addresses */
	bool *module, *frame, *stack; /* by number: is it interned in this sequence? */
	uint64_t sequence, next_track;
	struct strbuf packet, message, part, text, interned;
};

/* Packets */

static void end_packet(struct perfetto *w)
{
	struct strbuf head = { 0 };

	protobuf_head(&head, TRACE_PACKET, w->packet.size);
	output_add(w->out, strbuf_peek(&head));
	output_add(w->out, strbuf_peek(&w->packet));
	strbuf_release(&head);
	strbuf_reset(&w->packet);
}

static void add_text(struct strbuf *to, unsigned field, struct span s)
{
	struct strbuf text = { 0 };

	spelling_utf8(&text, s);
	protobuf_bytes(to, field, strbuf_peek(&text));
	strbuf_release(&text);
}

/* Call stacks */

static void intern_string(struct perfetto *w, unsigned field, uint64_t iid, struct span s)
{
	strbuf_reset(&w->part);
	protobuf_number(&w->part, STRING_IID, iid);
	add_text(&w->part, STRING_STR, s);
	protobuf_bytes(&w->interned, field, strbuf_peek(&w->part));
}

/* Perfetto wants the bytes of a build ID, which the profile has as hexadecimal digits. */
static void intern_build_id(struct perfetto *w, uint32_t module, struct span digits)
{
	uint64_t byte;

	strbuf_reset(&w->text);
	for (size_t i = 0; i + 1 < digits.size; i += 2)
		if (span_hex(span_upto(span_from(digits, i), 2), &byte))
			strbuf_addch(&w->text, (char)byte);
	strbuf_reset(&w->part);
	protobuf_number(&w->part, STRING_IID, module);
	protobuf_bytes(&w->part, STRING_STR, strbuf_peek(&w->text));
	protobuf_bytes(&w->interned, INTERNED_BUILD_IDS, strbuf_peek(&w->part));
}

static void intern_module(struct perfetto *w, uint32_t module)
{
	struct span build_id = profile_peek(w->p, w->p->module[module].build_id);

	if (!module || w->module[module])
		return;
	w->module[module] = true;
	intern_string(w, INTERNED_MAPPING_PATHS, module,
		      profile_peek(w->p, w->p->module[module].path));
	if (build_id.size)
		intern_build_id(w, module, build_id);
	strbuf_reset(&w->part);
	protobuf_number(&w->part, MAPPING_IID, module);
	protobuf_number(&w->part, MAPPING_BUILD_ID, build_id.size ? module : 0);
	protobuf_number(&w->part, MAPPING_END, w->end[module]);
	protobuf_number(&w->part, MAPPING_PATH, module);
	protobuf_bytes(&w->interned, INTERNED_MAPPINGS, strbuf_peek(&w->part));
}

static size_t nr_lines(const struct frame *f)
{
	return f->nr_line ? f->nr_line : 1;
}

/* A call has one number, used for its frame, its function name and its source path. */
static void intern_call(struct perfetto *w, frame_id id, size_t line)
{
	const struct frame *f = &w->p->frame[id.i];
	const struct line *l = line < f->nr_line ? &f->line[line] : NULL;
	uint64_t iid = w->first[id.i] + line;

	strbuf_reset(&w->text);
	spelling_frame(&w->text, w->p, id, line, w->spelling);
	intern_string(w, INTERNED_FUNCTION_NAMES, iid, strbuf_peek(&w->text));
	if (l && l->file.i)
		intern_string(w, INTERNED_SOURCE_PATHS, iid, profile_peek(w->p, l->file));
	strbuf_reset(&w->part);
	protobuf_number(&w->part, FRAME_IID, iid);
	protobuf_number(&w->part, FRAME_FUNCTION_NAME, iid);
	protobuf_number(&w->part, FRAME_MAPPING, f->module.i);
	if (f->module.i)
		protobuf_present(&w->part, FRAME_REL_PC, f->address);
	if (l && l->file.i)
		protobuf_number(&w->part, FRAME_SOURCE_PATH, iid);
	if (l)
		protobuf_number(&w->part, FRAME_LINE_NUMBER, l->line);
	protobuf_bytes(&w->interned, INTERNED_FRAMES, strbuf_peek(&w->part));
}

static void intern_frame(struct perfetto *w, frame_id id)
{
	if (w->frame[id.i])
		return;
	w->frame[id.i] = true;
	intern_module(w, w->p->frame[id.i].module.i);
	for (size_t line = 0; line < nr_lines(&w->p->frame[id.i]); line++)
		intern_call(w, id, line);
}

/* Frames of a call stack go from the root to the leaf. */
static void intern_stack(struct perfetto *w, stack_id stack)
{
	stack_id *path = NULL;
	size_t nr = 0, cap = 0;

	if (!stack.i || w->stack[stack.i])
		return;
	w->stack[stack.i] = true;
	for (stack_id s = stack; s.i; s = w->p->stack[s.i].caller) {
		GROW(path, nr, cap);
		path[nr++] = s;
		intern_frame(w, w->p->stack[s.i].frame);
	}
	strbuf_reset(&w->part);
	protobuf_number(&w->part, CALLSTACK_IID, stack.i);
	while (nr-- > 0) {
		frame_id f = w->p->stack[path[nr].i].frame;

		for (size_t line = nr_lines(&w->p->frame[f.i]); line-- > 0;)
			protobuf_number(&w->part, CALLSTACK_FRAMES, w->first[f.i] + line);
	}
	protobuf_bytes(&w->interned, INTERNED_CALLSTACKS, strbuf_peek(&w->part));
	free(path);
}

/* Samples */

static void add_cpu(struct perfetto *w, label_id labels)
{
	const struct label_set *set = &w->p->labels[labels.i];
	uint64_t cpu;

	for (size_t i = 0; i < set->nr; i++)
		if (span_is(profile_peek(w->p, set->label[i].key), "cpu") &&
		    span_u64(profile_peek(w->p, set->label[i].value), &cpu))
			protobuf_present(&w->message, PERF_CPU, cpu);
}

static void write_sample(struct perfetto *w, const struct write_run *r,
			 const struct write_sample *s, int64_t sum)
{
	const struct thread *t = &w->p->thread[r->thread.i];

	strbuf_reset(&w->interned);
	intern_stack(w, s->stack);
	strbuf_reset(&w->message);
	add_cpu(w, s->labels);
	protobuf_present(&w->message, PERF_PID, t->pid == THREAD_UNKNOWN ? 0 : t->pid);
	protobuf_present(&w->message, PERF_TID, t->tid == THREAD_UNKNOWN ? 0 : t->tid);
	protobuf_number(&w->message, PERF_CALLSTACK, s->stack.i);
	protobuf_number(&w->message, PERF_TIMEBASE_COUNT, (uint64_t)sum);
	protobuf_number(&w->packet, PACKET_TIMESTAMP, s->time);
	protobuf_number(&w->packet, PACKET_SEQUENCE_ID, w->sequence);
	protobuf_number(&w->packet, PACKET_SEQUENCE_FLAGS, NEEDS_STATE);
	if (w->interned.size)
		protobuf_bytes(&w->packet, PACKET_INTERNED_DATA, strbuf_peek(&w->interned));
	protobuf_bytes(&w->packet, PACKET_PERF_SAMPLE, strbuf_peek(&w->message));
	end_packet(w);
}

/* The first packet of the samples of an event. */
static void begin_sequence(struct perfetto *w, uint32_t event)
{
	int64_t period = (int64_t)w->p->event[event].period;

	w->sequence++;
	memset(w->module, 0, w->p->nr_module * sizeof(*w->module));
	memset(w->frame, 0, w->p->nr_frame * sizeof(*w->frame));
	memset(w->stack, 0, w->p->nr_stack * sizeof(*w->stack));
	strbuf_reset(&w->part);
	if (period > 0)
		protobuf_number(&w->part, TIMEBASE_PERIOD,
				(uint64_t)write_whole(w->p, event, period));
	add_text(&w->part, TIMEBASE_NAME, profile_peek(w->p, w->p->event[event].name));
	strbuf_reset(&w->message);
	protobuf_bytes(&w->message, PERF_DEFAULTS_TIMEBASE, strbuf_peek(&w->part));
	strbuf_reset(&w->part);
	protobuf_bytes(&w->part, DEFAULTS_PERF_SAMPLE, strbuf_peek(&w->message));
	protobuf_number(&w->packet, PACKET_SEQUENCE_ID, w->sequence);
	protobuf_number(&w->packet, PACKET_SEQUENCE_FLAGS, STATE_CLEARED);
	protobuf_bytes(&w->packet, PACKET_DEFAULTS, strbuf_peek(&w->part));
	end_packet(w);
}

/* Are these intervals slices of their thread?  Allocations are not, as they outlive it. */
static bool is_slices(const struct perfetto *w, const struct write_run *r)
{
	return r->table == WRITE_INTERVALS && w->p->event[r->event].extent != EXTENT_WHOLE;
}

static bool write_samples(struct perfetto *w, const struct write_order *o)
{
	uint32_t event = UINT32_MAX;
	int64_t sum = 0;

	for (size_t i = 0; i < o->nr_run; i++) {
		const struct write_run *r = &o->run[i];

		if (r->table == WRITE_COUNTS || is_slices(w, r))
			continue;
		if (r->event != event) {
			begin_sequence(w, r->event);
			sum = 0;
		}
		event = r->event;
		for (size_t k = r->begin; k < r->end; k++) {
			struct write_sample s = write_sample_at(w->p, r->table, o->row[k]);

			write_add(&sum, write_whole(w->p, r->event, s.weight));
			write_sample(w, r, &s, sum);
		}
	}
	return event != UINT32_MAX;
}

/* Tracks */

static void end_track(struct perfetto *w)
{
	protobuf_number(&w->packet, PACKET_SEQUENCE_ID, TRACK_SEQUENCE);
	protobuf_bytes(&w->packet, PACKET_TRACK_DESCRIPTOR, strbuf_peek(&w->message));
	end_packet(w);
}

static void write_threads(struct perfetto *w)
{
	for (uint32_t i = 1; i < w->p->nr_thread; i++) {
		const struct thread *t = &w->p->thread[i];
		struct span comm = profile_peek(w->p, t->comm);
		uint32_t pid = t->pid == THREAD_UNKNOWN ? 0 : t->pid;

		strbuf_reset(&w->part);
		protobuf_present(&w->part, THREAD_PID, pid);
		protobuf_present(&w->part, THREAD_TID, t->tid == THREAD_UNKNOWN ? 0 : t->tid);
		add_text(&w->part, THREAD_NAME, comm);
		strbuf_reset(&w->message);
		protobuf_number(&w->message, TRACK_UUID, i);
		protobuf_bytes(&w->message, TRACK_THREAD, strbuf_peek(&w->part));
		end_track(w);
		/*
		 * A process is named after its main thread.  A track is either a process or a
		 * thread.
		 */
		if (t->pid == t->tid && t->pid != THREAD_UNKNOWN) {
			strbuf_reset(&w->part);
			protobuf_present(&w->part, PROCESS_PID, pid);
			add_text(&w->part, PROCESS_NAME, comm);
			strbuf_reset(&w->message);
			protobuf_number(&w->message, TRACK_UUID, w->next_track++);
			protobuf_bytes(&w->message, TRACK_PROCESS, strbuf_peek(&w->part));
			end_track(w);
		}
	}
}

/* Intervals as slices */

struct lane {
	uint64_t track;
	uint64_t *end; /* ends of the open slices, the innermost last */
	size_t nr, cap;
};

static void put_event(struct perfetto *w, uint64_t time)
{
	protobuf_present(&w->packet, PACKET_TIMESTAMP, time);
	protobuf_number(&w->packet, PACKET_SEQUENCE_ID, TRACK_SEQUENCE);
	protobuf_bytes(&w->packet, PACKET_TRACK_EVENT, strbuf_peek(&w->message));
	end_packet(w);
}

static void end_slices(struct perfetto *w, struct lane *lane, uint64_t until)
{
	while (lane->nr && lane->end[lane->nr - 1] <= until) {
		strbuf_reset(&w->message);
		protobuf_number(&w->message, EVENT_TYPE, SLICE_END);
		protobuf_number(&w->message, EVENT_TRACK, lane->track);
		put_event(w, lane->end[--lane->nr]);
	}
}

static void add_annotation(struct perfetto *w, struct span name, struct span value)
{
	strbuf_reset(&w->part);
	add_text(&w->part, ANNOTATION_NAME, name);
	add_text(&w->part, ANNOTATION_STRING, value);
	protobuf_bytes(&w->message, EVENT_ANNOTATIONS, strbuf_peek(&w->part));
}

/* A slice is named after its leaf; its callers and labels are arguments. */
static void begin_slice(struct perfetto *w, struct lane *lane, const struct interval *v)
{
	const struct label_set *set = &w->p->labels[v->labels.i];
	struct span event = profile_peek(w->p, w->p->event[v->event].name);
	stack_id s = v->stack;

	GROW(lane->end, lane->nr, lane->cap);
	lane->end[lane->nr++] = v->end;
	strbuf_reset(&w->message);
	protobuf_number(&w->message, EVENT_TYPE, SLICE_BEGIN);
	protobuf_number(&w->message, EVENT_TRACK, lane->track);
	add_text(&w->message, EVENT_CATEGORIES, event);
	strbuf_reset(&w->text);
	if (s.i)
		spelling_frame(&w->text, w->p, w->p->stack[s.i].frame, 0, w->spelling);
	add_text(&w->message, EVENT_NAME, s.i ? strbuf_peek(&w->text) : event);
	for (size_t i = 0; i < set->nr; i++)
		add_annotation(w, profile_peek(w->p, set->label[i].key),
			       profile_peek(w->p, set->label[i].value));
	strbuf_reset(&w->text);
	for (; s.i; s = w->p->stack[s.i].caller) {
		frame_id f = w->p->stack[s.i].frame;

		for (size_t line = 0; line < nr_lines(&w->p->frame[f.i]); line++) {
			if (w->text.size)
				strbuf_addch(&w->text, '\n');
			spelling_frame(&w->text, w->p, f, line, w->spelling);
		}
	}
	if (w->text.size)
		add_annotation(w, SPAN("stack"), strbuf_peek(&w->text));
	put_event(w, v->begin);
}

/* A lane is a child of the thread's track. */
static void begin_lane(struct perfetto *w, struct lane *lane, const struct interval *v)
{
	*lane = (struct lane){ .track = w->next_track++ };
	strbuf_reset(&w->message);
	protobuf_number(&w->message, TRACK_UUID, lane->track);
	protobuf_number(&w->message, TRACK_PARENT, v->thread.i);
	add_text(&w->message, TRACK_NAME, profile_peek(w->p, w->p->event[v->event].name));
	end_track(w);
}

struct lanes {
	struct lane *lane;
	size_t nr, cap;
};

static void end_lanes(struct perfetto *w, struct lanes *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		end_slices(w, &l->lane[i], UINT64_MAX);
		free(l->lane[i].end);
	}
	l->nr = 0;
}

/* Slices of a track must nest: one that overlaps another goes to the next lane. */
static struct lane *find_lane(struct perfetto *w, struct lanes *l, const struct interval *v)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct lane *lane = &l->lane[i];

		end_slices(w, lane, v->begin);
		if (!lane->nr || lane->end[lane->nr - 1] >= v->end)
			return lane;
	}
	GROW(l->lane, l->nr, l->cap);
	begin_lane(w, &l->lane[l->nr], v);
	return &l->lane[l->nr++];
}

static bool write_slices(struct perfetto *w, const bool *in)
{
	const struct interval *v = w->p->interval;
	struct lanes l = { 0 };
	size_t nr;
	uint32_t *row = write_spans(w->p, in, &nr);

	for (size_t i = 0; i < nr; i++) {
		const struct interval *at = &v[row[i]], *last = i ? &v[row[i - 1]] : NULL;

		if (last && (last->event != at->event || last->thread.i != at->thread.i))
			end_lanes(w, &l);
		begin_slice(w, find_lane(w, &l, at), at);
	}
	end_lanes(w, &l);
	free(l.lane);
	free(row);
	return nr > 0;
}

/* Series as counters */

static void write_counter(struct perfetto *w, const struct series *s)
{
	struct span unit = profile_peek(w->p, s->unit);
	uint64_t track = w->next_track++;
	double one = 1;

	for (int i = s->scale; i < 0; i++)
		one *= 10;
	strbuf_reset(&w->part);
	protobuf_number(&w->part, COUNTER_UNIT,
			span_is(unit, "bytes") ? UNIT_BYTES
			: span_is(unit, "ns")  ? UNIT_TIME_NS
					       : UNIT_COUNT);
	add_text(&w->part, COUNTER_UNIT_NAME, unit);
	strbuf_reset(&w->message);
	protobuf_number(&w->message, TRACK_UUID, track);
	add_text(&w->message, TRACK_NAME, profile_peek(w->p, s->name));
	protobuf_bytes(&w->message, TRACK_COUNTER, strbuf_peek(&w->part));
	end_track(w);
	for (size_t i = 0; i < s->nr; i++) {
		double value = (double)s->point[i].value / one;
		uint64_t bits;

		strbuf_reset(&w->message);
		protobuf_number(&w->message, EVENT_TYPE, COUNTER_POINT);
		protobuf_number(&w->message, EVENT_TRACK, track);
		memcpy(&bits, &value, sizeof(bits));
		if (s->scale)
			protobuf_fixed64(&w->message, EVENT_DOUBLE_COUNTER_VALUE, bits);
		else
			protobuf_present(&w->message, EVENT_COUNTER_VALUE,
					 (uint64_t)s->point[i].value);
		put_event(w, s->point[i].time);
	}
}

/* The whole trace */

static void init_tables(struct perfetto *w)
{
	uint32_t nr = 1;

	w->first = xcalloc(w->p->nr_frame, sizeof(*w->first));
	w->end = xcalloc(w->p->nr_module, sizeof(*w->end));
	w->module = xcalloc(w->p->nr_module, sizeof(*w->module));
	w->frame = xcalloc(w->p->nr_frame, sizeof(*w->frame));
	w->stack = xcalloc(w->p->nr_stack, sizeof(*w->stack));
	for (size_t i = 0; i < w->p->nr_frame; i++) {
		const struct frame *f = &w->p->frame[i];
		uint64_t behind = f->address + (f->address < UINT64_MAX);

		w->first[i] = nr;
		nr += (uint32_t)nr_lines(f);
		if (w->end[f->module.i] < behind)
			w->end[f->module.i] = behind;
	}
}

int perfetto_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct perfetto w = { .out = out,
			      .p = what->p,
			      .sequence = TRACK_SEQUENCE,
			      .next_track = what->p->nr_thread,
			      .spelling = (what->spelling & ~(unsigned)SPELL_AROUND) | SPELL_UTF8 };
	bool *in = write_events(what), any;
	struct write_order order;
	int ret = 0;

	init_tables(&w);
	write_order_make(&order, what, in, true);
	write_threads(&w);
	any = write_samples(&w, &order);
	any |= write_slices(&w, in);
	for (size_t i = 0; i < w.p->nr_series; i++)
		write_counter(&w, &w.p->series[i]);
	if (!any) {
		error_set(e, ERROR_INPUT, "a trace requires timestamps, and the profile has none");
		ret = error_hint(e, "wick record, perf record and perf script store timestamps");
	}
	write_order_release(&order);
	free(in);
	free(w.first);
	free(w.end);
	free(w.module);
	free(w.frame);
	free(w.stack);
	strbuf_release(&w.packet);
	strbuf_release(&w.message);
	strbuf_release(&w.part);
	strbuf_release(&w.text);
	strbuf_release(&w.interned);
	return ret;
}
