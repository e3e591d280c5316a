/*
 * Recordings of `perf sched record`: samples of the scheduler's tracepoints on all CPUs.  They say
 * when each thread ran and waited, its stack when it began to wait, and which thread woke it.
 */
#include "base/alloc.h"
#include "perf/file/perf_data.h"

#include <stdlib.h>

/* Offsets of the used fields of the tracepoints, which have never changed. */
enum {
	COMMON_FLAGS = 2,
	IN_INTERRUPT = 0x08 | 0x10, /* flags of a hard or soft interrupt */
	SWITCH_PREV = 24,	    /* sched_switch: prev_pid, an int */
	SWITCH_STATE = 32,	    /* … prev_state, a long */
	SWITCH_NEXT = 56,	    /* … next_pid */
	SWITCH_SIZE = 60,
	STATES = 0xff, /* bits of the state: 0 if the thread was preempted while running */
	STATE_DEAD = 0x10 | 0x20 | 0x80,
	WAKING_PID = 24, /* sched_waking, sched_wakeup: pid */
	WAKING_SIZE = 28,
};

static const struct {
	const char *name;
	enum sched_says says;
} names[] = {
	{ "sched:sched_switch", SCHED_SWITCH },
	{ "sched:sched_waking", SCHED_WAKE },
	{ "sched:sched_wakeup", SCHED_WAKE },
};

/* Does the command line say that the recording has all switches of all CPUs? */
static bool is_sched_record(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_info; i++) {
		struct span command = profile_peek(p, p->info[i].value);

		if (span_is(profile_peek(p, p->info[i].key), "command") &&
		    span_find_text(command, "perf sched ") < command.size &&
		    span_find_text(command, " record") < command.size)
			return true;
	}
	return false;
}

void perf_sched_begin(struct perf_data *d)
{
	struct strbuf name = { 0 };

	d->sched.is_known = true;
	if (d->ingest.chains_only || d->ingest.waits.on || !is_sched_record(d->b->p))
		return;
	d->sched.nr = d->attrs.nr;
	d->sched.says = xcalloc(d->sched.nr, sizeof(*d->sched.says));
	for (size_t i = 0; i < d->sched.nr; i++) {
		strbuf_reset(&name);
		attrs_name(&name, &d->attrs, i);
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (span_is(strbuf_peek(&name), names[k].name))
				d->sched.says[i] = names[k].says;
		d->ingest.waits.on |= d->sched.says[i] == SCHED_SWITCH;
	}
	strbuf_release(&name);
	/* Adds the event of waits before those of the tracepoints, which count switches. */
	if (d->ingest.waits.on)
		profile_event(d->b->p, SPAN(OFF_CPU), SPAN("ns"));
	else
		d->sched.nr = 0;
}

static int take_switch(struct perf_data *d, const struct record *r, const struct attr *a,
		       struct error *e)
{
	struct ingest *g = &d->ingest;
	struct span raw = r->sample.raw;
	struct wait_record out = { .kind = WAIT_RECORD_OUT, .since = r->time };
	struct record one = { .cpu = r->cpu, .time = r->time };
	uint64_t state;

	if (raw.size < SWITCH_SIZE || load_u32(raw.at + SWITCH_PREV, d->order) != r->tid)
		return 0;
	state = load_u64(raw.at + SWITCH_STATE, d->order) & STATES;
	if (r->tid && ingest_wait(g, r, a, &out, e))
		return -1;
	g->waits.is_exact = false; /* threads blocked before the first sample have no stack */
	one.kind = state & STATE_DEAD ? RECORD_EXIT : RECORD_SWITCH;
	one.pid = r->pid;
	one.tid = r->tid;
	if (one.kind == RECORD_SWITCH) {
		one.sched.out = true;
		one.sched.preempted = !state;
	}
	waits_take(&g->waits, &one);
	one.kind = RECORD_SWITCH;
	one.sched.out = false;
	one.tid = load_u32(raw.at + SWITCH_NEXT, d->order);
	one.pid = process_of(&g->processes, one.tid);
	if (one.pid == THREAD_UNKNOWN)
		one.pid = one.tid;
	waits_take(&g->waits, &one);
	return 0;
}

static int take_waking(struct perf_data *d, const struct record *r, const struct attr *a,
		       struct error *e)
{
	struct span raw = r->sample.raw;
	struct wait_record wake = { .kind = WAIT_RECORD_WAKE, .since = r->time };

	if (raw.size < WAKING_SIZE)
		return 0;
	wake.holder = load_u32(raw.at + WAKING_PID, d->order);
	wake.value = !r->tid || load_u16(raw.at + COMMON_FLAGS, d->order) & IN_INTERRUPT
			     ? WAKER_INTERRUPT
			     : WAKER_THREAD;
	return waits_knows(&d->ingest.waits, wake.holder) ? ingest_wait(&d->ingest, r, a, &wake, e)
							  : 0;
}

int perf_sched_sample(struct perf_data *d, const struct record *r, int attr, struct error *e)
{
	const struct attr *a = &d->attrs.attr[attr];
	struct wait_record begin = { .kind = WAIT_RECORD_BEGIN };
	struct record nobody = { .time = r->time, .pid = THREAD_NONE, .tid = THREAD_NONE };

	if ((size_t)attr >= d->sched.nr || !r->time || r->tid == THREAD_NONE)
		return 0;
	if (!d->ingest.waits.runs)
		waits_take_own(&d->ingest.waits, &nobody, &begin);
	switch (d->sched.says[attr]) {
	case SCHED_SWITCH:
		return take_switch(d, r, a, e);
	case SCHED_WAKE:
		return take_waking(d, r, a, e);
	case SCHED_NOTHING:
		break;
	}
	return 0;
}
