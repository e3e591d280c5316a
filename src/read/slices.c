#include "read/slices.h"

#include "base/alloc.h"

#include <stdlib.h>

/* The end of a slice that has none yet: of slices with the same begin, it is the outermost. */
#define OPEN INT64_MAX

/* Half of the range, so that the difference of two times cannot overflow. */
#define TIME_MAX (INT64_MAX / 2)

/* Limit of slices in memory: 8 MB, and twice that while they are sorted. */
enum { SLICES_IN_MEMORY = 256 * 1024 };

void slices_release(struct slices *s)
{
	for (size_t i = 0; i < s->nr_track; i++)
		free(s->track[i].open);
	sorted_runs_release(&s->stored);
	free(s->track);
	free(s->order);
	free(s->open.at);
	flows_release(&s->flows);
	intern_release(&s->keys);
	strbuf_release(&s->key);
	*s = (struct slices){ 0 };
}

static uint32_t parse_id(struct span s)
{
	uint64_t id;

	return span_u64(s, &id) && id < THREAD_UNKNOWN ? (uint32_t)id : THREAD_UNKNOWN;
}

uint32_t slices_track(struct slices *s, struct span pid, struct span tid)
{
	uint32_t number;

	strbuf_reset(&s->key);
	strbuf_add(&s->key, pid);
	strbuf_addch(&s->key, '/');
	strbuf_add(&s->key, tid);
	number = intern(&s->keys, strbuf_peek(&s->key));
	if (number == s->nr_track) {
		GROW(s->track, s->nr_track, s->cap_track);
		s->track[s->nr_track++] =
			(struct track){ .thread = { .pid = parse_id(pid), .tid = parse_id(tid) } };
	}
	return number;
}

uint32_t slices_async(struct slices *s, struct span key, uint32_t began)
{
	uint32_t number;

	/* A NUL, which no key of a thread contains. */
	strbuf_reset(&s->key);
	strbuf_addch(&s->key, '\0');
	strbuf_add(&s->key, key);
	number = intern(&s->keys, strbuf_peek(&s->key));
	if (number == s->nr_track) {
		GROW(s->track, s->nr_track, s->cap_track);
		s->track[s->nr_track++] =
			(struct track){ .event = profile_string(s->b->p, SPAN("async")),
					.began = began + 1 };
	}
	return number;
}

/* Times have this many digits from now on, or as many as fit; refine_slice() rescales stored slices. */
static void refine(struct slices *s, int digits)
{
	while (s->digits < digits && s->largest <= TIME_MAX / 10) {
		for (size_t i = 0; i < s->open.nr; i++) {
			s->open.at[i].begin *= 10;
			s->open.at[i].self *= 10;
		}
		s->now *= 10;
		s->largest *= 10;
		s->last *= 10;
		s->earliest *= 10;
		s->digits++;
	}
}

static void refine_slice(void *arg, void *record)
{
	const struct slices *s = arg;
	struct slice *slice = record;

	for (; slice->digits < s->digits; slice->digits++) {
		slice->begin *= 10;
		slice->end = slice->end == OPEN ? OPEN : slice->end * 10;
	}
}

/*
 * Rounds a time to the digits that are kept.  Begin and end are rounded, never the
 * duration, so that adjacent slices stay adjacent.
 */
static bool keep_time(struct slices *s, struct decimal d, int64_t *time)
{
	int64_t distance;

	if (s->digits < d.digits)
		notes_add(&s->b->p->notes, NOTE_FRACTION, 1, s->b->text->line, SPAN(""));
	if (!decimal_at(d, s->digits, time) || *time > TIME_MAX || *time < -TIME_MAX)
		return false;
	distance = *time < 0 ? -*time : *time;
	if (distance > s->largest)
		s->largest = distance;
	if (*time > s->last)
		s->last = *time;
	return true;
}

/* Times may be microseconds since 1970, with a fraction: relative to the first one, they fit into 64 bits. */
static struct decimal since_first(struct slices *s, struct decimal time)
{
	if (!s->has_first) {
		s->first = time;
		s->first.value = -s->first.value;
		s->has_first = true;
	}
	return decimal_add(time, s->first);
}

