#include "ingest/waits.h"

#include "base/alloc.h"

#include <stdlib.h>

#define NO_EVENT UINT32_MAX

/* Limit of exited threads that are kept, because waits of other threads may get the stacks of theirs. */
enum { GONE_MAX = 4096 };

void waits_init(struct waits *w, struct profile *p, struct processes *processes)
{
	*w = (struct waits){ .p = p, .processes = processes };
	for (size_t i = 0; i < NR_WAIT_EVENTS; i++)
		w->event[i] = NO_EVENT;
}

void waits_release(struct waits *w)
{
	wait_tasks_release(&w->tasks);
	free(w->wait);
	free(w->sample);
	free(w->repeat);
	free(w->on_cpu);
	*w = (struct waits){ 0 };
}

/* Tasks */

static struct wait_task *find_task(const struct waits *w, uint32_t tid)
{
	return wait_tasks_find(&w->tasks, tid);
}

/* NULL: limit reached. */
static struct wait_task *add_task(struct waits *w, uint32_t pid, uint32_t tid)
{
	struct wait_task *task;

	if (w->tasks.nr_gone == GONE_MAX) {
		waits_settle(w);
		wait_tasks_drop_gone(&w->tasks);
	}
	task = wait_tasks_add(&w->tasks, pid, tid);
	if (task)
		task->since = w->begin;
	return task;
}

/* The live thread with this tid, which is added if it is new; NULL: limit reached. */
static struct wait_task *get_task(struct waits *w, uint32_t pid, uint32_t tid)
{
	struct wait_task *task = find_task(w, tid);

	return task && task->state != STATE_GONE && task->pid == pid ? task : add_task(w, pid, tid);
}

/* Intervals */

stack_id waits_push_reason(struct waits *w, stack_id stack, enum wait_reason reason)
{
	struct line line = { .function = profile_string(w->p, span_of(wait_reason_frame(reason))) };
	struct frame f = { .kind = FRAME_LABEL, .line = &line, .nr_line = 1 };

	return profile_push(w->p, stack, profile_frame(w->p, &f));
}

label_id waits_labels(struct waits *w, enum wait_reason reason, str_id lock)
{
	struct label label[] = {
		{ .key = profile_string(w->p, SPAN("reason")),
		  .value = profile_string(w->p, span_of(wait_reason_name(reason))) },
		{ .key = profile_string(w->p, SPAN("lock")), .value = lock },
	};

	return profile_labels(w->p, label, lock.i ? 2 : 1);
}

struct blocked_sample waits_reason(struct waits *w, enum wait_reason reason)
{
	return (struct blocked_sample){ .stack = waits_push_reason(w, (stack_id){ 0 }, reason),
					.labels = waits_labels(w, reason, (str_id){ 0 }),
					.reason = reason };
}

/* The event's number in the profile.  The first call adds the event. */
static uint32_t event_number(struct waits *w, enum wait_event which)
{
	static const char *const names[NR_WAIT_EVENTS] = {
		[EVENT_OFF_CPU] = OFF_CPU,
		[EVENT_UNSAMPLED] = UNSAMPLED,
	};
	uint32_t *event = &w->event[which];

	if (*event == NO_EVENT) {
		*event = profile_event(w->p, span_of(names[which]), SPAN("ns"));
		w->p->event[*event].source = SOURCE_MEASURED;
		w->p->event[*event].extent = EXTENT_SHARE;
	}
	return *event;
}

