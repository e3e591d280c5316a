/* Reads the files of both sides into one profile with two events, `before` and `after`. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "cmd/diff/diff.h"
#include "cmd/diff/sides.h"
#include "fold/apart.h"
#include "read/perf_script/script_header.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* foo+0x12ab → foo+0x... */
static void strip_hex(struct strbuf *out, struct span name)
{
	while (name.size) {
		size_t n = span_find_text(name, "0x"), digits = n + 2;

		while (digits < name.size && is_hex(name.at[digits]))
			digits++;
		strbuf_add(out, span_upto(name, digits));
		if (digits > n + 2) {
			out->size -= digits - n - 2;
			strbuf_add(out, SPAN("..."));
		}
		name = span_from(name, digits);
	}
}

/* From a file's first sample to its last, in seconds; 0: they have no times. */
static double seconds_of(const struct profile *p)
{
	uint64_t begin = UINT64_MAX, end = 0;

	for (size_t i = 0; i < p->nr_tick; i++) {
		if (!profile_ticks_timed(p, p->tick[i].event))
			continue;
		begin = p->tick[i].time < begin ? p->tick[i].time : begin;
		end = p->tick[i].time > end ? p->tick[i].time : end;
	}
	return end > begin ? (double)(end - begin) / 1e9 : 0;
}

/*
 * The period of a sample, if samples of a clock are counted, whose sampling rate may differ between files.  0:
 * unknown, or --weight samples was given.
 */
static double period_of(const struct diff_opts *o, const struct profile *p, const struct chosen *c,
			const bool *in)
{
	double weight = 0, nr = 0;

	if (!c->samples || o->choose.weight == WEIGHT_SAMPLES)
		return 0;
	for (size_t i = 0; i < p->nr_count; i++)
		if (in[p->count[i].event]) {
			weight += (double)p->count[i].weight;
			nr += (double)p->count[i].nr;
		}
	/* In text without periods, each sample weighs 1. */
	return weight > nr ? weight / nr : 0;
}

static bool all_known(const struct profile *p, const bool *in)
{
	for (uint32_t i = 0; i < p->nr_event; i++)
		if (in[i] && !samples_known(p, i))
			return false;
	return true;
}

/* The unit of a file; none if it is "samples", but it is not known whether the counts are samples. */
static struct span unit_of(const struct profile *p, const struct chosen *c, const bool *in)
{
	struct span unit = chosen_unit(p, c);

	return span_is(unit, "samples") && !all_known(p, in) ? SPAN("") : unit;
}

static bool is_number(struct span unit)
{
	return !unit.size || span_is(unit, "samples");
}

/* The event of a side, for all its files; if their units differ, it has none or "count". */
static uint32_t side_event(struct profile *p, struct span side, struct span unit)
{
	for (uint32_t i = 0; i < p->nr_event; i++) {
		struct span own = profile_peek(p, p->event[i].unit);

		if (!span_eq(profile_peek(p, p->event[i].name), side))
			continue;
		if (!span_eq(own, unit))
			p->event[i].unit = profile_string(
				p, is_number(own) && is_number(unit) ? SPAN("") : SPAN("count"));
		return i;
	}
	return profile_event(p, side, unit);
}

/* Adds the names of the chosen events as facts; "samples" says nothing about the event. */
static void add_event_facts(struct profile *p, const bool *in)
{
	for (uint32_t i = 0; i < p->nr_event; i++) {
		struct span name = perf_event_base(profile_peek(p, p->event[i].name));

		if (in[i] && !span_is(name, "samples"))
			profile_inform(p, SPAN(EVENT_FACT), name);
	}
}

/* Is there an event without a unit, which may be samples?  If they are_samples, sets the unit. */
static bool find_untold(struct profile *p, const bool *in, bool are_samples)
{
	bool found = false;

	for (uint32_t i = 0; i < p->nr_event; i++) {
		if (!in[i] || profile_peek(p, p->event[i].unit).size)
			continue;
		found = true;
		if (are_samples)
			p->event[i].unit = profile_string(p, SPAN("samples"));
	}
	return found;
}

/* cpu-clock:u: no sample was taken in the kernel. */
static bool is_user_only(const struct profile *p, const bool *in)
{
	bool any = false;

	for (uint32_t i = 0; i < p->nr_event; i++) {
		struct span name = profile_peek(p, p->event[i].name);
		struct span modifiers = span_from(name, perf_event_base(name).size);

		if (!in[i])
			continue;
		if (span_find(modifiers, 'u') == modifiers.size ||
		    span_find(modifiers, 'k') < modifiers.size)
			return false;
		any = true;
	}
	return any;
}

/* Drops the samples that were taken in the kernel. */
static void drop_kernel(struct profile *p)
{
	bool *keep = xcalloc(p->nr_stack, sizeof(*keep));

	for (size_t i = 0; i < p->nr_stack; i++)
		keep[i] = p->frame[p->stack[i].frame.i].kind != FRAME_KERNEL;
	profile_recount(p, &(struct recount){ .keep = keep });
	free(keep);
}

struct side {
	struct span name;
	const char *const *file;
	size_t nr;
};

/* One file of a side. */
struct run {
	const char *file;
	struct span side;
	struct span number; /* its index in the side, from 1; empty if it is the only one */
};