/* An outer slice comes before those nested in it. */
static int by_begin(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static uint32_t track_of(const void *record)
{
	const struct slice *slice = record;

	return slice->track;
}

/* Assigns a number to a new slice of the track. */
static void number_slice(struct slices *s, uint32_t track, struct slice *slice)
{
	struct track *t = &s->track[track];

	if (!t->nr++) {
		GROW(s->order, s->nr_order, s->cap_order);
		t->order = (uint32_t)s->nr_order;
		s->order[s->nr_order++] = track;
	}
	if (slice->begin < s->earliest)
		s->earliest = slice->begin;
	slice->track = t->order;
	slice->number = s->nr_slice++;
	s->last_begin = slice->begin;
	slice->digits = s->digits;
}

static void store(struct slices *s, const struct slice *slice)
{
	if (!s->stored.size)
		s->stored = (struct sorted_runs){ .size = sizeof(*slice),
						  .max = SLICES_IN_MEMORY,
						  .compare = by_begin,
						  .group = track_of,
						  .update = refine_slice,
						  .arg = s };
	sorted_runs_add(&s->stored, slice);
}

int slices_add(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
	       struct decimal duration, struct error *e)
{
	struct slice slice = { .frame = frame };
	struct decimal end;

	begin = since_first(s, begin);
	end = decimal_add(begin, duration);
	refine(s, end.digits);
	if (!keep_time(s, begin, &slice.begin) || !keep_time(s, end, &slice.end))
		return build_note(s->b, NOTE_COUNT_TOO_LARGE, SPAN(""), e);
	number_slice(s, track, &slice);
	store(s, &slice);
	return 0;
}

/* 1: its time is out of range. */
static int begin_slice(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
		       struct slice *slice, struct error *e)
{
	*slice = (struct slice){ .frame = frame, .end = OPEN };
	begin = since_first(s, begin);
	refine(s, begin.digits);
	if (!keep_time(s, begin, &slice->begin))
		return build_note(s->b, NOTE_COUNT_TOO_LARGE, SPAN(""), e) ? -1 : 1;
	number_slice(s, track, slice);
	return 0;
}

int slices_add_open(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
		    struct error *e)
{
	struct slice slice;
	int ret = begin_slice(s, track, frame, begin, &slice, e);

	if (!ret)
		store(s, &slice);
	return ret < 0 ? -1 : 0;
}

void slices_seen(struct slices *s, struct decimal time)
{
	int64_t at;

	if (decimal_at(since_first(s, time), s->digits, &at) && at > s->last && at <= TIME_MAX)
		s->last = at;
}

bool slices_point(struct slices *s, struct decimal time, int64_t *ns)
{
	struct decimal since = since_first(s, time);
	int64_t at;

	refine(s, since.digits);
	if (!keep_time(s, since, &at) || !decimal_at(since, 3, ns))
		return false;
	if (at < s->earliest)
		s->earliest = at;
	return true;
}

int64_t slices_begin_ns(const struct slices *s)
{
	int64_t ns;

	return decimal_at((struct decimal){ .value = s->earliest, .digits = s->digits }, 3, &ns)
		       ? ns
		       : INT64_MIN;
}

int slices_begin(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
		 struct error *e)
{
	struct track *t = &s->track[track];
	struct slice slice;
	int ret;

	if (t->nr_open >= PROFILE_DEPTH_MAX) {
		t->nr_deep++;
		return build_note(s->b, NOTE_TOO_DEEP, SPAN(""), e);
	}
	ret = begin_slice(s, track, frame, begin, &slice, e);
	if (ret)
		return ret < 0 ? -1 : 0;
	GROW(t->open, t->nr_open, t->cap_open);
	t->open[t->nr_open++] = slice;
	return 0;
}

int slices_end(struct slices *s, uint32_t track, struct decimal end, struct error *e)
{
	struct track *t = &s->track[track];
	struct slice *slice;

	if (t->nr_deep) {
		t->nr_deep--;
		return 0;
	}
	if (!t->nr_open)
		return build_note(s->b, NOTE_BAD_EVENT, SPAN("end without a begin"), e);
	end = since_first(s, end);
	refine(s, end.digits);
	slice = &t->open[t->nr_open - 1];
	refine_slice(s, slice);
	if (!keep_time(s, end, &slice->end)) {
		slice->end = OPEN;
		return build_note(s->b, NOTE_COUNT_TOO_LARGE, SPAN(""), e);
	}
	store(s, slice);
	t->nr_open--;
	return 0;
}

/* Flows */

static int add_flow(struct slices *s, struct span flow, struct flow_end end, struct error *e)
{
	struct flows *f = &s->flows;

	if (f->nr == FLOW_ENDS_MAX)
		return build_note(s->b, NOTE_FLOWS_MANY, SPAN(""), e);
	end.id = intern(&f->ids, flow);
	end.digits = s->digits;
	end.number = (uint32_t)f->nr;
	GROW(f->end, f->nr, f->cap);
	f->end[f->nr++] = end;
	return 0;
}

int slices_flow(struct slices *s, uint32_t track, struct span flow, unsigned kind,
		struct decimal at, struct error *e)
{
	struct flow_end end = { .track = track, .kind = kind };

	slices_seen(s, at);
	at = since_first(s, at);
	if (!s->b->p->max_interval || !decimal_at(at, s->digits, &end.time) ||
	    end.time > TIME_MAX || end.time < -TIME_MAX)
		return 0;
	return add_flow(s, flow, end, e);
}

int slices_flow_of_last(struct slices *s, uint32_t track, struct span flow, unsigned kind,
			struct error *e)
{
	struct flow_end end = {
		.track = track, .kind = kind, .time = s->last_begin, .slice = s->nr_slice
	};

	return s->b->p->max_interval && s->nr_slice ? add_flow(s, flow, end, e) : 0;
}

/* Sorts the ends of flows, after converting their times to the scale of the slices. */
static void begin_flows(struct slices *s)
{
	uint32_t *order = xcalloc(s->nr_track, sizeof(*order));

	for (size_t i = 0; i < s->nr_track; i++)
		order[i] = s->track[i].nr ? s->track[i].order : UINT32_MAX;
	for (size_t i = 0; i < s->flows.nr; i++) {
		struct flow_end *end = &s->flows.end[i];

		for (; end->digits < s->digits; end->digits++)
			if (__builtin_mul_overflow(end->time, 10, &end->time))
				end->time = end->time < 0 ? INT64_MIN : INT64_MAX;
	}
	flows_begin(&s->flows, order);
	free(order);
}

static const struct thread *thread_of(const struct slices *s, const struct track *t)
{
	return t->began ? &s->track[t->began - 1].thread : &t->thread;
}

static void end_flows(struct slices *s)
{
	thread_id *thread;

	if (!s->flows.nr)
		return;
	thread = xcalloc(s->nr_track, sizeof(*thread));
	for (size_t i = 0; i < s->nr_track; i++)
		thread[i] = profile_thread(s->b->p, thread_of(s, &s->track[i]));
	flows_end(&s->flows, s->b->p, thread);
	free(thread);
}

/* A track that is being counted. */
struct counting {
	struct nests in;
	struct slice next; /* the next stored slice, maybe of another track */
	bool has_next;
	/* A heap of the second parts of slices that were split, by begin */
	struct slice *rest;
	size_t nr_rest, cap_rest;
	uint32_t event;	   /* for tracks without their own */
	size_t rests_left; /* how many more are allowed: if all slices cross, the cost is quadratic */
	uint32_t flow;	   /* the list of flow ends for the next slice that begins */
};

/* Units of time, which can be converted to ns. */
static const struct {
	const char *unit;
	int64_t ns;
} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };

