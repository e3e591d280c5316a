#include "read/firefox/firefox_markers.h"

#include "base/alloc.h"

#include <stdlib.h>

/* The values in files.  Older files have no phases: then every marker with an end is an interval. */
enum phase { PHASE_INSTANT, PHASE_INTERVAL, PHASE_START, PHASE_END };

/* Markers that have begun, by name: markers of the same name end in reverse order. */
struct open {
	size_t *last;	/* by string: the row of the latest one, + 1 */
	size_t *before; /* by row: the one that was the latest before it, + 1 */
	size_t nr_string;
};

/* marker->end is set.  A marker that began before the start of the profile is cut there. */
static int keep(struct firefox_markers *m, struct build *b, struct span name,
		struct firefox_marker *marker, int64_t duration, struct error *e)
{
	if (!marker->end || duration <= 0)
		return 0;
	if ((uint64_t)duration < marker->end)
		marker->begin = marker->end - (uint64_t)duration;
	build_push_name(b, name);
	if (build_stack(b, ROOT_FIRST, &marker->stack, e))
		return -1;
	GROW(m->at, m->nr, m->cap);
	m->at[m->nr++] = *marker;
	return 0;
}

/* 1 + the row where the marker of this name began; 0: it is not in the file. */
static size_t take_start(struct open *o, int64_t name)
{
	size_t row = name >= 0 && (uint64_t)name < o->nr_string ? o->last[name] : 0;

	if (row)
		o->last[name] = o->before[row - 1];
	return row;
}

struct marker_row {
	const struct firefox_samples *s;
	const struct firefox_frames *frames;
	const struct firefox_tables *own;
	struct open *open;
	size_t row;
};

/* What started the marker of that row, if the file says so. */
static int find_cause(const struct marker_row *r, int64_t row, struct firefox_marker *marker,
		      struct error *e)
{
	int64_t stack = firefox_at(r->own, MARKER_CAUSE_STACK, row);
	int64_t tid = firefox_at(r->own, MARKER_CAUSE_TID, row);

	marker->tid = tid == FIREFOX_NONE ? THREAD_UNKNOWN : (uint32_t)tid;
	if (stack == FIREFOX_NONE)
		return 0;
	marker->caused = true;
	return firefox_stack(r->frames, stack, &marker->cause, e);
}

static int add_row(struct firefox_markers *m, struct build *b, const struct marker_row *r,
		   struct error *e)
{
	struct firefox_marker marker = { .thread = b->thread };
	const struct firefox_tables *own = r->own;
	int64_t row = (int64_t)r->row, begin, end, duration;
	int64_t name = firefox_at(own, MARKER_NAME, row);
	int64_t phase = firefox_at(own, MARKER_PHASE, row);
	size_t start = r->row + 1;

	if (phase == PHASE_INSTANT || name < 0 || (uint64_t)name >= r->open->nr_string)
		return 0;
	if (phase == PHASE_START) {
		r->open->before[row] = r->open->last[name];
		r->open->last[name] = start;
		return 0;
	}
	if (phase == PHASE_END)
		start = take_start(r->open, name);
	if (!start)
		return build_note(b, NOTE_NO_PAIR, firefox_string(own, name), e);
	begin = firefox_at(own, MARKER_START, (int64_t)start - 1);
	end = firefox_at(own, MARKER_END, row);
	if (begin == FIREFOX_NONE || end == FIREFOX_NONE ||
	    __builtin_sub_overflow(end, begin, &duration))
		return 0;
	marker.end = firefox_samples_time(r->s, end);
	if (find_cause(r, (int64_t)start - 1, &marker, e))
		return -1;
	return keep(m, b, firefox_string(own, name), &marker, duration, e);
}

/* Notes the markers without an end. */
static int note_open(struct build *b, const struct firefox_tables *own, const struct open *open,
		     struct error *e)
{
	for (size_t i = 0; i < open->nr_string; i++)
		for (size_t row = open->last[i]; row; row = open->before[row - 1])
			if (build_note(b, NOTE_NO_PAIR, firefox_string(own, (int64_t)i), e))
				return -1;
	return 0;
}

int firefox_markers_add(struct firefox_markers *m, const struct firefox_samples *s,
			const struct firefox_frames *f, const struct firefox_tables *own,
			struct error *e)
{
	struct build *b = f->b;
	size_t nr = firefox_rows(own, MARKER_NAME);
	struct open open = { .nr_string = firefox_strings(own) };
	int ret = 0;

	if (!nr)
		return 0;
	open.last = xcalloc(open.nr_string + 1, sizeof(*open.last));
	open.before = xcalloc(nr, sizeof(*open.before));
	for (size_t row = 0; row < nr && !ret; row++) {
		struct marker_row r = {
			.s = s, .frames = f, .own = own, .open = &open, .row = row
		};

		ret = add_row(m, b, &r, e);
	}
	if (!ret)
		ret = note_open(b, own, &open, e);
	free(open.last);
	free(open.before);
	return ret;
}

/* The thread with that ID, or none; the marker's own if the file names none. */
static thread_id find_thread(const struct profile *p, const struct firefox_marker *marker)
{
	for (uint32_t i = 1; i < p->nr_thread && marker->tid != THREAD_UNKNOWN; i++)
		if (p->thread[i].tid == marker->tid)
			return (thread_id){ i };
	return marker->tid == THREAD_UNKNOWN ? marker->thread : (thread_id){ 0 };
}

int firefox_markers_count(const struct firefox_markers *m, struct build *b, struct error *e)
{
	if (!m->nr)
		return 0;
	b->event = profile_event(b->p, SPAN("markers"), SPAN("ns"));
	build_measure(b, SOURCE_MEASURED, EXTENT_SHARE);
	for (size_t i = 0; i < m->nr; i++) {
		const struct firefox_marker *marker = &m->at[i];
		int64_t weight = (int64_t)(marker->end - marker->begin);

		b->thread = marker->thread;
		b->time = marker->end;
		if (marker->caused && b->p->max_interval)
			b->link = profile_link(b->p,
					       &(struct link){ .kind = LINK_ASYNC,
							       .thread = find_thread(b->p, marker),
							       .stack = marker->cause,
							       .interval = INTERVAL_NONE });
		build_extent(b, marker->stack, marker->begin, marker->end, weight);
		b->link = (link_id){ 0 };
		if (build_end_at(b, marker->stack, weight, e))
			return -1;
	}
	return 0;
}

void firefox_markers_release(struct firefox_markers *m)
{
	free(m->at);
	*m = (struct firefox_markers){ 0 };
}
