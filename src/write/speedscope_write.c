/*
 * speedscope's format: a profile for each event and thread, with its samples, in order of time if
 * that is known, or for intervals of time with functions that open and close.  A function is one
 * frame whatever the line, so lines are left out.
 */
#include "base/alloc.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "profile/spelling.h"
#include "write/json_out.h"
#include "write/writer.h"

#include <stdlib.h>

struct speedscope {
	struct json_out json;
	const struct profile *p;
	unsigned spelling;
	struct intern names; /* of frames, with their files: "name\0file" */
	uint32_t *first;     /* by frame of the profile: where its numbers begin in `number` */
	uint32_t *number;    /* of frames in the output, the innermost call first */
	size_t nr_number, cap_number;
	uint32_t *interval; /* write_spans() */
	size_t nr_interval;
	bool any_event;
	struct strbuf text;
};

static void put(struct speedscope *w, const char *text)
{
	json_out_text(&w->json, text);
}

/* Frames */

static uint32_t name_of(struct speedscope *w, frame_id id, size_t line)
{
	const struct frame *f = &w->p->frame[id.i];
	struct span file = line < f->nr_line ? profile_peek(w->p, f->line[line].file) : SPAN("");

	strbuf_reset(&w->text);
	spelling_frame(&w->text, w->p, id, line, w->spelling);
	strbuf_addch(&w->text, '\0');
	strbuf_add(&w->text, file.size ? file : profile_peek(w->p, w->p->module[f->module.i].path));
	return intern(&w->names, strbuf_peek(&w->text));
}

static void name_frames(struct speedscope *w)
{
	w->first = xcalloc(w->p->nr_frame + 1, sizeof(*w->first));
	for (uint32_t i = 0; i < w->p->nr_frame; i++) {
		size_t nr = w->p->frame[i].nr_line ? w->p->frame[i].nr_line : 1;

		w->first[i] = (uint32_t)w->nr_number;
		for (size_t line = 0; line < nr; line++) {
			GROW(w->number, w->nr_number, w->cap_number);
			w->number[w->nr_number++] = name_of(w, (frame_id){ i }, line);
		}
	}
	w->first[w->p->nr_frame] = (uint32_t)w->nr_number;
}

static void write_frames(struct speedscope *w)
{
	for (uint32_t i = 0; i < w->names.nr; i++) {
		struct span text = intern_peek(&w->names, i);
		size_t end = span_find(text, '\0');

		put(w, i ? ",\n{\"name\":" : "\n{\"name\":");
		json_out_string(&w->json, span_upto(text, end));
		if (end + 1 < text.size) {
			put(w, ",\"file\":");
			json_out_string(&w->json, span_from(text, end + 1));
		}
		put(w, "}");
	}
}

/* Profiles */

/* "[0,1,2]": from the root on. */
static void write_stack(struct speedscope *w, stack_id stack, uint32_t **path, size_t *cap)
{
	size_t nr = 0;

	for (; stack.i; stack = w->p->stack[stack.i].caller) {
		uint32_t f = w->p->stack[stack.i].frame.i;

		for (uint32_t i = w->first[f]; i < w->first[f + 1]; i++) {
			GROW(*path, nr, *cap);
			(*path)[nr++] = w->number[i];
		}
	}
	put(w, "[");
	for (size_t i = nr; i-- > 0;) {
		json_out_number(&w->json, (*path)[i]);
		if (i)
			put(w, ",");
	}
	put(w, "]");
}

static void write_samples(struct speedscope *w, const uint32_t *row, const struct write_run *r)
{
	uint32_t *path = NULL;
	size_t cap = 0;

	for (size_t i = r->begin; i < r->end; i++) {
		put(w, i > r->begin ? ",\n" : "");
		write_stack(w, write_sample_at(w->p, r->table, row[i]).stack, &path, &cap);
	}
	free(path);
}

static int64_t weight_of(const struct speedscope *w, uint32_t row, const struct write_run *r)
{
	return write_whole(w->p, r->event, write_sample_at(w->p, r->table, row).weight);
}

/* Units unknown to speedscope are written as "none". */
static struct span unit_of(const struct speedscope *w, uint32_t event)
{
	struct span unit = write_unit(w->p, event);

	return span_is(unit, "nanoseconds") || span_is(unit, "bytes") ? unit : SPAN("none");
}