static void set_unit(struct slices *s)
{
	struct span unit = profile_peek(s->b->p, s->b->p->event[s->b->event].unit);

	s->ns = 0;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (span_is(unit, units[i].unit))
			s->ns = units[i].ns;
}

/* ns since the earliest slice. */
static uint64_t in_ns(const struct slices *s, int64_t time)
{
	__extension__ typedef __int128 wide;
	wide ns = ((wide)time - s->earliest) * s->ns;

	for (int i = 0; i < s->digits; i++)
		ns /= 10;
	return ns < 0 ? 0 : ns > INT64_MAX ? INT64_MAX : (uint64_t)ns;
}

/* Adds the interval of a slice, with links to the enclosing slice and to the sources of its flows. */
static void add_linked(struct slices *s, struct nests *in, const struct nest *n)
{
	struct profile *p = s->b->p;
	struct nest *outer = in->is_async && in->nr ? &in->at[in->nr - 1] : NULL;

	if (outer && !outer->inner.i)
		outer->inner = profile_add_link(p, &(struct link){ .kind = LINK_PARENT,
								   .thread = s->b->thread,
								   .stack = outer->stack,
								   .interval = INTERVAL_NONE });
	s->b->link = outer ? outer->inner : (link_id){ 0 };
	s->b->link = flows_links(&s->flows, p, n->flow, s->b->link);
	build_extent(s->b, n->stack, in_ns(s, n->begin), in_ns(s, n->end), n->self);
	s->b->link = (link_id){ 0 };
	flows_added(&s->flows, p, n->flow);
	if (n->inner.i)
		p->link[n->inner.i].interval = (uint32_t)p->nr_interval - 1;
}

