/*
 * What threads do between sampling points, as the switch records that the kernel would have written.  The kernel's
 * accounting of each thread says how long it ran and waited for a CPU; the rest of the time it was blocked.  When
 * each state began is only known to within a sampling period, but the sums are exact: time that the accounting of a
 * running thread does not include yet is made up for at a later sampling point.
 */
#include "record/ptrace/tracer.h"

#include "record/session.h"

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void emit_switch(struct tracer *t, const struct traced *k, bool out, bool preempted)
{
	struct record r = { .kind = RECORD_SWITCH,
			    .pid = (uint32_t)k->space->pid,
			    .tid = (uint32_t)k->tid,
			    .id = TRACE_ID_SWITCHES,
			    .time = k->emitted.until,
			    .sched = { .out = out, .preempted = preempted } };

	if (record_encode(&t->record, &r, t->switches, ORDER_HOST))
		strbuf_add(&t->out, strbuf_peek(&t->record));
}

/* Writes that the thread was in this state for `ns`. */
static void emit_state(struct tracer *t, struct traced *k, enum traced_state state, uint64_t ns)
{
	enum { MOMENT_NS = 1 };

	if (ns <= MOMENT_NS)
		return;
	/* Between two states off CPU, it runs for a moment. */
	if (state != k->emitted.state && k->emitted.state != TRACED_RUNNING) {
		emit_switch(t, k, false, false);
		k->emitted.until += MOMENT_NS;
		ns -= MOMENT_NS;
	}
	if (state != k->emitted.state && state != TRACED_RUNNING)
		emit_switch(t, k, true, state == TRACED_READY);
	k->emitted.state = state;
	k->emitted.until += ns;
}

/* The thread ran, so it may have another name, or may wait in code that was not mapped before. */
static void emit_changes(struct tracer *t, struct traced *k)
{
	tracer_emit_comm(t, k, false);
	tracer_emit_code(t, k, 0);
}

/*
 * For a thread that was not scheduled anew: how much of the time since the last round is CPU time that the
 * accounting does not include yet?  The kernel updates that of a running thread at each tick, 100 times a second or
 * more; any more than that was CPU wait.
 */
static uint64_t account_lag(const struct used *used, enum traced_now how, bool went_on,
			    uint64_t rest)
{
	const uint64_t tick = 10000000;

	if (!used->turns)
		return rest;
	return went_on && how != NOW_STOPPED ? least(rest, tick) : 0;
}

void traced_emit(struct tracer *t, struct traced *k, const struct used *used, enum traced_now how)
{
	struct traced_emitted *emitted = &k->emitted;
	uint64_t now = session_now(), rest = now > emitted->until ? now - emitted->until : 0;
	uint64_t running, ready, blocked, first;
	bool runs = how != NOW_BLOCKED;
	bool was_off = emitted->state == TRACED_BLOCKED, went_on = used->time > emitted->used.time;

	running = went_on ? least(used->time - emitted->used.time, rest) : 0;
	rest -= running;
	ready = used->waited > emitted->used.waited
			? least(used->waited - emitted->used.waited, rest)
			: 0;
	rest -= ready;
	/* It was not scheduled anew, so it was not blocked meanwhile. */
	if (runs && !was_off && used->turns == emitted->used.turns) {
		uint64_t lag = account_lag(used, how, went_on, rest);

		running += lag;
		ready += rest - lag;
		rest = 0;
	}
	emitted->used.time += running;
	emitted->used.waited += ready;
	emitted->used.turns = used->turns;
	/* While wick had stopped it, it counts as waiting for a CPU. */
	ready += least(emitted->stopped, rest);
	blocked = rest - least(emitted->stopped, rest);
	emitted->stopped = 0;
	first = !was_off ? 0 : runs ? blocked : blocked / 2;
	blocked -= first;
	emit_state(t, k, TRACED_BLOCKED, first);
	emit_state(t, k, TRACED_RUNNING, running);
	if (runs)
		emit_state(t, k, TRACED_BLOCKED, blocked);
	emit_state(t, k, TRACED_READY, ready);
	if (!runs)
		emit_state(t, k, TRACED_BLOCKED, blocked);
	emitted->until = now;
	if (went_on && !runs)
		emit_changes(t, k);
}

void traced_emit_from(struct traced *k)
{
	k->emitted = (struct traced_emitted){ .until = session_now(), .used = k->seen };
}

void traced_emit_last(struct tracer *t, struct traced *k)
{
	struct used used;

	if (t->switches && t->sampling && !k->waits && traced_used(k, &used))
		traced_emit(t, k, &used, NOW_STOPPED);
}
