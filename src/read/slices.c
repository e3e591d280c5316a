#include "read/slices.h"

#include "base/alloc.h"

#include <stdlib.h>

/* The end of a slice that has none yet. */
#define OPEN INT64_MIN

/* Half of what fits, so that the distance of two fits too. */
#define TIME_MAX (INT64_MAX / 2)

void slices_release(struct slices *s)
{
	for (size_t i = 0; i < s->nr_track; i++) {
		free(s->track[i].slice);
		free(s->track[i].open);
	}
	free(s->track);
	free(s->order);
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

/* Rescales all times to so many digits, or to as many as fit. */
static void refine(struct slices *s, int digits)
{
	while (s->digits < digits && s->largest <= TIME_MAX / 10) {
		for (size_t i = 0; i < s->nr_track; i++)
			for (size_t k = 0; k < s->track[i].nr; k++) {
				struct slice *slice = &s->track[i].slice[k];

				slice->begin *= 10;
				slice->end = slice->end == OPEN ? OPEN : slice->end * 10;
			}
		s->largest *= 10;
		s->digits++;
	}
}

/*
 * Rounds a time to the digits that are kept.  Begin and end are rounded, never the
 * duration: slices that touched each other still do.
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
	return true;
}

/* Times may be microseconds since 1970, with a fraction: relative to the first one they fit. */
static struct decimal since_first(struct slices *s, struct decimal time)
{
	if (!s->has_first) {
		s->first = time;
		s->first.value = -s->first.value;
		s->has_first = true;
	}
	return decimal_add(time, s->first);
}

static void append(struct slices *s, uint32_t track, struct slice slice)
{
	struct track *t = &s->track[track];

	if (!t->nr) {
		GROW(s->order, s->nr_order, s->cap_order);
		s->order[s->nr_order++] = track;
	}
	GROW(t->slice, t->nr, t->cap);
	slice.number = (uint32_t)t->nr;
	t->slice[t->nr++] = slice;
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
	append(s, track, slice);
	return 0;
}

int slices_begin(struct slices *s, uint32_t track, frame_id frame, struct decimal begin,
		 struct error *e)
{
	struct slice slice = { .frame = frame, .end = OPEN };
	struct track *t = &s->track[track];

	begin = since_first(s, begin);
	refine(s, begin.digits);
	if (!keep_time(s, begin, &slice.begin))
		return build_note(s->b, NOTE_COUNT_TOO_LARGE, SPAN(""), e);
	append(s, track, slice);
	GROW(t->open, t->nr_open, t->cap_open);
	t->open[t->nr_open++] = t->nr - 1;
	return 0;
}

int slices_end(struct slices *s, uint32_t track, struct decimal end, struct error *e)
{
	struct track *t = &s->track[track];
	int64_t time;

	if (!t->nr_open)
		return build_note(s->b, NOTE_BAD_EVENT, SPAN("an end without a beginning"), e);
	end = since_first(s, end);
	refine(s, end.digits);
	if (!keep_time(s, end, &time))
		return build_note(s->b, NOTE_COUNT_TOO_LARGE, SPAN(""), e);
	t->slice[t->open[--t->nr_open]].end = time;
	return 0;
}

/* An outer slice comes before those in it. */
static int by_begin(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* A slice that contains the current time; the next ones may be in it. */
struct nest {
	int64_t end, self;
	stack_id stack;
};

struct nests {
	struct nest *at;
	size_t nr, cap;
};

static int leave(struct slices *s, struct nests *in, struct error *e)
{
	const struct nest *n = &in->at[--in->nr];

	return build_end_at(s->b, n->stack, n->self, e);
}

static int enter(struct slices *s, struct nests *in, const struct slice *slice, struct error *e)
{
	struct nest *outer = in->nr ? &in->at[in->nr - 1] : NULL;
	struct nest n = { .end = slice->end, .self = slice->end - slice->begin };

	if (outer && __builtin_sub_overflow(outer->self, n.self, &outer->self))
		return build_note(s->b, NOTE_COUNT_TOO_LARGE, SPAN(""), e);
	if (outer)
		n.stack = outer->stack;
	if (in->nr < PROFILE_DEPTH_MAX)
		n.stack = profile_push(s->b->p, n.stack, slice->frame);
	else if (build_note(s->b, NOTE_TOO_DEEP, SPAN(""), e))
		return -1;
	GROW(in->at, in->nr, in->cap);
	in->at[in->nr++] = n;
	return 0;
}

static int unended(struct slices *s, const struct slice *slice, struct error *e)
{
	const struct frame *f = &s->b->p->frame[slice->frame.i];

	return build_note(s->b, NOTE_NO_END_EVENT, profile_peek(s->b->p, f->line[0].function), e);
}

static void sort(const struct track *t)
{
	for (size_t i = 1; i < t->nr; i++)
		if (by_begin(&t->slice[i - 1], &t->slice[i]) > 0) {
			qsort(t->slice, t->nr, sizeof(*t->slice), by_begin);
			return;
		}
}

static int count_track(struct slices *s, const struct track *t, struct error *e)
{
	struct nests in = { 0 };
	int ret = 0;

	s->b->thread = profile_thread(s->b->p, &t->thread);
	sort(t);
	for (size_t i = 0; i < t->nr && !ret; i++) {
		const struct slice *slice = &t->slice[i];

		if (slice->end == OPEN) {
			ret = unended(s, slice, e);
			continue;
		}
		while (!ret && in.nr && in.at[in.nr - 1].end <= slice->begin)
			ret = leave(s, &in, e);
		if (!ret)
			ret = enter(s, &in, slice, e);
	}
	while (!ret && in.nr)
		ret = leave(s, &in, e);
	free(in.at);
	return ret;
}

int slices_count(struct slices *s, struct error *e)
{
	const struct event *event = &s->b->p->event[s->b->event];

	/* An earlier input may have had more digits. */
	refine(s, -event->scale);
	if (profile_rescale(s->b->p, s->b->event, -s->digits) || event->scale != -s->digits)
		return error_set(e, ERROR_INPUT, "times too long to add up");
	for (size_t i = 0; i < s->nr_order; i++)
		if (count_track(s, &s->track[s->order[i]], e))
			return -1;
	return 0;
}
