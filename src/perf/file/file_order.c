/*
 * The kernel's records.  Those of one CPU are sorted by time, those of different CPUs are not: they
 * wait in a queue until no earlier one can arrive, then ingest/ adds them to the profile.
 */
#include "base/alloc.h"
#include "perf/file/perf_data.h"
#include "read/perf_script/script_header.h"

#define NO_EVENT UINT32_MAX

static bool is_dummy(const struct attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY;
}

static uint32_t add_event(struct perf_data *d, size_t attr)
{
	struct strbuf name = { 0 };
	uint32_t event;

	attrs_name(&name, &d->attrs, attr);
	event = perf_event_add(d->b->p, strbuf_peek(&name));
	if (!d->attrs.attr[attr].freq)
		d->b->p->event[event].period = d->attrs.attr[attr].period;
	strbuf_release(&name);
	return event;
}

/*
 * Adds the events to the profile, in the order of the recording; a dummy event, which only tracks
 * mappings, is added when it has a sample.
 */
static void add_events(struct perf_data *d)
{
	while (d->nr_event < d->attrs.nr) {
		d->event = xreallocarray(d->event, d->nr_event + 1, sizeof(*d->event));
		d->event[d->nr_event] = is_dummy(&d->attrs.attr[d->nr_event])
						? NO_EVENT
						: add_event(d, d->nr_event);
		d->nr_event++;
	}
}

/* The event of the profile for an attr. */
static uint32_t event_of(struct perf_data *d, size_t attr)
{
	add_events(d);
	if (d->event[attr] == NO_EVENT)
		d->event[attr] = add_event(d, attr);
	return d->event[attr];
}

/* Returns the record's attr; -1 when it cannot be decoded. */
static int decode(const struct perf_data *d, struct span bytes, struct record *r)
{
	int i = attrs_of_record(&d->attrs, bytes, d->order);

	return i >= 0 && record_decode(r, &d->attrs.attr[i], bytes, d->order) ? i : -1;
}

/*
 * Does the sample have the values of a group of counters (PERF_SAMPLE_READ)?  Then, as in perf, it
 * is a sample of each counter that has changed since the last one.  False also if the first counter
 * is unknown: then it is an ordinary sample of its own event.
 */
static bool has_counters(const struct perf_data *d, const struct record *r, const struct attr *a)
{
	uint64_t id, value;

	return r->kind == RECORD_SAMPLE && a->sample_type & PERF_SAMPLE_READ &&
	       !d->ingest.chains_only && sample_counter(&r->sample, a, 0, &id, &value) &&
	       attrs_find_id(&d->attrs, id) >= 0;
}

static int ingest_counters(struct perf_data *d, const struct record *r, const struct attr *a,
			   struct error *e)
{
	uint32_t tid = a->inherit ? r->tid : 0;
	uint64_t id, value;

	for (size_t i = 0; sample_counter(&r->sample, a, i, &id, &value); i++) {
		int attr = attrs_find_id(&d->attrs, id);
		struct record one = *r;

		if (attr < 0)
			continue;
		one.sample.period = readings_since(&d->readings, id, tid, value);
		if (one.sample.period &&
		    ingest_record(&d->ingest, &one, a, event_of(d, (size_t)attr), e))
			return -1;
	}
	return 0;
}

static int ingest_decoded(struct perf_data *d, struct span bytes, const struct record *r, int attr,
			  struct error *e)
{
	const struct attr *a = &d->attrs.attr[attr];
	uint32_t event = 0;

	if (!d->sched.is_known)
		perf_sched_begin(d);
	/* The event of waits, which ingest makes from switches, comes after all others. */
	if (a->switches)
		add_events(d);
	if (r->kind == RECORD_SAMPLE && !wait_record_is_of(a))
		event = event_of(d, (size_t)attr);
	if (has_counters(d, r, a))
		return ingest_counters(d, r, a, e);
	if (ingest_record(&d->ingest, r, a, event, e) ||
	    (r->kind == RECORD_SAMPLE && perf_sched_sample(d, r, attr, e)))
		return -1;
	/*
	 * Records of the section of waits are not copied one by one: the copy gets the whole
	 * section.
	 */
	if (!perf_waits_has(d, bytes))
		perf_copy_record(d, bytes, r, a);
	return 0;
}

/* Ingests a sample that waited for the rest of its call chain. */
static int ingest_deferred(void *arg, struct span bytes, struct error *e)
{
	struct perf_data *d = arg;
	struct record r;
	int attr = decode(d, bytes, &r);

	return attr < 0 ? 0 : ingest_decoded(d, bytes, &r, attr, e);
}

int perf_kernel_turn(void *arg, struct span bytes, struct error *e)
{
	struct perf_data *d = arg;
	struct record r;
	int attr = decode(d, bytes, &r);

	if (attr < 0)
		return perf_data_note(d, NOTE_BAD_RECORD, "truncated record", e);
	if (r.kind == RECORD_SAMPLE && deferred_hold(&d->deferred, &r, bytes))
		return 0;
	if (r.kind == RECORD_DEFERRED)
		return deferred_join(&d->deferred, &r, d->order, ingest_deferred, d, e);
	return ingest_decoded(d, bytes, &r, attr, e);
}

int perf_kernel_record(struct perf_data *d, struct span bytes, struct error *e)
{
	int i = attrs_of_record(&d->attrs, bytes, d->order);
	struct record r;

	if (i < 0)
		return perf_data_note(d, NOTE_BAD_RECORD, "unknown event ID", e);
	d->is_declared = true;
	/* A malformed record has no time: it does not wait, and perf_kernel_turn() adds a note. */
	if (!record_decode(&r, &d->attrs.attr[i], bytes, d->order))
		r.time = 0;
	d->time = r.time ? r.time : d->time;
	if (perf_waits_queue(d, r.time, e))
		return -1;
	return feed_stays(&d->feed, bytes) ? queue_add_staying(&d->queue, r.time, bytes, e)
					   : queue_add(&d->queue, r.time, bytes, e);
}

int perf_kernel_end(struct perf_data *d, struct error *e)
{
	return perf_waits_queue(d, UINT64_MAX, e) || queue_end(&d->queue, e)
		       ? -1
		       : deferred_end(&d->deferred, ingest_deferred, d, e);
}
