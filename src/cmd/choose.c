/* Which events of a profile are shown, and whether their samples or their weights count. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "cmd/collapse.h"
#include "fold/changes.h"
#include "read/perf_header.h"

#include <stdlib.h>

static struct span event_key(const struct collapse_opts *o, struct span name)
{
	return o->event_match == EVENT_FIRST_PART ? span_upto(name, span_find(name, ':')) : name;
}

static bool is_chosen(const struct collapse_opts *o, struct span name, struct span wanted)
{
	if (span_eq(event_key(o, name), event_key(o, wanted)))
		return true;
	/* A name without modifiers stands for all: `cycles` is `cycles:u` too. */
	return o->event_match == EVENT_NAME && o->event && name.size > wanted.size &&
	       name.at[wanted.size] == ':' && !memcmp(name.at, wanted.at, wanted.size);
}

static bool is_differential(const struct profile *p)
{
	return p->nr_event == 2 && span_is(profile_peek(p, p->event[0].name), "before") &&
	       span_is(profile_peek(p, p->event[1].name), "after");
}

static int unknown_event(const struct collapse_opts *o, const struct profile *p, struct error *e)
{
	error_set(e, ERROR_INPUT, "no event '%s' in the input, which has: ", o->event);
	for (size_t i = 0; i < p->nr_event && !error_is_full(e); i++) {
		struct span name = profile_peek(p, p->event[i].name);

		error_add(e, "%s%.*s", i ? ", " : "", (int)name.size, name.at);
	}
	return -1;
}

static void note_left_out(struct profile *p, const bool *in)
{
	uint64_t *left_out = xcalloc(p->nr_event, sizeof(*left_out));

	for (size_t i = 0; i < p->nr_count; i++)
		if (!in[p->count[i].event])
			left_out[p->count[i].event] += p->count[i].nr;
	for (size_t i = 0; i < p->nr_event; i++)
		if (left_out[i])
			notes_add(&p->notes, NOTE_FILTERED, left_out[i], 0,
				  profile_peek(p, p->event[i].name));
	free(left_out);
}

bool collapse_is_lead(const struct collapse_result *r, uint32_t event)
{
	struct span name = perf_event_base(profile_peek(&r->p, r->p.event[event].name));

	for (size_t i = 0; i < r->nr_lead; i++)
		if (span_eq(perf_event_base(profile_peek(&r->p, r->p.event[r->lead[i]].name)),
			    name))
			return true;
	return false;
}

/* The unit that an event would be counted in. */
static struct span counted(const struct collapse_opts *o, const struct profile *p, uint32_t event)
{
	struct span unit = profile_peek(p, p->event[event].unit);
	bool clock = perf_event_is_clock(profile_peek(p, p->event[event].name));

	/* Weights with a fraction are no numbers of samples. */
	if (p->event[event].scale < 0)
		return unit;
	if (!unit.size || o->weight == WEIGHT_SAMPLES || (clock && o->weight == WEIGHT_AUTO))
		return SPAN("samples");
	return unit;
}

/* Shows the leads of all inputs that are counted in the unit of the first. */
static void choose_leads(const struct collapse_opts *o, const struct collapse_result *r, bool *in)
{
	struct span unit = counted(o, &r->p, r->lead[0]);

	for (uint32_t i = 0; i < r->p.nr_event; i++)
		in[i] = collapse_is_lead(r, i) && span_eq(counted(o, &r->p, i), unit);
}

/* The first event that has samples: a recorded event may never have happened. */
static struct span first_event(const struct profile *p)
{
	uint32_t first = UINT32_MAX;

	for (size_t i = 0; i < p->nr_count; i++)
		if (p->count[i].event < first)
			first = p->count[i].event;
	return profile_peek(p, p->event[first < p->nr_event ? first : 0].name);
}

/* Which events are written; the samples of the others are noted. */
static int choose_events(const struct collapse_opts *o, struct collapse_result *r, bool *in,
			 struct error *e)
{
	struct profile *p = &r->p;
	struct span wanted = SPAN("");
	bool any = false, all = o->event && !strcmp(o->event, "all");
	char name[256];

	/* perf_event_name(): cpu_core/cycles/ and cpu_atom/cycles/ were both read as cycles. */
	if (o->event)
		wanted = perf_event_name(span_of(o->event), name, sizeof(name));
	else if (p->nr_event)
		wanted = first_event(p);
	for (size_t i = 0; i < p->nr_event; i++) {
		in[i] = all || is_chosen(o, profile_peek(p, p->event[i].name), wanted);
		any |= in[i];
	}
	if (!any && p->nr_event && !o->event_may_miss)
		return unknown_event(o, p, e);
	if (!o->event && r->nr_lead)
		choose_leads(o, r, in);
	/* With several inputs, people expect to see all of them: note what is missing even in a page. */
	if (!o->event && (!o->keeps_events || r->nr_lead > 1))
		note_left_out(p, in);
	return 0;
}

/* Is one of the shown events a clock?  It ticks at a fixed rate, so its samples can be counted. */
static bool is_clock(const struct profile *p, const bool *in)
{
	for (size_t i = 0; i < p->nr_event; i++)
		if (in[i] && perf_event_is_clock(profile_peek(p, p->event[i].name)))
			return true;
	return false;
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
	if (nr > 1)
		notes_add(&p->notes, NOTE_SUMMED, 1, 0, strbuf_peek(&text));
	strbuf_release(&text);
}

int collapse_choose(const struct collapse_opts *o, struct collapse_result *r, struct chosen *c,
		    struct error *e)
{
	const struct profile *p = &r->p;
	bool *shown = xcalloc(p->nr_event, sizeof(*shown));

	*c = (struct chosen){ .nr_column = 1, .in = { shown } };
	c->spelling = (r->spelling | o->spell) & ~o->spell_not;
	if (is_differential(p) && !o->event) {
		c->nr_column = 2;
		shown[0] = true;
		c->in[1] = xcalloc(p->nr_event, sizeof(*c->in[1]));
		c->in[1][1] = true;
	} else if (choose_events(o, r, shown, e)) {
		chosen_release(c);
		return -1;
	}
	if (o->filter && filter_apply(&r->p, o->filter, c->spelling, e)) {
		chosen_release(c);
		return -1;
	}
	c->samples =
		o->weight == WEIGHT_SAMPLES || (o->weight == WEIGHT_AUTO && is_clock(p, shown));
	if (c->nr_column == 1 && o->event_match == EVENT_NAME)
		note_summed(&r->p, c);
	return 0;
}

struct span chosen_unit(const struct profile *p, const struct chosen *c)
{
	const bool *in = c->in[c->nr_column - 1];
	struct span unit = SPAN("");

	for (uint32_t i = 0; i < p->nr_event; i++) {
		struct span own = profile_peek(p, p->event[i].unit);

		if (!in[i])
			continue;
		if (!own.size || (c->samples && samples_known(p, i)))
			own = SPAN("samples");
		unit = !unit.size || span_eq(unit, own) ? own : SPAN("count");
	}
	return unit.size ? unit : SPAN("samples");
}

void chosen_release(struct chosen *c)
{
	free(c->in[0]);
	free(c->in[1]);
	*c = (struct chosen){ 0 };
}