static void write_name(struct speedscope *w, const struct write_run *r, bool several)
{
	struct strbuf name = { 0 };

	spelling_thread(&name, w->p, r->thread,
			SPELL_THREAD | SPELL_PID | SPELL_TID | SPELL_BLANKS);
	if (!name.size || several) {
		if (name.size)
			strbuf_addch(&name, ' ');
		strbuf_add(&name, profile_peek(w->p, w->p->event[r->event].name));
	}
	json_out_string(&w->json, strbuf_peek(&name));
	strbuf_release(&name);
}

/* Members for wick's reader, which cannot get these from the name. */
static void write_identity(struct speedscope *w, const struct write_run *r)
{
	const struct thread *t = &w->p->thread[r->thread.i];

	put(w, ",\"event\":");
	json_out_string(&w->json, profile_peek(w->p, w->p->event[r->event].name));
	put(w, ",\"thread\":");
	json_out_string(&w->json, profile_peek(w->p, t->comm));
	if (t->pid != THREAD_UNKNOWN) {
		put(w, ",\"pid\":");
		json_out_number(&w->json, t->pid);
	}
	if (t->tid != THREAD_UNKNOWN) {
		put(w, ",\"tid\":");
		json_out_number(&w->json, t->tid);
	}
	put(w, w->p->event[r->event].source == SOURCE_MEASURED ? ",\"source\":\"measured\""
							       : ",\"source\":\"sampled\"");
	if (r->table == WRITE_COUNTS && write_period(w->p, r->event)) {
		put(w, ",\"period\":");
		json_out_number(&w->json, write_period(w->p, r->event));
	}
}

static void begin_profile(struct speedscope *w, const char *type, const struct write_run *r,
			  bool several)
{
	put(w, "{\"type\":\"");
	put(w, type);
	put(w, "\",\"name\":");
	write_name(w, r, several);
	write_identity(w, r);
	put(w, ",\"unit\":");
	json_out_string(&w->json, unit_of(w, r->event));
}

static void write_sampled(struct speedscope *w, const uint32_t *row, const struct write_run *r,
			  bool several)
{
	uint64_t total = 0;

	begin_profile(w, "sampled", r, several);
	put(w, ",\"startValue\":0,\"samples\":[\n");
	write_samples(w, row, r);
	put(w, "],\n\"weights\":[");
	for (size_t i = r->begin; i < r->end; i++) {
		int64_t weight = weight_of(w, row[i], r);
		uint64_t size = weight < 0 ? 0 - (uint64_t)weight : (uint64_t)weight;

		put(w, i > r->begin ? "," : "");
		put(w, weight < 0 ? "-" : "");
		json_out_number(&w->json, size);
		if (__builtin_add_overflow(total, size, &total))
			total = UINT64_MAX;
	}
	put(w, "],\"endValue\":");
	json_out_number(&w->json, total);
	put(w, "}");
}

/* Intervals: functions that open and close */

/* The intervals of a thread and event: rows of write_spans(). */
struct spans {
	const uint32_t *row;
	size_t nr;
	bool whole; /* each is a wait, with a whole stack; else only its leaf opens and closes */
};

/* The intervals of a run, by binary search: the rows are sorted by event and thread. */
static struct spans find_spans(const struct speedscope *w, const struct write_run *r)
{
	const struct interval *v = w->p->interval;
	struct spans s = { .whole = w->p->event[r->event].extent == EXTENT_SHARE };
	size_t low = 0, high = w->nr_interval;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct interval *at = &v[w->interval[middle]];

		if (at->event < r->event || (at->event == r->event && at->thread.i < r->thread.i))
			low = middle + 1;
		else
			high = middle;
	}
	s.row = w->interval + low;
	while (low + s.nr < w->nr_interval && v[s.row[s.nr]].event == r->event &&
	       v[s.row[s.nr]].thread.i == r->thread.i)
		s.nr++;
	return s;
}

/*
 * Can the run be written as functions that open and close?  Waits must not overlap, spans must
 * nest, and their time must equal the event's weight.
 */
static bool is_evented(const struct speedscope *w, const struct spans *s, const uint32_t *row,
		       const struct write_run *r)
{
	__extension__ __int128 time = 0, weight = 0;
	uint64_t *end = xcalloc(s->nr + 1, sizeof(*end));
	bool fits = s->nr && span_is(unit_of(w, r->event), "nanoseconds");
	size_t open = 0;

	for (size_t i = 0; fits && i < s->nr; i++) {
		const struct interval *v = &w->p->interval[s->row[i]];

		while (open && end[open - 1] <= v->begin)
			open--;
		fits = !open || (!s->whole && end[open - 1] >= v->end);
		if (!open)
			time += v->end - v->begin;
		end[open++] = v->end;
	}
	free(end);
	for (size_t i = r->begin; fits && i < r->end; i++)
		weight += weight_of(w, row[i], r);
	return fits && time == weight;
}