static int leave(struct slices *s, struct nests *in, struct error *e)
{
	const struct nest *n = &in->at[--in->nr];

	if (s->ns && s->b->p->max_interval && (n->flow || in->is_async))
		add_linked(s, in, n);
	else if (s->ns)
		build_extent(s->b, n->stack, in_ns(s, n->begin), in_ns(s, n->end), n->self);
	return build_end_at(s->b, n->stack, n->self, e);
}

static int note_slice(struct slices *s, enum note_code code, frame_id frame, struct error *e)
{
	const struct frame *f = &s->b->p->frame[frame.i];

	return build_note(s->b, code, profile_peek(s->b->p, f->line[0].function), e);
}

/* Splits a slice: its second part, from this time on, is added later as a slice of its own. */
static int add_rest(struct slices *s, struct counting *c, struct slice slice, int64_t begin,
		    struct error *e)
{
	size_t i;

	if (!c->rests_left)
		return note_slice(s, NOTE_GIVEN_UP, slice.frame, e);
	c->rests_left--;
	slice.begin = begin;
	GROW(c->rest, c->nr_rest, c->cap_rest);
	for (i = c->nr_rest++; i && by_begin(&slice, &c->rest[(i - 1) / 2]) < 0; i = (i - 1) / 2)
		c->rest[i] = c->rest[(i - 1) / 2];
	c->rest[i] = slice;
	return 0;
}

static struct slice take_rest(struct counting *c)
{
	struct slice first = c->rest[0], last = c->rest[--c->nr_rest];
	size_t i = 0, k;

	while ((k = 2 * i + 1) < c->nr_rest) {
		if (k + 1 < c->nr_rest && by_begin(&c->rest[k + 1], &c->rest[k]) < 0)
			k++;
		if (by_begin(&last, &c->rest[k]) <= 0)
			break;
		c->rest[i] = c->rest[k];
		i = k;
	}
	c->rest[i] = last;
	return first;
}

static int read_next(struct slices *s, struct counting *c, struct error *e)
{
	int ret = sorted_runs_next(&s->stored, &c->next, e);

	c->has_next = ret > 0;
	return ret < 0 ? -1 : 0;
}

/* The next slice by begin: a stored one of the track, or the second part of a split one.  0: there is none. */
static int next_slice(struct slices *s, struct counting *c, uint32_t track, struct slice *slice,
		      struct error *e)
{
	bool stored = c->has_next && c->next.track == track;

	if (!stored && !c->nr_rest)
		return 0;
	if (!stored || (c->nr_rest && by_begin(&c->rest[0], &c->next) < 0)) {
		*slice = take_rest(c);
		return 1;
	}
	*slice = c->next;
	return read_next(s, c, e) ? -1 : 1;
}