void waits_add_interval(struct waits *w, enum wait_event which, const struct wait_time *t,
			const struct blocked_sample *sample)
{
	uint32_t event = event_number(w, which);
	struct tick tick = { .time = t->begin,
			     .event = event,
			     .thread = t->thread,
			     .stack = sample->stack,
			     .labels = sample->labels,
			     .weight = (int64_t)t->weight };
	struct interval v = { .begin = t->begin,
			      .end = t->end,
			      .weight = (int64_t)t->weight,
			      .event = (uint16_t)event,
			      .thread = t->thread,
			      .stack = sample->stack,
			      .labels = sample->labels,
			      .link = t->link,
			      .nr = 1 };

	w->p->timed |= w->p->max_tick && t->begin;
	if (profile_add(w->p, &tick))
		notes_add(&w->p->notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
	else
		profile_add_extent(w->p, &v);
}

void waits_add(struct waits *w, const struct wait_time *t, const struct blocked_sample *sample)
{
	w->sums.off[sample->reason] += t->weight;
	if (t->weight > INT64_MAX)
		notes_add(&w->p->notes, NOTE_COUNT_TOO_LARGE, 1, 0, SPAN(""));
	if (w->sums_only || !t->weight || t->weight > INT64_MAX)
		return;
	waits_add_interval(w, EVENT_OFF_CPU, t, sample);
}

/* Changes of state */

static void set_state(struct waits *w, struct wait_task *task, enum wait_state to)
{
	task->state = to;
	waits_set_runs(w, task, to == STATE_RUNNING || to == STATE_ON);
}

size_t waits_running(struct waits *w, uint32_t pid, uint32_t tid)
{
	struct wait_task *task;

	if (!w->on || w->stopped || !tid || tid == THREAD_NONE)
		return 0;
	task = find_task(w, tid);
	if (!task)
		task = add_task(w, pid, tid);
	/* A sampled thread runs, even if no switch to it was recorded. */
	if (task && (task->state == STATE_UNKNOWN || task->state == STATE_NEW))
		waits_set_runs(w, task, true);
	return w->nr_running ? w->nr_running : 1;
}

static thread_id thread_of(const struct waits *w, const struct wait_task *task)
{
	return process_thread(w->processes, task->pid, task->tid);
}

/* When the current wait of a blocked thread began, with all its parts. */
static uint64_t wait_began(const struct wait_task *task)
{
	return task->parts_since ? task->parts_since : task->since;
}

/*
 * The stack at which the holder of the lock is blocked now, if the holder was sampled already; 0: unknown.  To be
 * called when the sample arrives, as the holder may block elsewhere later.
 */
static stack_id blocked_at(const struct waits *w, const struct blocked_sample *sample)
{
	const struct wait_task *task = sample->holder ? find_task(w, sample->holder) : NULL;

	/*
	 * The holder's wait must cover the whole sample: a holder that ran meanwhile may have held the lock
	 * elsewhere.
	 */
	return task && task->state == STATE_BLOCKED && task->has_sample &&
			       wait_began(task) <= sample->since
		       ? task->sample.stack
		       : (stack_id){ 0 };
}

/*
 * The stack at which the holder was blocked when the wait was sampled, from a sample of the holder before or after
 * that.  0: unknown, or the holder was running.
 */
static stack_id held_at(const struct waits *w, const struct wait_task *task)
{
	const struct blocked_sample *sample = &task->sample;
	const struct wait_task *holder = sample->holder ? find_task(w, sample->holder) : NULL;
	stack_id now = blocked_at(w, sample);

	if (task->held_at.i)
		return task->held_at;
	if (!now.i && holder && holder->last.begin <= sample->since &&
	    sample->time < holder->last.end)
		return holder->last.stack;
	return now;
}

/* A link to the thread that held the lock when the wait was sampled, with its stack. */
static link_id link_holder(struct waits *w, const struct wait_task *task)
{
	const struct wait_task *holder =
		task->has_sample && task->sample.holder ? find_task(w, task->sample.holder) : NULL;
	struct link l = { .kind = LINK_HOLDER, .interval = INTERVAL_NONE };

	if (!holder || holder->pid != task->pid || w->sums_only || !w->p->max_interval)
		return (link_id){ 0 };
	l.thread = thread_of(w, holder);
	l.stack = held_at(w, task);
	return profile_link(w->p, &l);
}

/* Prepends a link to the waker. */
static link_id link_waker(struct waits *w, const struct wait_task *task, link_id next)
{
	struct link l = w->p->link[task->waker.link.i];

	if (!task->waker.link.i)
		return next;
	l.next = next;
	return profile_link(w->p, &l);
}

/* Keeps the wait for waits_settle(), which gives waits without a sample the stacks of other waits of the thread. */
static void keep_wait(struct waits *w, struct wait_task *task, struct wait *one)
{
	one->task = (uint32_t)(task - w->tasks.task);
	one->thread = thread_of(w, task);
	if (w->nr_wait == WAITS_KEPT_MAX)
		waits_settle(w);
	if (task->has_sample) {
		GROW(w->sample, w->nr_sample, w->cap_sample);
		w->sample[w->nr_sample] = task->sample;
		w->sample[w->nr_sample++].wait_began = wait_began(task);
		one->sample = (uint32_t)w->nr_sample;
		one->is_seen = !one->is_part;
	}
	task->has_sample = false;
	GROW(w->wait, w->nr_wait, w->cap_wait);
	w->wait[w->nr_wait++] = *one;
}

/* Ends a part of a wait, which goes on with the same stack and reason. */
static void end_part(struct waits *w, struct wait_task *task, uint64_t now)
{
	struct wait one = {
		.begin = task->since, .end = now, .link = link_holder(w, task), .is_part = true
	};

	/*
	 * The thread was not woken yet, so it did not wait for a CPU: that is certain only if wakeups are recorded.
	 */
	one.woken = isinf(task->sample.rate) ? now : 0;
	task->blocked += now - task->since;
	keep_wait(w, task, &one);
	task->has_sample = true;
	task->parts_since = wait_began(task);
	task->since = now;
}

static void end_wait(struct waits *w, struct wait_task *task, uint64_t now)
{
	struct wait one = { .begin = task->since, .end = now, .link = link_holder(w, task) };

	if (task->woken) {
		/* The wakeup may have come while the thread was still being switched out. */
		one.woken = task->woken > task->since ? task->woken : task->since;
		one.woken = one.woken < now ? one.woken : now;
		one.is_queued = task->is_queued;
		one.switching = task->switching;
		one.link = link_waker(w, task, one.link);
		task->ready += now - one.woken;
		w->sums.nr_waker += task->waker.tid || task->waker.link.i;
	}
	task->blocked += (task->woken ? one.woken : now) - task->since;
	w->sums.nr_wait++;
	w->sums.nr_seen += task->has_sample;
	/* The stack of a wait that began before the recording is not known. */
	if (w->is_exact && !task->has_sample && !task->is_lost && task->since > w->begin)
		notes_add(&w->p->notes, NOTE_WAIT_NO_STACK, 1, 0, SPAN(""));
	if (task->has_sample) {
		task->last.begin = wait_began(task);
		task->last.end = now;
		task->last.stack = task->sample.stack;
	}
	task->is_lost = task->is_queued = false;
	task->held_at = (stack_id){ 0 };
	task->is_watched = false;
	keep_wait(w, task, &one);
	task->parts_since = 0;
}

/* Ends the state NEW or READY: the thread only waited for a CPU. */
static void end_ready(struct waits *w, struct wait_task *task, uint64_t now)
{
	struct wait one = {
		.begin = task->since, .end = now, .woken = task->since, .is_ready = true
	};

	task->ready += now - task->since;
	keep_wait(w, task, &one);
}

/* Ends the current state of the thread, and begins another. */
static void change(struct waits *w, struct wait_task *task, enum wait_state to, uint64_t now)
{
	/* Records of different CPUs may be a little out of order. */
	if (now < task->since)
		now = task->since;
	w->sums.nr_thread += !task->counted;
	task->counted = true;
	switch (task->state) {
	case STATE_RUNNING:
		waits_end_run(w, task, now);
		break;
	case STATE_NEW:
	case STATE_READY:
		end_ready(w, task, now);
		break;
	case STATE_BLOCKED:
		end_wait(w, task, now);
		break;
	case STATE_ON:
	case STATE_UNKNOWN:
	case STATE_GONE:
		break;
	}
	set_state(w, task, to);
	task->since = now;
}

/*
 * Is this the first record of a thread whose process started during the recording?  Then the thread did, too, and
 * the record of its start was lost.
 */
static bool is_start_lost(const struct waits *w, const struct wait_task *task)
{
	const struct wait_task *first = find_task(w, task->pid);

	return !task->counted && first && first != task && first->pid == task->pid && first->is_new;
}

/*
 * Sets the state of a thread before its first switch: it ran if that switches it out.  But not before `earliest`, when
 * its CPU switched from or to another thread.
 */
static void assume(struct waits *w, struct wait_task *task, bool ran, uint64_t earliest,
		   uint64_t now)
{
	enum wait_state off = task->state == STATE_ON ? STATE_READY : STATE_BLOCKED;

	if (task->state != STATE_UNKNOWN && task->state != STATE_ON)
		return;
	if (task->state == STATE_UNKNOWN && task->since < w->begin)
		task->since = w->begin;
	if (task->state == STATE_UNKNOWN && is_start_lost(w, task))
		task->since = now;
	set_state(w, task, ran && earliest <= task->since ? STATE_RUNNING : off);
	if (ran && earliest > task->since)
		change(w, task, STATE_RUNNING, earliest);
}

static bool is_off(enum wait_state s)
{
	return s == STATE_NEW || s == STATE_READY || s == STATE_BLOCKED;
}

/*
 * Is a thread that is already off CPU switched out again?  Then it ran in between, and the switch to it was lost.  But
 * while wick replaces events per task by events per CPU, both record the same switch.
 */
static bool ran_meanwhile(const struct waits *w, const struct wait_task *task, uint64_t now)
{
	enum { TWICE_NS = 20000 };

	return (w->is_exact || task->out_at > task->since) && is_off(task->state) &&
	       task->state != STATE_NEW && task->since > w->begin && now > task->since + TWICE_NS;
}

/* The running thread is switched out: the stack that was recorded just before becomes the stack of its wait. */
static void begin_off(struct wait_task *task, uint64_t now)
{
	/* A wakeup may precede the switch by this much: it is possible once the thread is off the run queue. */
	enum { EARLY_NS = 20000 };

	if (task->woken + EARLY_NS < now)
		task->woken = 0;
	task->has_sample = task->out_at;
	task->is_watched = false;
	task->held_at = (stack_id){ 0 };
	task->sample = task->out;
	task->out_at = 0;
}

/*
 * A CPU runs one thread at a time.  If it switches from or to a thread other than the last one that it switched to,
 * the switch away from that last thread is missing: it was lost, or the kernel hides it (some hide a few processes
 * from all tracing).  The last thread is assumed to have run until its last sample.
 *
 * Returns the time of the CPU's previous switch; 0: unknown.
 */
static uint64_t switch_cpu(struct waits *w, const struct record *r)
{
	struct wait_cpu *cpu;
	struct wait_task *before;
	uint64_t switched;

	if (!w->knows_cpus || r->cpu >= WAIT_CPUS_MAX)
		return 0;
	while (r->cpu >= w->nr_cpu) {
		GROW(w->on_cpu, w->nr_cpu, w->cap_cpu);
		w->on_cpu[w->nr_cpu++] = (struct wait_cpu){ 0 };
	}
	cpu = &w->on_cpu[r->cpu];
	switched = cpu->switched;
	before = cpu->tid == r->tid ? NULL : find_task(w, cpu->tid);
	*cpu = (struct wait_cpu){ .tid = r->sched.out ? 0 : r->tid, .switched = r->time };
	if (!before || before->state != STATE_RUNNING || before->cpu != r->cpu)
		return switched;
	/* Without tracepoints, a missing switch fell into a pause. */
	if (w->is_exact && !w->sums_only)
		notes_add(&w->p->notes, NOTE_SWITCHES_LOST, 1, 0, SPAN(""));
	change(w, before, STATE_BLOCKED, before->sampled);
	begin_off(before, before->since);
	before->is_lost = true;
	return switched;
}

static void take_switch(struct waits *w, const struct record *r)
{
	struct wait_task *task = find_task(w, r->tid);
	uint64_t switched;

	/* With events per CPU, a thread that has exited is switched out once more. */
	if (task && task->state == STATE_GONE && task->pid == r->pid)
		return;
	switched = switch_cpu(w, r);
	task = get_task(w, r->pid, r->tid);
	if (!task)
		return;
	task->cpu = r->cpu;
	assume(w, task, r->sched.out, switched, r->time);
	if (r->sched.out && ran_meanwhile(w, task, r->time)) {
		w->nr_lost_in++;
		change(w, task, STATE_RUNNING, r->time);
	}
	if (r->sched.out ? is_off(task->state) && task->state != STATE_NEW
			 : task->state == STATE_RUNNING)
		return;
	/* The first switch to it was not recorded: it ran at once. */
	if (task->state == STATE_NEW && r->sched.out)
		change(w, task, STATE_RUNNING, task->since);
	if (r->sched.out) {
		change(w, task, r->sched.preempted ? STATE_READY : STATE_BLOCKED, r->time);
		begin_off(task, r->time);
	} else {
		change(w, task, STATE_RUNNING, r->time);
		task->nr_in++;
		task->woken = task->out_at = 0;
	}
}

static void end_task(struct waits *w, struct wait_task *task, uint64_t now)
{
	w->tasks.nr_gone += task->state != STATE_GONE;
	/* No switch of it was recorded: it is not a target, or did not live long enough. */
	if (task->state == STATE_NEW || task->state == STATE_UNKNOWN)
		set_state(w, task, STATE_GONE);
	else if (task->state != STATE_GONE)
		change(w, task, STATE_GONE, now);
	waits_end_samples(w, task);
}

/*
 * During a pause, threads start and exit, too.  A file without wick's own records (as of `perf record
 * --switch-events`) counts as one pause: it has no waits, but which threads run is known.
 */
static void take_paused(struct waits *w, const struct record *r)
{
	struct wait_task *task = find_task(w, r->tid);

	if (task && (r->kind == RECORD_EXIT || r->kind == RECORD_FORK))
		end_task(w, task, r->time);
	/* A new thread has the tid of one that has exited. */
	if (task && r->kind == RECORD_FORK)
		add_task(w, r->pid, r->tid);
	if (r->kind != RECORD_SWITCH || (task && task->state == STATE_GONE))
		return;
	task = task ? task : add_task(w, r->pid, r->tid);
	if (task)
		waits_set_runs(w, task, !r->sched.out);
}

static void take_start(struct waits *w, const struct record *r)
{
	struct wait_task *task = find_task(w, r->tid);

	/* The exit of the previous thread with this tid was lost. */
	if (task)
		end_task(w, task, r->time);
	task = add_task(w, r->pid, r->tid);
	if (!task)
		return;
	set_state(w, task, STATE_NEW);
	task->since = r->time;
	task->is_new = r->pid == r->tid;
}

/* An exec ends the other threads of the process; the calling thread is running. */
static void take_exec(struct waits *w, const struct record *r)
{
	struct wait_task *task;

	for (size_t i = 0; i < w->tasks.nr; i++)
		if (w->tasks.task[i].pid == r->pid && w->tasks.task[i].tid != r->tid &&
		    w->tasks.task[i].state != STATE_GONE)
			end_task(w, &w->tasks.task[i], r->time);
	task = get_task(w, r->pid, r->tid);
	if (!task)
		return;
	task->is_new = true;
	if (task->state == STATE_UNKNOWN) {
		task->since = r->time;
		set_state(w, task, STATE_RUNNING);
	} else {
		change(w, task, STATE_RUNNING, r->time);
	}
}

void waits_take(struct waits *w, const struct record *r)
{
	struct wait_task *task;

	/* Ignores idle CPUs, and exiting threads that have no tid any more. */
	if (!w->on || !r->time || r->time > INT64_MAX || !r->tid || r->tid == THREAD_NONE ||
	    (w->stopped && r->kind == RECORD_SWITCH))
		return;
	w->latest = r->time > w->latest ? r->time : w->latest;
	waits_share_time(w, r->time);
	if (!w->runs)
		take_paused(w, r);
	else if (r->kind == RECORD_SWITCH)
		take_switch(w, r);
	else if (r->kind == RECORD_FORK)
		take_start(w, r);
	else if (r->kind == RECORD_COMM && r->comm.exec)
		take_exec(w, r);
	else if (r->kind == RECORD_EXIT && (task = find_task(w, r->tid)))
		end_task(w, task, r->time);
}

/* Ends the current state of each thread: the recording ends or pauses. */
static void end_all(struct waits *w, uint64_t now)
{
	for (size_t i = 0; i < w->tasks.nr; i++) {
		struct wait_task *task = &w->tasks.task[i];

		/* A thread without a switch ran or was ready all the time.  A sample would have made it RUNNING. */
		if (task->state == STATE_ON)
			set_state(w, task, w->sampled ? STATE_READY : STATE_RUNNING);
		if (task->state == STATE_NEW || task->state == STATE_UNKNOWN)
			set_state(w, task, STATE_UNKNOWN);
		else if (task->state != STATE_GONE)
			change(w, task, STATE_UNKNOWN, now);
		waits_end_samples(w, task);
	}
	w->nr_cpu = 0;
	w->runs = false;
}

static void take_begin(struct waits *w, const struct record *r, const struct wait_record *own)
{
	struct wait_task *task;

	w->runs = w->is_own = true;
	w->stopped = false;
	w->begin = r->time;
	if (r->tid == THREAD_NONE)
		w->scope = own->value < NR_SCOPES ? (enum wait_scope)own->value : SCOPE_WAITS;
	if (w->scope == SCOPE_WALL_USER || w->scope == SCOPE_WALL)
		profile_inform(w->p, SPAN(FACT_TIME), SPAN(FACT_TIME_ALL));
	task = r->tid == THREAD_NONE ? NULL : find_task(w, r->tid);
	/* The thread has exited, but the recorder did not know that yet. */
	if (task && task->state == STATE_GONE && task->pid == r->pid)
		return;
	task = r->tid == THREAD_NONE ? NULL : get_task(w, r->pid, r->tid);
	if (!task || task->state != STATE_UNKNOWN)
		return;
	task->since = r->time;
	set_state(w, task, own->value == BEGIN_BLOCKED ? STATE_BLOCKED : STATE_ON);
}

static void take_account(struct wait_task *task, const struct record *r,
			 const struct wait_record *own)
{
	/* The kernel updates the accounting of a thread when it is switched out, and at each timer tick. */
	enum { TICK_NS = 1000000 };

	if (!task || task->pid != r->pid)
		return;
	task->delay = own->value;
	if (!task->nr_in || task->knows_ran ||
	    !(is_off(task->state) ||
	      (task->state == STATE_RUNNING && r->time < task->since + TICK_NS)))
		return;
	task->nr_accounted = task->nr_in;
	task->switching = (int64_t)(own->since - task->running);
	if (own->since < task->running || task->switching < 0)
		task->switching = 0;
}

/* The exit of the thread was lost: its last state ends at `since`, when it was last known to exist. */
static void take_gone(struct waits *w, struct wait_task *task, const struct record *r,
		      const struct wait_record *own)
{
	if (task && task->pid == r->pid && task->state != STATE_GONE && task->since <= r->time)
		end_task(w, task, own->since < r->time ? own->since : r->time);
}

/*
 * The kernel accounts a thread as blocked until it is on a run queue, some time after the waker's call.  The CPU
 * time that the kernel has accounted by then, minus that of the switch records, is the duration of the switches to
 * the thread.
 */
static void take_queued(struct waits *w, const struct record *r, const struct wait_record *own)
{
	const int64_t limit = INT64_MAX / 8;
	struct wait_task *task = find_task(w, r->tid);
	uint64_t since = own->since, more;

	/* Where CPUs are recorded, this is the first record of a thread that was off CPU since the recording began. */
	if (w->runs && !w->stopped && since <= r->time && (!task || task->state == STATE_UNKNOWN)) {
		task = get_task(w, r->pid, r->tid);
		if (task)
			assume(w, task, false, 0, r->time);
		if (task && since < task->since)
			since = task->since;
	}
	if (!task || task->pid != r->pid || task->state != STATE_BLOCKED || since < task->since ||
	    since > r->time)
		return;
	/*
	 * No wakeup was recorded, so the last waker is not that of this wait: some kernels hide a few processes
	 * from all tracing, and such a process may be the waker.
	 */
	if (!task->woken)
		task->waker = (struct wait_waking){ 0 };
	task->woken = since;
	task->is_queued = true;
	more = own->value - task->running;
	if (!task->knows_ran)
		task->ran_before = more;
	task->knows_ran = true;
	task->nr_accounted = task->nr_in;
	task->switching = (int64_t)(more - task->ran_before);
	/* Only malformed files have such values. */
	if (task->switching > limit || task->switching < -limit)
		task->switching = 0;
}

void waits_take_own(struct waits *w, const struct record *r, const struct wait_record *own)
{
	if (r->time > INT64_MAX)
		return;
	w->latest = r->time > w->latest ? r->time : w->latest;
	waits_share_time(w, r->time);
	switch (own->kind) {
	case WAIT_RECORD_BEGIN:
		take_begin(w, r, own);
		break;
	case WAIT_RECORD_ACCOUNT:
		take_account(find_task(w, r->tid), r, own);
		break;
	case WAIT_RECORD_GONE:
		take_gone(w, find_task(w, r->tid), r, own);
		break;
	case WAIT_RECORD_QUEUED:
		take_queued(w, r, own);
		break;
	case WAIT_RECORD_STOP:
		notes_add(&w->p->notes, NOTE_SWITCHES_MANY, 1, 0, SPAN(""));
		end_all(w, r->time);
		w->stopped = true;
		break;
	case WAIT_RECORD_END:
		end_all(w, r->time);
		break;
	case WAIT_RECORD_SAMPLE:
	case WAIT_RECORD_OUT:
	case WAIT_RECORD_WAKE:
	case WAIT_RECORD_OUT_AGAIN:
	case WAIT_RECORD_WAKE_AGAIN:
	case NR_WAIT_RECORDS:
		break;
	}
}

bool waits_is_blocked(const struct waits *w, uint32_t tid, uint64_t since)
{
	const struct wait_task *task = find_task(w, tid);

	return task && task->state == STATE_BLOCKED && wait_began(task) <= since;
}

/*
 * A further sample of a wait for a lock.  If the lock now has another holder, or none that is proved, or the holder
 * is blocked at another stack, the next part of the wait begins.  If the holder's stack is unknown (it runs, or was
 * not sampled yet), its last known stack counts.
 */
static void sample_again(struct waits *w, struct wait_task *task,
			 const struct blocked_sample *sample)
{
	stack_id place = blocked_at(w, sample);

	task->held_at = held_at(w, task);
	if (task->sample.reason != WAIT_LOCK || task->woken ||
	    (sample->holder == task->sample.holder && (!place.i || place.i == task->held_at.i)))
		return;
	if (sample->since > task->since)
		end_part(w, task, sample->since);
	task->sample.since = sample->since;
	task->sample.time = sample->time;
	task->sample.holder = sample->holder;
	task->held_at = place;
}

void waits_sample(struct waits *w, uint32_t tid, const struct blocked_sample *sample)
{
	struct wait_task *task = find_task(w, tid);
	struct blocked_sample first = *sample;

	if (!task)
		return;
	/* Further samples of a wait do not count: the first one gives the probability that the wait was sampled. */
	if (task->has_sample && task->is_watched) {
		sample_again(w, task, sample);
		return;
	}
	/*
	 * With tracepoints, the wait already has its stack, which is better than a sampled one.  The sampled reason
	 * may be better, except for page faults, which the system call does not show.
	 */
	if (task->has_sample) {
		if (sample->reason == WAIT_OTHER || task->sample.reason == WAIT_FAULT)
			return;
		first.rate = task->sample.rate;
		first.base = task->sample.base;
		first.stack = w->sums_only ? task->sample.stack
					   : waits_push_reason(w, first.base, first.reason);
	}
	task->sample = first;
	task->has_sample = task->is_watched = true;
	task->held_at = blocked_at(w, sample);
}

void waits_out(struct waits *w, const struct record *r, const struct blocked_sample *sample)
{
	struct wait_task *task = w->runs && !w->stopped ? find_task(w, r->tid) : NULL;

	w->is_exact = true;
	/* No switch of the thread was recorded yet: it has run until now. */
	if (!task && w->runs && !w->stopped)
		task = add_task(w, r->pid, r->tid);
	if (!task || task->pid != r->pid || task->state == STATE_GONE ||
	    (is_off(task->state) && task->state != STATE_NEW && !ran_meanwhile(w, task, r->time)))
		return;
	task->out = *sample;
	task->out_at = r->time;
}

void waits_woken(struct waits *w, uint32_t tid, uint64_t time, const struct wait_waking *by)
{
	struct wait_task *task = w->runs ? find_task(w, tid) : NULL;

	if (!task)
		return;
	/*
	 * The first wakeup of a wait counts.  One before the wait began may belong to the wait before, and the same
	 * wakeup may be recorded twice, once with the complete stack.
	 */
	if (task->state != STATE_BLOCKED || task->woken <= task->since) {
		task->woken = time;
		task->waker = *by;
	} else if (by->is_whole && !task->waker.is_whole && by->tid == task->waker.tid) {
		task->waker = *by;
	}
}

bool waits_knows(const struct waits *w, uint32_t tid)
{
	const struct wait_task *task = find_task(w, tid);

	return task && task->state != STATE_GONE;
}

bool waits_has_thread(const struct waits *w, uint32_t pid, uint32_t tid)
{
	const struct wait_task *task = find_task(w, tid);

	return task && task->state != STATE_GONE && task->pid == pid;
}

void waits_flush(struct waits *w, uint64_t now)
{
	if (!w->on || !w->runs || w->stopped)
		return;
	for (size_t i = 0; i < w->tasks.nr; i++) {
		struct wait_task *task = &w->tasks.task[i];
		struct blocked_sample sample = task->sample;
		bool has_sample = task->has_sample, is_watched = task->is_watched;
		stack_id place = has_sample ? held_at(w, task) : (stack_id){ 0 };

		/* If the thread was woken, the CPU wait is known only when it runs. */
		if (task->since >= now || (task->state == STATE_BLOCKED && task->woken) ||
		    (task->state != STATE_RUNNING && task->state != STATE_READY &&
		     task->state != STATE_BLOCKED))
			continue;
		change(w, task, task->state, now);
		/* The rest of the wait keeps the sample: no wait is sampled twice. */
		task->sample = sample;
		task->has_sample = has_sample;
		task->is_watched = is_watched;
		task->held_at = place;
	}
	waits_settle(w);
}

void waits_finish(struct waits *w)
{
	uint64_t all = 0;

	if (!w->on)
		return;
	end_all(w, w->latest);
	waits_settle(w);
	w->tasks.nr = 0;
	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		all += w->sums.off[i];
	/* A few hardly matter: only how long the thread ran between two waits is unknown. */
	if (!w->sums_only && w->nr_lost_in > w->sums.nr_wait / 100)
		notes_add(&w->p->notes, NOTE_SWITCHES_LOST, w->nr_lost_in, 0, SPAN(""));
	/*
	 * A few waits without a reason are normal: those right after the start, and those of short-lived threads.
	 * Recordings of other programs (!is_own) have no samples of blocked threads at all.
	 */
	if (w->is_own && !w->is_exact && !w->sums_only && w->sums.unknown > all / 20)
		notes_add(&w->p->notes, NOTE_WAIT_NO_REASON, w->sums.nr_unknown, 0, SPAN(""));
}
