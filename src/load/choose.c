#include "load/choose.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "fold/changes.h"
#include "fold/idle.h"
#include "fold/latency.h"
#include "fold/sums.h"
#include "fold/wakers.h"
#include "perf/wait_record.h"
#include "read/perf_script/script_header.h"

#include <stdlib.h>

static struct span first_part(struct span name)
{
	return span_upto(name, span_find(name, ':'));
}

/* Samples whose event has no name always match with EVENT_EXACT. */
static bool is_nameless(const struct choose_opts *o, struct span name)
{
	return o->event_match == EVENT_EXACT && span_is(name, "samples");
}

static bool is_chosen(const struct choose_opts *o, struct span name, struct span wanted)
{
	if (is_nameless(o, name))
		return true;
	if (span_eq(name, wanted))
		return true;
	/* A requested name with a colon matches only that event, not all with the same first part. */
	if (o->event_match == EVENT_FIRST_PART)
		return span_eq(first_part(name), o->event ? wanted : first_part(wanted));
	/* A name without modifiers matches all: `cycles` also means `cycles:u`. */
	return o->event_match == EVENT_NAME && o->event && name.size > wanted.size &&
	       name.at[wanted.size] == ':' && !memcmp(name.at, wanted.at, wanted.size);
}

/* Is it a comparison?  Its events may be followed by the excluded ones (fold/apart.h). */
static bool is_differential(const struct profile *p)
{
	return p->nr_event >= 2 && p->nr_event <= DIFF_EVENTS &&
	       span_is(profile_peek(p, p->event[0].name), "before") &&
	       span_is(profile_peek(p, p->event[1].name), "after");
}

static int unknown_event(struct span wanted, const struct profile *p, struct error *e)
{
	error_set(e, ERROR_INPUT, "unknown event '%.*s'; the input has: ", (int)wanted.size,
		  wanted.at);
	for (size_t i = 0; i < p->nr_event && !error_is_full(e); i++) {
		struct span name = profile_peek(p, p->event[i].name);

		error_add(e, "%s%.*s", i ? ", " : "", (int)name.size, name.at);
	}
	return -1;
}

/* Is the weight of that row just the number of samples of a row of another event? */
static bool is_number_of(const struct profile *p, const struct count *row)
{
	for (uint32_t i = 0; i < p->nr_event; i++) {
		struct count like = *row;
		const struct count *c;

		like.event = i;
		c = i != row->event ? profile_find_count(p, &like) : NULL;
		if (c && row->weight >= 0 && c->nr == (uint64_t)row->weight)
			return true;
	}
	return false;
}

/* By event: does it only have the numbers of samples of another event?  pprof has a column for these. */
static bool *find_numbers(const struct profile *p)
{
	bool *is = xcalloc(p->nr_event, sizeof(*is));

	for (size_t i = 0; i < p->nr_event; i++)
		is[i] = span_is(profile_peek(p, p->event[i].name), "samples");
	for (size_t i = 0; i < p->nr_count; i++)
		if (is[p->count[i].event] && !is_number_of(p, &p->count[i]))
			is[p->count[i].event] = false;
	return is;
}

/* Is an event of the same name shown?  Then this one is left out because of its unit. */
static bool is_shown(const struct profile *p, const bool *in, size_t event)
{
	for (size_t i = 0; i < p->nr_event; i++)
		if (in[i] && p->event[i].name.i == p->event[event].name.i)
			return true;
	return false;
}

/*
 * Should a note say that the event is not shown?  Not for waits, which every recording has, unless the output
 * lacks them, or time on and off CPU was recorded (--wall).  Not for CPU time without samples, which only
 * complements other events.
 */
static bool is_missed(const struct choose_opts *o, const struct profile *p, struct span event)
{
	if (!span_is(event, OFF_CPU))
		return !span_is(event, UNSAMPLED);
	for (size_t i = 0; i < p->nr_info; i++)
		if (span_is(profile_peek(p, p->info[i].key), FACT_TIME))
			return true;
	return o->loses_waits;
}

/* Adds notes about samples that are not shown, although the user did not choose the events. */
static void note_left_out(const struct choose_opts *o, struct profile *p,
			  const struct choose_hints *hints, const bool *in)
{
	/* Users expect to see all of several inputs: note what is not shown, even in a page. */
	bool others = !o->event && (!o->keeps_events || hints->nr_lead > 1);
	uint64_t *left_out = xcalloc(p->nr_event, sizeof(*left_out));
	bool *is_number = find_numbers(p);

	for (size_t i = 0; i < p->nr_count; i++)
		if (!in[p->count[i].event] && !is_number[p->count[i].event])
			left_out[p->count[i].event] += p->count[i].nr;
	for (size_t i = 0; i < p->nr_event; i++) {
		struct span name = profile_peek(p, p->event[i].name);

		if (left_out[i] && !o->keeps_events && is_shown(p, in, i))
			notes_add(&p->notes, NOTE_OTHER_UNIT, left_out[i], 0, name);
		else if (left_out[i] && others && is_missed(o, p, name))
			notes_add(&p->notes, NOTE_FILTERED, left_out[i], 0, name);
	}
	free(left_out);
	free(is_number);
}

