#include "fold/fade.h"

#include <math.h>

/* Faded weights are in thousandths: after FADE_LIVES half-lives, a weight of 1 is still one of these. */
enum { FADE_SCALE = -3 };

static uint64_t newest(const struct profile *p)
{
	uint64_t last = 0;

	for (size_t i = 0; i < p->nr_tick; i++)
		last = p->tick[i].time > last ? p->tick[i].time : last;
	return last;
}

/* The time span whose samples still count. */
static struct time_span remembered(const struct profile *p, uint64_t half_life)
{
	uint64_t last = newest(p), all;

	if (__builtin_mul_overflow(half_life, FADE_LIVES, &all) || all > last)
		all = last;
	return (struct time_span){ .begin = last - all, .end = UINT64_MAX };
}

void fade_forget(struct profile *p, uint64_t half_life)
{
	struct time_span span = remembered(p, half_life);

	if (!p->timed || !p->nr_tick)
		return;
	for (size_t i = 0; i < p->nr_tick; i++)
		if (p->tick[i].time < span.begin) {
			profile_recount(p, &(struct recount){ .span = &span });
			return;
		}
}

bool fade_apply(struct profile *p, uint64_t half_life)
{
	struct time_span span = remembered(p, half_life);
	uint64_t last = newest(p);
	size_t kept = 0;

	if (!p->timed || !p->nr_tick || !half_life)
		return false;
	for (uint32_t i = 0; i < p->nr_event; i++)
		/* Weights too large to be rescaled have enough digits to fade without it. */
		if (p->event[i].scale > FADE_SCALE)
			profile_rescale(p, i, FADE_SCALE);
	for (size_t i = 0; i < p->nr_tick; i++) {
		struct tick t = p->tick[i];
		double part = exp2(-(double)(last - t.time) / (double)half_life);

		/* A whole weight is left alone: it may have more digits than a double. */
		if (part < 1)
			t.weight = llround((double)t.weight * part);
		if (t.weight)
			p->tick[kept++] = t;
	}
	p->nr_tick = kept;
	profile_recount(p, &(struct recount){ .span = &span });
	return true;
}