static void add_run(const struct diff_opts *o, struct load_result *in, const struct chosen *c,
		    const struct run *run, struct diff_result *r)
{
	/* If the file is a comparison itself, its `after` is used. */
	const bool *shown = c->in[c->nr_column - 1];
	struct merge_opts how = {
		.in = shown,
		.samples = c->samples,
		.rename = o->strip_hex ? strip_hex : NULL,
		.key = run->number.size ? SPAN(RUN_LABEL) : SPAN(""),
		.value = run->number,
	};
	uint32_t event;

	if (c->nr_column == 2)
		notes_add(&in->p.notes, NOTE_ONLY_AFTER, 1, 0, span_of(run->file));
	else
		add_event_facts(&in->p, shown);
	r->nr_user_only += is_user_only(&in->p, shown);
	r->untold |= find_untold(&in->p, shown, o->counts_are_samples);
	event = side_event(&r->p, run->side, unit_of(&in->p, c, shown));
	how.as = &event;
	sides_mark(&in->p, run->side);
	profile_merge_with(&r->p, &in->p, &how);
	for (uint32_t i = 0; i < in->p.nr_event; i++)
		if (shown[i] && in->p.event[i].source == SOURCE_MEASURED)
			r->p.event[event].source = SOURCE_MEASURED;
	r->spelling = r->nr_run ? spelling_join(r->spelling, c->spelling) : c->spelling;
	r->unmarked |= !spelling_has_marks(&in->p);
	r->period[r->nr_run] = period_of(o, &in->p, c, shown);
	r->run_time[r->nr_run++] = seconds_of(&in->p);
}

static int no_times(const char *file, struct error *e)
{
	error_set(e, ERROR_INPUT, "%s: unknown duration: its samples have no timestamps", file);
	return error_hint(e, "compare shares instead: --normalize total");
}

static int read_run(const struct diff_opts *o, const struct run *run, struct diff_result *r,
		    struct error *e)
{
	bool in_time = o->normalize == NORMALIZE_DURATION;
	struct load_opts in = o->in;
	struct load_result result;
	struct chosen c = { 0 };
	int ret;

	in.file = &run->file;
	in.nr_file = 1;
	in.several = true;
	in.read.ticks |= in_time;
	ret = load(&in, &result, e);
	if (!ret && choose_events(&o->choose, &result.p, &result.hints, &c, e))
		ret = error_within(e, "%s", run->file);
	if (!ret)
		add_run(o, &result, &c, run, r);
	else
		notes_merge(&r->p.notes, &result.p.notes);
	if (!ret && in_time && r->run_time[r->nr_run - 1] <= 0)
		ret = no_times(run->file, e);
	chosen_release(&c);
	load_release(&result);
	return ret;
}

static int read_side(const struct diff_opts *o, const struct side *side, struct diff_result *r,
		     struct error *e)
{
	int ret = 0;

	for (size_t i = 0; i < side->nr && !ret; i++) {
		struct run run = { .file = side->file[i], .side = side->name };
		char number[24] = "";

		if (side->nr > 1)
			snprintf(number, sizeof(number), "%zu", i + 1);
		run.number = span_of(number);
		ret = read_run(o, &run, r, e);
	}
	return ret;
}

/* Do the sampling rates of the recordings differ?  No, if one is unknown. */
static bool rates_differ(const struct diff_result *r)
{
	bool differ = false;

	for (size_t i = 0; i < r->nr_run; i++) {
		if (r->period[i] <= 0)
			return false;
		differ |= fabs(r->period[i] / r->period[0] - 1) > 0.01;
	}
	return differ;
}

static void measure_runs(const struct diff_opts *o, struct diff_result *r)
{
	bool differ = rates_differ(r), in_time = o->normalize == NORMALIZE_DURATION;
	double last = r->period[r->nr_run - 1];

	if (!in_time && !differ)
		return;
	r->run_size = xcalloc(r->nr_run, sizeof(*r->run_size));
	for (size_t i = 0; i < r->nr_run; i++)
		r->run_size[i] = (in_time	     ? r->run_time[i]
				  : i < o->nr_before ? 1 / (double)o->nr_before
						     : 1 / (double)o->nr_after) *
				 (differ ? last / r->period[i] : 1);
}

int diff_read(const struct diff_opts *o, struct diff_result *r, struct error *e)
{
	const struct side before = { SPAN("before"), o->before, o->nr_before },
			  after = { SPAN("after"), o->after, o->nr_after };

	*r = (struct diff_result){ 0 };
	profile_init(&r->p);
	r->run_time = xcalloc(o->nr_before + o->nr_after, sizeof(*r->run_time));
	r->period = xcalloc(o->nr_before + o->nr_after, sizeof(*r->period));
	if (read_side(o, &before, r, e) || read_side(o, &after, r, e))
		return -1;
	r->other_event = sides_join(&r->p);
	if (r->other_event)
		r->p.event[EVENT_BEFORE].unit = r->p.event[EVENT_AFTER].unit =
			profile_string(&r->p, SPAN("count"));
	r->basis = changes_basis(&r->p);
	measure_runs(o, r);
	/* Folded stacks may not mark kernel functions: then marks would count as a difference. */
	if (o->match_roots && r->unmarked && spelling_marks_differ(&r->p))
		r->spelling &= ~(unsigned)SPELL_MARKS;
	if (o->match_roots)
		roots_match(&r->p, r->spelling, &r->matches);
	r->no_kernel = o->judged && r->nr_user_only && r->nr_user_only < r->nr_run;
	if (r->no_kernel)
		drop_kernel(&r->p);
	if (o->set_apart)
		apart_split(&r->p, r->basis, r->apart);
	return 0;
}

void diff_release(struct diff_result *r)
{
	profile_release(&r->p);
	root_matches_release(&r->matches);
	free(r->run_time);
	free(r->period);
	free(r->run_size);
	r->run_time = r->period = r->run_size = NULL;
}