bool choose_is_lead(const struct choose_hints *hints, const struct profile *p, uint32_t event)
{
	struct span name = perf_event_base(profile_peek(p, p->event[event].name));

	for (size_t i = 0; i < hints->nr_lead; i++)
		if (span_eq(perf_event_base(profile_peek(p, p->event[hints->lead[i]].name)), name))
			return true;
	return false;
}

/* The unit that an event would be counted in. */
static struct span counted(const struct choose_opts *o, const struct profile *p, uint32_t event)
{
	struct span unit = profile_peek(p, p->event[event].unit);
	bool clock = perf_event_is_clock(profile_peek(p, p->event[event].name));

	/* Weights with a fraction are not numbers of samples. */
	if (p->event[event].scale < 0)
		return unit;
	if (!unit.size || o->weight == WEIGHT_SAMPLES || (clock && o->weight == WEIGHT_AUTO))
		return SPAN("samples");
	return unit;
}

/* Shows the leads of all inputs that have the unit of the first one. */
static void choose_leads(const struct choose_opts *o, const struct profile *p,
			 const struct choose_hints *hints, bool *in)
{
	struct span unit = counted(o, p, hints->lead[0]);

	for (uint32_t i = 0; i < p->nr_event; i++)
		in[i] = choose_is_lead(hints, p, i) && span_eq(counted(o, p, i), unit);
}

/*
 * The first event with weight: a recorded event may never have occurred.  CPU time without samples is only shown with
 * other events.  inferno takes the first event of the input, even if it drops all its samples because they have no
 * stack.
 */
static struct span first_event(const struct choose_opts *o, const struct profile *p)
{
	uint32_t first = o->event_match == EVENT_FIRST_PART ? 0 : UINT32_MAX;

	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];

		if (c->event < first && c->weight &&
		    !is_nameless(o, profile_peek(p, p->event[c->event].name)) &&
		    !span_is(profile_peek(p, p->event[c->event].name), UNSAMPLED))
			first = c->event;
	}
	return profile_peek(p, p->event[first < p->nr_event ? first : 0].name);
}

/* Marks the events with that name and the unit of the first of them; false: there are none. */
static bool mark_named(const struct choose_opts *o, const struct profile *p, struct span name,
		       bool *in)
{
	char buf[256];
	/* cpu_core/cycles/ and cpu_atom/cycles/ were both read as cycles. */
	struct span wanted = perf_event_name(name, buf, sizeof(buf));
	struct span unit = SPAN("");
	bool any = false;

	for (uint32_t i = 0; i < p->nr_event; i++) {
		if (!is_chosen(o, profile_peek(p, p->event[i].name), wanted))
			continue;
		if (!any)
			unit = counted(o, p, i);
		any = true;
		/* The scripts that drop-ins replace do not have units. */
		in[i] |= o->event_match != EVENT_NAME || span_eq(counted(o, p, i), unit);
	}
	if (any || o->event_match != EVENT_NAME || !span_is(name, "cpu"))
		return any;
	/* `wick record -e cpu` records the best event of the machine, under that event's name. */
	for (size_t i = 0; i < p->nr_event; i++) {
		struct span event = profile_peek(p, p->event[i].name);

		if (perf_event_is_cpu(event))
			return mark_named(o, p, perf_event_base(event), in);
	}
	return false;
}

/* Marks the events with the names that were given. */
static int mark_given(const struct choose_opts *o, const struct profile *p, bool *in,
		      struct error *e)
{
	struct span names = span_of(o->event);

	/* The name of an event may contain a comma. */
	if (mark_named(o, p, names, in) || o->event_may_miss || !p->nr_event)
		return 0;
	if (o->event_match != EVENT_NAME)
		return unknown_event(names, p, e);
	do {
		size_t comma = span_find(names, ',');
		struct span name = span_upto(names, comma);

		if (!mark_named(o, p, name, in))
			return unknown_event(name, p, e);
		names = span_from(names, comma + 1);
	} while (names.size);
	return 0;
}

/* Marks the events to show. */
static int mark_shown(const struct choose_opts *o, const struct profile *p,
		      const struct choose_hints *hints, bool *in, struct error *e)
{
	if (o->event && !strcmp(o->event, "all"))
		memset(in, true, p->nr_event);
	else if (o->event && mark_given(o, p, in, e))
		return -1;
	else if (!o->event && p->nr_event)
		mark_named(o, p, first_event(o, p), in);
	if (!o->event && hints->nr_lead)
		choose_leads(o, p, hints, in);
	return 0;
}