static void write_event(struct speedscope *w, char type, uint32_t frame, uint64_t at)
{
	put(w, w->any_event ? ",\n{\"type\":\"" : "\n{\"type\":\"");
	output_char(w->json.out, type);
	put(w, "\",\"frame\":");
	json_out_number(&w->json, frame);
	put(w, ",\"at\":");
	json_out_number(&w->json, at);
	put(w, "}");
	w->any_event = true;
}

static void open_frame(struct speedscope *w, frame_id f, uint64_t at)
{
	for (uint32_t i = w->first[f.i + 1]; i-- > w->first[f.i];)
		write_event(w, 'O', w->number[i], at);
}

static void close_frame(struct speedscope *w, frame_id f, uint64_t at)
{
	for (uint32_t i = w->first[f.i]; i < w->first[f.i + 1]; i++)
		write_event(w, 'C', w->number[i], at);
}

static void open_span(struct speedscope *w, const struct spans *s, const struct interval *v)
{
	stack_id *path = NULL;
	size_t nr = 0, cap = 0;

	for (stack_id at = v->stack; at.i; at = w->p->stack[at.i].caller) {
		GROW(path, nr, cap);
		path[nr++] = at;
		if (!s->whole)
			break;
	}
	while (nr-- > 0)
		open_frame(w, w->p->stack[path[nr].i].frame, v->begin);
	free(path);
}

static void close_span(struct speedscope *w, const struct spans *s, const struct interval *v)
{
	for (stack_id at = v->stack; at.i; at = w->p->stack[at.i].caller) {
		close_frame(w, w->p->stack[at.i].frame, v->end);
		if (!s->whole)
			break;
	}
}

static void write_evented(struct speedscope *w, const struct spans *s, const struct write_run *r,
			  bool several)
{
	const struct interval **open = xcalloc(s->nr + 1, sizeof(struct interval *));
	uint64_t end = 0;
	size_t nr = 0;

	begin_profile(w, "evented", r, several);
	put(w, ",\"startValue\":");
	json_out_number(&w->json, w->p->interval[s->row[0]].begin);
	put(w, ",\"events\":[");
	w->any_event = false;
	for (size_t i = 0; i <= s->nr; i++) {
		const struct interval *v = i < s->nr ? &w->p->interval[s->row[i]] : NULL;

		while (nr && (!v || open[nr - 1]->end <= v->begin)) {
			end = open[nr - 1]->end > end ? open[nr - 1]->end : end;
			close_span(w, s, open[--nr]);
		}
		if (v) {
			open_span(w, s, v);
			open[nr++] = v;
		}
	}
	put(w, "],\n\"endValue\":");
	json_out_number(&w->json, end);
	put(w, "}");
	free(open);
}

static void write_profile(struct speedscope *w, const uint32_t *row, const struct write_run *r,
			  bool several)
{
	struct spans s = find_spans(w, r);

	if (is_evented(w, &s, row, r))
		write_evented(w, &s, r, several);
	else
		write_sampled(w, row, r, several);
}

static void write_all(struct speedscope *w, const struct write_order *o)
{
	bool several = false;

	for (size_t i = 1; i < o->nr_run; i++)
		several |= o->run[i].event != o->run[0].event;
	put(w, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	       "\"exporter\":\"wick\",\"activeProfileIndex\":0,\"shared\":{\"frames\":[");
	name_frames(w);
	write_frames(w);
	put(w, "]},\n\"profiles\":[\n");
	for (size_t i = 0; i < o->nr_run; i++) {
		put(w, i ? ",\n" : "");
		write_profile(w, o->row, &o->run[i], several);
	}
	put(w, "]}\n");
}

int speedscope_writer(struct output *out, const struct write_what *what, struct error *e)
{
	struct speedscope w = { .json = { .out = out },
				.p = what->p,
				.spelling =
					(what->spelling & ~(unsigned)SPELL_AROUND) | SPELL_UTF8 };
	bool *in = write_events(what);
	struct write_order order;

	(void)e;
	write_order_make(&order, what, in, true);
	w.interval = write_spans(w.p, in, &w.nr_interval);
	write_all(&w, &order);
	write_order_release(&order);
	free(in);
	free(w.interval);
	free(w.first);
	free(w.number);
	intern_release(&w.names);
	strbuf_release(&w.text);
	strbuf_release(&w.json.text);
	return 0;
}