/* Pushes a function, called by the innermost open one. */
static int push(struct slices *s, struct nests *in, struct nest n, struct error *e)
{
	if (in->nr)
		n.stack = in->at[in->nr - 1].stack;
	if (in->nr < PROFILE_DEPTH_MAX)
		n.stack = profile_push(s->b->p, n.stack, n.frame);
	else if (build_note(s->b, NOTE_TOO_DEEP, SPAN(""), e))
		return -1;
	GROW(in->at, in->nr, in->cap);
	in->at[in->nr++] = n;
	return 0;
}

static int enter(struct slices *s, struct counting *c, const struct slice *slice, struct error *e)
{
	struct nests *in = &c->in;
	struct nest *outer = in->nr ? &in->at[in->nr - 1] : NULL;
	struct nest n = {
		.begin = slice->begin, .end = slice->end, .frame = slice->frame, .flow = c->flow
	};

	c->flow = 0;
	if (s->flows.nr_by_slice)
		flows_bind_slice(&s->flows, slice->number, &n.flow);
	/* A slice without an end lasts as long as the enclosing one, or until the end of the trace. */
	if (n.end == OPEN)
		n.end = outer ? outer->end : s->last;
	if (outer && n.end > outer->end) {
		if (note_slice(s, NOTE_CROSSING, n.frame, e) ||
		    add_rest(s, c, *slice, outer->end, e))
			return -1;
		n.end = outer->end;
	}
	if (n.end < n.begin) {
		if (note_slice(s, NOTE_BAD_TIME, n.frame, e))
			return -1;
		n.end = n.begin;
	}
	n.self = n.end - n.begin;
	if (outer)
		outer->self -= n.self;
	return push(s, in, n, e);
}

static uint32_t event_of(struct slices *s, const struct track *t, uint32_t event)
{
	struct span name = profile_peek(s->b->p, t->event);

	if (!name.size)
		return event;
	return profile_event(s->b->p, name, profile_peek(s->b->p, s->b->p->event[event].unit));
}

static int leave_until(struct slices *s, struct counting *c, int64_t time, struct error *e)
{
	int ret = 0;

	while (!ret && c->in.nr && c->in.at[c->in.nr - 1].end <= time)
		ret = leave(s, &c->in, e);
	return ret;
}

/* Assigns the flow ends up to that time, when the next slice begins, to their slices. */
static int pass_flows(struct slices *s, struct counting *c, const struct track *t, int64_t until,
		      struct error *e)
{
	struct flow_end *end;

	while ((end = flows_next(&s->flows, (uint32_t)(t - s->track), until)) != NULL) {
		if (end->kind & FLOW_NEXT)
			flows_bind(&s->flows, end, &c->flow);
		else if (leave_until(s, c, end->time, e))
			return -1;
		else if (c->in.nr)
			flows_bind(&s->flows, end, &c->in.at[c->in.nr - 1].flow);
	}
	return 0;
}

static int count_track(struct slices *s, struct counting *c, const struct track *t, struct error *e)
{
	struct slice slice;
	int ret;

	s->b->thread = profile_thread(s->b->p, thread_of(s, t));
	s->b->event = event_of(s, t, c->event);
	c->rests_left = t->nr;
	c->in.is_async = t->began;
	c->flow = 0;
	while ((ret = next_slice(s, c, t->order, &slice, e)) > 0) {
		ret = 0;
		if (slice.end == OPEN)
			ret = note_slice(s, NOTE_NO_END_EVENT, slice.frame, e);
		if (!ret && s->flows.nr_by_time)
			ret = pass_flows(s, c, t, slice.begin, e);
		if (!ret)
			ret = leave_until(s, c, slice.begin, e);
		if (ret || enter(s, c, &slice, e))
			return -1;
	}
	if (!ret && s->flows.nr_by_time)
		ret = pass_flows(s, c, t, INT64_MAX, e);
	while (!ret && c->in.nr)
		ret = leave(s, &c->in, e);
	return ret;
}