/* If the filter drops all samples of the shown events, shows the first event that still has some. */
static void show_what_is_left(const struct choose_opts *o, const struct profile *p, bool *in)
{
	bool any = false;

	for (size_t i = 0; i < p->nr_count; i++) {
		if (in[p->count[i].event])
			return;
		any |= p->count[i].weight != 0;
	}
	if (!any)
		return;
	memset(in, false, p->nr_event);
	mark_named(o, p, first_event(o, p), in);
}

/* Is it a measured time, such as that of waits?  It has no samples to count. */
static bool is_measured_time(const struct profile *p, size_t event)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	struct span unit = profile_peek(p, p->event[event].unit);

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (span_is(unit, units[i]))
			return p->event[event].source == SOURCE_MEASURED;
	return false;
}

/*
 * Is one of the shown events a clock?  It is sampled at a fixed rate, so its samples can be counted; but
 * not together with measured times: then its samples are weighted with the time they represent.
 */
static bool is_clock(const struct profile *p, const bool *in)
{
	bool any = false;

	for (size_t i = 0; i < p->nr_event; i++) {
		if (in[i] && is_measured_time(p, i))
			return false;
		any |= in[i] && perf_event_is_clock(profile_peek(p, p->event[i].name));
	}
	return any;
}

/* Is there an earlier shown event that differs only in modifiers? */
static bool is_named_before(const struct profile *p, const bool *in, uint32_t event)
{
	struct span name = perf_event_base(profile_peek(p, p->event[event].name));

	for (uint32_t i = 0; i < event; i++)
		if (in[i] && span_eq(perf_event_base(profile_peek(p, p->event[i].name)), name))
			return true;
	return false;
}

/* Is time on and off CPU shown together? */
static bool is_wall(const struct profile *p, const bool *in)
{
	bool on = false, off = false;

	for (size_t i = 0; i < p->nr_event; i++) {
		on |= in[i] && p->event[i].source == SOURCE_SAMPLED;
		off |= in[i] && span_is(profile_peek(p, p->event[i].name), OFF_CPU);
	}
	return on && off;
}

/* Are all shown events times in ns, so that their sum is a time, too? */
static bool are_times(const struct profile *p, const bool *in)
{
	for (size_t i = 0; i < p->nr_event; i++)
		if (in[i] && !span_is(profile_peek(p, p->event[i].unit), "ns"))
			return false;
	return true;
}

/* Notes how different events are added up: "as samples: cpu-clock, page-faults". */
static void note_summed(struct profile *p, const struct chosen *c)
{
	struct strbuf text = { 0 };
	size_t nr = 0;

	strbuf_add(&text, c->samples ? SPAN("as samples:") : SPAN("by weight:"));
	for (uint32_t i = 0; i < p->nr_event; i++) {
		if (!c->in[0][i] || is_named_before(p, c->in[0], i))
			continue;
		strbuf_add(&text, nr++ ? SPAN(", ") : SPAN(" "));
		strbuf_add(&text, perf_event_base(profile_peek(p, p->event[i].name)));
	}
	/* The sum of time on and off CPU was requested, and needs no note. */
	if (nr > 1 && !(is_wall(p, c->in[0]) && are_times(p, c->in[0]) && !c->samples))
		notes_add(&p->notes, NOTE_SUMMED, 1, 0, strbuf_peek(&text));
	strbuf_release(&text);
}

/* Keeps only sampled events of one unit, and adds CPU time without samples if it has that unit.  -1: none is left. */
static int leave_sampled(const struct profile *p, bool *in, struct error *e)
{
	const struct event *first = NULL;

	for (size_t i = 0; i < p->nr_event; i++) {
		const struct event *event = &p->event[i];

		in[i] &= event->source == SOURCE_SAMPLED &&
			 (!first ||
			  (event->unit.i == first->unit.i && event->scale == first->scale));
		if (in[i])
			first = event;
	}
	for (size_t i = 0; first && i < p->nr_event; i++)
		in[i] |= span_is(profile_peek(p, p->event[i].name), UNSAMPLED) &&
			 p->event[i].unit.i == first->unit.i && p->event[i].scale == first->scale;
	if (first)
		return 0;
	return error_set(e, ERROR_INPUT,
			 "--weight latency requires sampled events, such as cpu-clock or cycles");
}

