/* Values over time.  At the limit of points, times get coarser: the peak of each quantum is kept. */
#include "base/alloc.h"
#include "profile/intervals.h"

#include <stdlib.h>

struct series *profile_series(struct profile *p, struct span name, struct span unit,
			      struct span scope)
{
	str_id n = profile_string(p, name), u = profile_string(p, unit),
	       s = profile_string(p, scope);

	for (size_t i = 0; i < p->nr_series; i++) {
		struct series *have = &p->series[i];

		if (have->name.i == n.i && have->unit.i == u.i && have->scope.i == s.i)
			return have;
	}
	if (p->nr_series == PROFILE_SERIES_MAX)
		return NULL;
	GROW(p->series, p->nr_series, p->cap_series);
	p->series[p->nr_series] = (struct series){ .name = n, .unit = u, .scope = s, .quantum = 1 };
	return &p->series[p->nr_series++];
}

static void make_coarser(struct profile *p, struct series *s)
{
	size_t before = s->nr;

	while (s->nr >= PROFILE_POINTS_MAX / 2 && s->quantum <= UINT64_MAX / 2) {
		size_t kept = 0;

		s->quantum *= 2;
		for (size_t i = 0; i < s->nr; i++) {
			struct point *last = kept ? &s->point[kept - 1] : NULL;

			if (!last || last->time / s->quantum != s->point[i].time / s->quantum)
				s->point[kept++] = s->point[i];
			else if (s->point[i].value > last->value)
				*last = s->point[i];
		}
		s->nr = kept;
	}
	notes_add(&p->notes, NOTE_TICKS_COARSE, before - s->nr, 0, profile_peek(p, s->name));
}

void series_add(struct profile *p, struct series *s, uint64_t time, int64_t value)
{
	size_t at = s->nr;

	if (s->nr >= PROFILE_POINTS_MAX) {
		make_coarser(p, s);
		at = s->nr;
	}
	while (at && s->point[at - 1].time > time)
		at--;
	GROW(s->point, s->nr, s->cap);
	memmove(&s->point[at + 1], &s->point[at], (s->nr - at) * sizeof(*s->point));
	s->point[at] = (struct point){ .time = time, .value = value };
	s->nr++;
}

/* ns since the previous point, or since `begin` if that is later. */
static double length_of(const struct series *s, size_t i, uint64_t begin)
{
	uint64_t before = i && s->point[i - 1].time > begin ? s->point[i - 1].time : begin;

	return s->point[i].time > before ? (double)(s->point[i].time - before) : 0;
}

void series_spread(struct series *s, uint64_t begin, int64_t limit)
{
	size_t last = s->nr ? s->nr - 1 : 0;
	double excess;

	if (!s->nr || s->point[last].value <= limit)
		return;
	excess = (double)(s->point[last].value - limit) * length_of(s, last, begin);
	s->point[last].value = limit;
	for (size_t i = last; i-- && excess > 0 && s->point[i].time > begin;) {
		double length = length_of(s, i, begin);
		double room = (double)(limit - s->point[i].value) * length;

		if (room <= 0)
			continue;
		if (room > excess)
			s->point[i].value += (int64_t)(excess / length + 0.5);
		else
			s->point[i].value = limit;
		excess -= room;
	}
}

/* Converts `to` to the finer of both scales; *factor converts the points to add.  False: overflow. */
static bool match_scale(struct series *to, int scale, int64_t *factor)
{
	int64_t grow = 1;

	*factor = 1;
	for (int s = scale; s > to->scale; s--)
		if (__builtin_mul_overflow(*factor, 10, factor))
			return false;
	for (int s = to->scale; s > scale; s--)
		if (__builtin_mul_overflow(grow, 10, &grow))
			return false;
	for (size_t i = 0; i < to->nr; i++) {
		int64_t dummy;

		if (__builtin_mul_overflow(to->point[i].value, grow, &dummy))
			return false;
	}
	for (size_t i = 0; i < to->nr; i++)
		to->point[i].value *= grow;
	if (scale < to->scale)
		to->scale = scale;
	return true;
}

static int by_time(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

size_t series_extend(struct profile *p, struct series *to, const struct series *from)
{
	size_t too_large = 0;
	int64_t factor;

	if (!match_scale(to, from->scale, &factor))
		return from->nr;
	for (size_t i = 0; i < from->nr; i++) {
		struct point at = from->point[i];

		if (__builtin_mul_overflow(at.value, factor, &at.value)) {
			too_large++;
			continue;
		}
		GROW(to->point, to->nr, to->cap);
		to->point[to->nr++] = at;
	}
	if (to->nr)
		qsort(to->point, to->nr, sizeof(*to->point), by_time);
	if (from->quantum > to->quantum)
		to->quantum = from->quantum;
	if (to->nr > PROFILE_POINTS_MAX)
		make_coarser(p, to);
	return too_large;
}

void series_append(struct profile *into, const struct profile *from)
{
	for (size_t i = 0; i < from->nr_series; i++) {
		const struct series *s = &from->series[i];
		struct span name = profile_peek(from, s->name);
		struct series *to = profile_series(into, name, profile_peek(from, s->unit),
						   profile_peek(from, s->scope));
		size_t dropped = to ? series_extend(into, to, s) : s->nr;

		if (dropped)
			notes_add(&into->notes, NOTE_COUNT_TOO_LARGE, dropped, 0, name);
	}
}

void series_cut(struct profile *p, const struct time_span *span)
{
	for (size_t i = 0; i < p->nr_series; i++) {
		struct series *s = &p->series[i];
		size_t kept = 0;

		for (size_t k = 0; k < s->nr; k++)
			if (s->point[k].time >= span->begin && s->point[k].time < span->end)
				s->point[kept++] = s->point[k];
		s->nr = kept;
	}
}