/* Gives the event as many digits as the slices have. */
static int fit_scale(struct slices *s, struct error *e)
{
	const struct event *event = &s->b->p->event[s->b->event];

	/* The event may have more digits from an earlier input. */
	refine(s, -event->scale);
	if (profile_rescale(s->b->p, s->b->event, -s->digits) || event->scale != -s->digits)
		return error_set(e, ERROR_INPUT, "total time out of range");
	return 0;
}

/* Gives all events the same number of digits, in two passes: a later event may have more from an earlier input. */
static int begin_events(struct slices *s, const struct counting *c, struct error *e)
{
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < s->nr_order; i++) {
			s->b->event = event_of(s, &s->track[s->order[i]], c->event);
			if (slices_stream(s, e))
				return -1;
			/* Asynchronous operations of one thread overlap, so they have no self time. */
			if (s->track[s->order[i]].began)
				build_measure(s->b, SOURCE_MEASURED, EXTENT_SHARE);
		}
	for (size_t i = 0; i < s->nr_order; i++) {
		const struct track *t = &s->track[s->order[i]];

		if (t->is_sampled)
			s->b->p->event[event_of(s, t, c->event)].source = SOURCE_SAMPLED;
	}
	return 0;
}

int slices_count(struct slices *s, struct error *e)
{
	struct counting c = { .event = s->b->event };
	int ret = begin_events(s, &c, e);

	for (size_t i = 0; i < s->nr_track; i++)
		for (size_t k = 0; k < s->track[i].nr_open; k++)
			store(s, &s->track[i].open[k]);
	if (!ret)
		ret = sorted_runs_finish(&s->stored, e);
	if (!ret)
		ret = read_next(s, &c, e);
	if (s->flows.nr)
		begin_flows(s);
	for (size_t i = 0; i < s->nr_order && !ret; i++)
		ret = count_track(s, &c, &s->track[s->order[i]], e);
	if (!ret)
		end_flows(s);
	free(c.in.at);
	free(c.rest);
	return ret;
}

/* Streams */

int slices_stream(struct slices *s, struct error *e)
{
	if (fit_scale(s, e))
		return -1;
	build_measure(s->b, SOURCE_MEASURED, EXTENT_SELF);
	set_unit(s);
	return 0;
}

/* Adds the time since the last event to the innermost function; 1: the time is out of range. */
static int pass_time(struct slices *s, struct decimal at, struct error *e)
{
	int64_t now;

	at = since_first(s, at);
	if (at.digits > s->digits) {
		refine(s, at.digits);
		if (fit_scale(s, e))
			return -1;
	}
	if (!keep_time(s, at, &now))
		return build_note(s->b, NOTE_COUNT_TOO_LARGE, SPAN(""), e) ? -1 : 1;
	if (now < s->now)
		return build_note(s->b, NOTE_BAD_TIME, SPAN(""), e) ? -1 : 0;
	if (s->open.nr)
		s->open.at[s->open.nr - 1].self += now - s->now;
	s->now = now;
	return 0;
}

int slices_stream_open(struct slices *s, frame_id frame, struct decimal at, struct error *e)
{
	int ret = pass_time(s, at, e);

	if (ret)
		return ret < 0 ? -1 : 0;
	return push(s, &s->open, (struct nest){ .begin = s->now, .frame = frame }, e);
}

int slices_stream_close(struct slices *s, struct decimal at, struct error *e)
{
	int ret;

	if (!s->open.nr)
		return build_note(s->b, NOTE_BAD_EVENT, SPAN("end without a begin"), e);
	ret = pass_time(s, at, e);
	if (ret)
		return ret < 0 ? -1 : 0;
	s->open.at[s->open.nr - 1].end = s->now;
	return leave(s, &s->open, e);
}

int slices_stream_end(struct slices *s, struct error *e)
{
	if (s->open.nr && s->last > s->now) {
		s->open.at[s->open.nr - 1].self += s->last - s->now;
		s->now = s->last;
	}
	while (s->open.nr) {
		struct nest *n = &s->open.at[s->open.nr - 1];

		n->end = s->now;
		if (note_slice(s, NOTE_NO_END_EVENT, n->frame, e) || leave(s, &s->open, e))
			return -1;
	}
	return 0;
}