/* Replaces the shown events by the event `latency`, which is computed from them. */
static int choose_latency(struct profile *p, struct chosen *c, struct error *e)
{
	struct latency l = { .nr_sample = 1 };

	/* The input may already have it. */
	while (l.event < p->nr_event && !span_is(profile_peek(p, p->event[l.event].name), LATENCY))
		l.event++;
	if (l.event == p->nr_event) {
		if (leave_sampled(p, c->in[0], e))
			return -1;
		l = latency_add(p, c->in[0]);
	}
	if (l.nr_sample && l.nr_sample == l.nr_alone) {
		error_set(
			e, ERROR_INPUT,
			"--weight latency requires thread counts, which this input does not have");
		return error_hint(e, "%s", sum_key_row(SUM_PARALLELISM)->hint);
	}
	if (l.nr_alone)
		notes_add(&p->notes, NOTE_PARALLELISM, l.nr_alone, 0, SPAN(""));
	free(c->in[0]);
	c->in[0] = xcalloc(p->nr_event, sizeof(*c->in[0]));
	c->in[0][l.event] = true;
	return 0;
}

static bool has_waits(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_event; i++)
		if (span_is(profile_peek(p, p->event[i].name), OFF_CPU))
			return true;
	return false;
}

/* Do its stacks contain frames of wakers, as those of offwaketime do? */
static bool has_wakers(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_frame; i++)
		if (p->frame[i].flags & FRAME_WAKER)
			return true;
	return false;
}

/* Appends the stacks of wakers to those of the waits. */
static int show_wakers(const struct choose_opts *o, struct profile *p, struct error *e)
{
	size_t nr = 0;

	if (o->event && strcmp(o->event, OFF_CPU) != 0)
		return error_set(e, ERROR_USAGE, "--wakers requires --event " OFF_CPU ", not %s",
				 o->event);
	for (uint32_t i = 0; i < p->nr_event; i++)
		if (span_is(profile_peek(p, p->event[i].name), OFF_CPU))
			nr += wakers_apply(p, i);
	if (nr)
		return 0;
	if (has_wakers(p)) {
		error_set(e, ERROR_INPUT, "the stacks of the input contain the wakers already");
		return error_hint(e, "omit --wakers");
	}
	error_set(e, ERROR_INPUT,
		  "the input has no wakers: it does not record which threads ended waits");
	return error_hint(e, "record as root: sudo wick record --off-cpu …");
}

void choose_merge_idle(struct profile *p, const struct chosen *c)
{
	if (c->nr_column == 1 && is_wall(p, c->in[0]))
		idle_fold(p, c->in[0]);
}

int choose_events(const struct choose_opts *given, struct profile *p,
		  const struct choose_hints *hints, struct chosen *c, struct error *e)
{
	struct choose_opts with_event = *given, *o = &with_event;
	bool *shown = xcalloc(p->nr_event, sizeof(*shown));

	if (o->per_thread)
		o->spell |= SPELL_PID | SPELL_TID;
	*c = (struct chosen){ .nr_column = 1,
			      .in = { shown },
			      .spelling = (hints->spelling | o->spell) & ~o->spell_not,
			      .input_spelling = hints->spelling };
	if (o->wakers && show_wakers(o, p, e)) {
		chosen_release(c);
		return -1;
	}
	/* Only waits have reasons. */
	if (o->wakers || (!o->event && o->filter && o->filter->nr_reason && has_waits(p)))
		o->event = OFF_CPU;
	if (is_differential(p) && !o->event) {
		c->nr_column = 2;
		shown[0] = true;
		c->in[1] = xcalloc(p->nr_event, sizeof(*c->in[1]));
		c->in[1][1] = true;
	} else if (mark_shown(o, p, hints, shown, e)) {
		chosen_release(c);
		return -1;
	}
	/* Latency is computed from the events chosen so far. */
	if (o->weight == WEIGHT_LATENCY && c->nr_column == 1) {
		note_left_out(o, p, hints, c->in[0]);
		if (choose_latency(p, c, e)) {
			chosen_release(c);
			return -1;
		}
	}
	if (!o->keeps_threads)
		choose_merge_idle(p, c);
	if (o->filter && filter_apply(p, o->filter, c->spelling, e)) {
		chosen_release(c);
		return -1;
	}
	if (c->nr_column == 1 && o->weight != WEIGHT_LATENCY) {
		if (o->filter && !o->event)
			show_what_is_left(o, p, c->in[0]);
		note_left_out(o, p, hints, c->in[0]);
	}
	c->samples =
		o->weight == WEIGHT_SAMPLES || (o->weight == WEIGHT_AUTO && is_clock(p, c->in[0]));
	if (c->nr_column == 1 && o->event_match == EVENT_NAME)
		note_summed(p, c);
	return 0;
}

int choose_nothing(const struct choose_opts *o, struct error *e)
{
	if (o->filter)
		return error_set(e, ERROR_INPUT, "no stacks left: the filter drops all samples");
	return error_set(e, ERROR_INPUT, "no stacks found: the input has no samples");
}

int choose_weightless(const struct profile *p, struct error *e)
{
	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].weight)
			return 0;
	return error_set(e, ERROR_INPUT, "all samples have weight 0");
}
