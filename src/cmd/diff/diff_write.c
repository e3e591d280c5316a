/* Writes folded stacks with two counts; on request, those of before are scaled to be comparable. */
#include "cmd/diff/diff.h"
#include "fold/apart.h"
#include "write/folded.h"

#include <math.h>

static weight_sum total(const struct profile *p, uint32_t event)
{
	weight_sum sum = 0;

	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].event == event)
			sum += p->count[i].weight;
	return sum;
}

/* weight × after / before, without rounding errors if the product does not overflow. */
static weight_sum scale_weight(int64_t weight, weight_sum after, weight_sum before)
{
	weight_sum product;

	if (!__builtin_mul_overflow((weight_sum)weight, after, &product))
		return product / before;
	return (weight_sum)((long double)weight * (long double)after / (long double)before);
}

/* Scales the counts of before by after / before, rounding down. */
static void scale_before(struct profile *p, weight_sum before, weight_sum after)
{
	weight_sum whole = 1;

	for (int s = p->event[EVENT_BEFORE].scale; s < 0; s++)
		whole *= 10;
	if (before == after || before <= 0)
		return;
	for (size_t i = 0; i < p->nr_count; i++) {
		weight_sum scaled;

		if (p->count[i].event != EVENT_BEFORE)
			continue;
		scaled = scale_weight(p->count[i].weight, after, before);
		scaled -= scaled % whole;
		if (scaled > INT64_MAX || scaled < INT64_MIN) {
			notes_add(&p->notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
			scaled = scaled < 0 ? INT64_MIN : INT64_MAX;
		}
		p->count[i].weight = (int64_t)scaled;
	}
}

/* Makes the totals of both sides equal. */
static void normalize_total(struct profile *p)
{
	weight_sum before = total(p, EVENT_BEFORE), after = total(p, EVENT_AFTER);
	int scales = p->event[EVENT_BEFORE].scale - p->event[EVENT_AFTER].scale;

	for (; scales > 0; scales--)
		before *= 10;
	for (; scales < 0; scales++)
		after *= 10;
	scale_before(p, before, after);
}

/*
 * Scales before to the run time, and the sampling rate, of after; in whole billionths, so that the
 * arithmetic is exact.
 */
static void normalize_size(const struct diff_opts *o, struct diff_result *r)
{
	double size[2] = { 0 };

	for (size_t i = 0; r->run_size && i < r->nr_run; i++)
		size[i >= o->nr_before] += r->run_size[i];
	scale_before(&r->p, (weight_sum)llround(size[0] * 1e9), (weight_sum)llround(size[1] * 1e9));
}

int diff_write(const struct diff_opts *o, struct diff_result *r, struct error *e)
{
	static const bool is_before[DIFF_EVENTS] = { [EVENT_BEFORE] = true },
			  is_after[DIFF_EVENTS] = { [EVENT_AFTER] = true };
	struct folded_opts f = { .nr_column = 2, .in = { is_before, is_after } };
	struct output out;

	if (o->set_apart)
		apart_join(&r->p);
	switch (o->normalize) {
	case NORMALIZE_TOTAL:
		normalize_total(&r->p);
		break;
	case NORMALIZE_NONE:
	case NORMALIZE_DURATION:
		normalize_size(o, r);
		break;
	}
	if (output_open_whole(&out, o->output ? o->output : "-", e))
		return -1;
	f.spelling = r->spelling;
	r->nr_line = folded_write(&out, &r->p, &f);
	return output_close(&out, e);
}
