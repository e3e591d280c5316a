#include "read/counters.h"

#include "base/alloc.h"

#include <stdlib.h>

/* Points of a counter that are not in order yet: 512 KB. */
enum { RECENT_MAX = PROFILE_POINTS_MAX / 2 };

/* Times are signed, those of a series are not: this offset keeps their order. */
static const uint64_t time_zero = (uint64_t)1 << 63;

void counters_release(struct counters *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->at[i].series.point);
		free(c->at[i].recent.point);
	}
	free(c->at);
	intern_release(&c->keys);
	strbuf_release(&c->key);
	*c = (struct counters){ 0 };
}

static struct counter *find(struct counters *c, const struct counter_name *name)
{
	const struct span part[] = { name->name, name->unit, name->scope, name->process };
	struct profile *p = c->b->p;
	uint32_t known, i;

	strbuf_reset(&c->key);
	for (size_t k = 0; k < ARRAY_SIZE(part); k++) {
		strbuf_add(&c->key, part[k]);
		strbuf_addch(&c->key, '\0');
	}
	known = intern_find(&c->keys, strbuf_peek(&c->key), intern_hash(strbuf_peek(&c->key)));
	if (known != INTERN_NONE)
		return &c->at[known];
	if (c->nr == PROFILE_SERIES_MAX)
		return NULL;
	i = intern(&c->keys, strbuf_peek(&c->key));
	GROW(c->at, c->nr, c->cap);
	c->nr++;
	c->at[i] = (struct counter){
		.unit = profile_string(p, name->unit),
		.scope = profile_string(p, name->scope),
		.process = profile_string(p, name->process),
		.series = { .name = profile_string(p, name->name), .quantum = 1 },
		.recent = { .quantum = 1 },
	};
	return &c->at[i];
}

/* Adds the recent points to those that are in order. */
static void settle(struct counters *c, struct counter *at)
{
	size_t dropped = series_extend(c->b->p, &at->series, &at->recent);

	if (dropped)
		notes_add(&c->b->p->notes, NOTE_COUNT_TOO_LARGE, dropped, 0,
			  profile_peek(c->b->p, at->series.name));
	at->recent.nr = 0;
	at->recent.scale = 0;
	at->largest = 0;
}

/* Gives recent points at least this many digits. */
static void refine(struct counters *c, struct counter *at, int digits)
{
	while (-at->recent.scale < digits) {
		if (at->largest > INT64_MAX / 10)
			settle(c, at);
		for (size_t i = 0; i < at->recent.nr; i++)
			at->recent.point[i].value *= 10;
		at->largest *= 10;
		at->recent.scale--;
	}
}

int counters_add(struct counters *c, const struct counter_name *name, int64_t time,
		 struct decimal value, struct error *e)
{
	struct counter *at = find(c, name);
	struct series *recent;
	int64_t number;

	if (!at)
		return build_note(c->b, NOTE_COUNT_TOO_LARGE, name->name, e);
	recent = &at->recent;
	while (value.digits > 0 && value.value % 10 == 0) {
		value.value /= 10;
		value.digits--;
	}
	if (recent->nr == RECENT_MAX)
		settle(c, at);
	refine(c, at, value.digits);
	if (!decimal_at(value, -recent->scale, &number) || number == INT64_MIN) {
		/* It may overflow only because the recent points have more digits: try without them. */
		settle(c, at);
		refine(c, at, value.digits);
		if (!decimal_at(value, -recent->scale, &number) || number == INT64_MIN)
			return build_note(c->b, NOTE_COUNT_TOO_LARGE, name->name, e);
	}
	if (llabs(number) > at->largest)
		at->largest = llabs(number);
	GROW(recent->point, recent->nr, recent->cap);
	recent->point[recent->nr++] =
		(struct point){ .time = (uint64_t)time + time_zero, .value = number };
	return 0;
}

/* "process 12", and the scope */
static void add_scope(struct strbuf *text, const struct profile *p, const struct counter *at,
		      bool several)
{
	struct span process = profile_peek(p, at->process), scope = profile_peek(p, at->scope);

	strbuf_reset(text);
	if (several && process.size) {
		strbuf_add(text, SPAN("process "));
		strbuf_add(text, process);
	}
	if (text->size && scope.size)
		strbuf_addch(text, ' ');
	strbuf_add(text, scope);
}

void counters_finish(struct counters *c, int64_t first)
{
	uint64_t begin = (uint64_t)first + time_zero;
	struct profile *p = c->b->p;
	struct strbuf scope = { 0 };
	bool several = false;

	for (size_t i = 1; i < c->nr; i++)
		several |= c->at[i].process.i != c->at[0].process.i;
	for (size_t i = 0; i < c->nr; i++) {
		struct counter *at = &c->at[i];
		struct series *to;
		size_t dropped;

		settle(c, at);
		for (size_t k = 0; k < at->series.nr; k++) {
			uint64_t *time = &at->series.point[k].time;

			*time = *time > begin ? *time - begin : 0;
		}
		add_scope(&scope, p, at, several);
		to = profile_series(p, profile_peek(p, at->series.name), profile_peek(p, at->unit),
				    strbuf_peek(&scope));
		dropped = to ? series_extend(p, to, &at->series) : at->series.nr;
		if (dropped)
			notes_add(&p->notes, NOTE_COUNT_TOO_LARGE, dropped, 0,
				  profile_peek(p, at->series.name));
	}
	strbuf_release(&scope);
}
