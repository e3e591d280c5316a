/* Switch records and looks, made by hand → states of threads, and stacks of their waits. */
#include "base/alloc.h"
#include "ingest/waits.h"
#include "tap.h"

#include <stdlib.h>

enum { PID = 100, MS = 1000000 };

static struct profile p;
static struct processes processes;
static struct waits w;

static void take_own(enum wait_record_kind kind, uint32_t tid, uint64_t ms, uint64_t value)
{
	struct record r = { .pid = PID, .tid = tid, .time = ms * MS };
	struct wait_record own = { .kind = kind, .value = value };

	waits_take_own(&w, &r, &own);
}

static void begin(void)
{
	profile_init(&p);
	profile_keep_ticks(&p, 1000);
	profile_keep_intervals(&p, 1000);
	processes_init(&processes, &p);
	waits_init(&w, &p, &processes);
	w.on = true;
	take_own(WAIT_RECORD_BEGIN, THREAD_NONE, 1, 0);
}

static void end(void)
{
	const char *wrong = profile_check(&p);

	is_str(wrong ? wrong : "", "", "the waits leave a valid profile");
	waits_release(&w);
	processes_release(&processes);
	profile_release(&p);
}

static void take(enum record_kind kind, uint32_t tid, uint64_t ms)
{
	struct record r = { .kind = kind, .pid = PID, .tid = tid, .time = ms * MS };

	if (kind == RECORD_COMM)
		r.comm.exec = true;
	waits_take(&w, &r);
}

enum switched { IN, OUT, PREEMPTED };

static void take_switch(uint32_t tid, uint64_t ms, enum switched how)
{
	struct record r = { .kind = RECORD_SWITCH, .pid = PID, .tid = tid, .time = ms * MS };

	r.sched.out = how != IN;
	r.sched.preempted = how == PREEMPTED;
	waits_take(&w, &r);
}

static void look(uint32_t tid, enum wait_reason reason, double rate)
{
	struct blocked_sample seen = waits_reason(&w, reason);

	seen.rate = rate;
	waits_sample(&w, tid, &seen);
}

static uint64_t blocked(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		sum += i == WAIT_CPU ? 0 : w.sums.off[i];
	return sum / MS;
}

static void test_states(void)
{
	begin();
	take(RECORD_COMM, PID, 10);
	take_switch(PID, 14, OUT);
	take_switch(PID, 20, IN);
	take_switch(PID, 25, PREEMPTED);
	take_switch(PID, 28, IN);
	take(RECORD_EXIT, PID, 30);
	waits_finish(&w);
	is_int((intmax_t)w.sums.running / MS, 4 + 5 + 2, "a thread runs between its switches");
	is_int((intmax_t)blocked(), 6,
	       "a thread that is switched out without preemption is blocked");
	is_int((intmax_t)w.sums.off[WAIT_CPU] / MS, 3, "a preempted thread waits for a CPU");
	is_int((intmax_t)w.sums.nr_thread, 1, "one thread is counted once");
	end();
}

static void test_ends(void)
{
	begin();
	take(RECORD_COMM, PID, 10);
	take(RECORD_FORK, 101, 12);
	take_switch(101, 13, IN);
	take_switch(101, 14, OUT);
	take_switch(PID, 15, OUT);
	take(RECORD_EXIT, 101, 40);
	/* Where CPUs are recorded, it is switched from once more. */
	take_switch(101, 41, OUT);
	take_own(WAIT_RECORD_END, THREAD_NONE, 50, 0);
	waits_finish(&w);
	is_int((intmax_t)blocked(), (40 - 14) + (50 - 15),
	       "waits last until their threads or the recording end");
	is_int((intmax_t)w.sums.off[WAIT_CPU] / MS, 1, "a new thread waits for its first CPU");
	is_int((intmax_t)w.sums.nr_thread, 2, "a switch after the exit of a thread adds no thread");
	end();
}

static void test_running_before(void)
{
	begin();
	take_own(WAIT_RECORD_BEGIN, 101, 10, BEGIN_BLOCKED);
	take_own(WAIT_RECORD_BEGIN, 102, 10, BEGIN_READY);
	take_own(WAIT_RECORD_BEGIN, 103, 10, BEGIN_READY);
	take_switch(103, 12, IN);
	take_own(WAIT_RECORD_END, THREAD_NONE, 20, 0);
	waits_finish(&w);
	is_int((intmax_t)blocked(), 10,
	       "a thread that begins blocked and has no switch stays blocked");
	is_int((intmax_t)w.sums.running / MS, 10 + 8,
	       "a thread that begins ready and has no switch runs");
	is_int((intmax_t)w.sums.off[WAIT_CPU] / MS, 2,
	       "a thread that begins ready waits for a CPU until it is switched in");
	end();
}

/* The recorder had no time to sample blocked threads, nor to read accounts. */
static void test_never_sampled(void)
{
	begin();
	take(RECORD_COMM, PID, 10);
	take_switch(PID, 11, OUT);
	take_switch(PID, 41, IN);
	take_own(WAIT_RECORD_END, THREAD_NONE, 50, 0);
	waits_finish(&w);
	is_int((intmax_t)p.notes.count[NOTE_WAIT_NO_REASON], 1,
	       "waits that were never sampled are counted");
	end();
}

/* Of many threads that want a CPU, few have one. */
static void test_ready_before(void)
{
	begin();
	take_own(WAIT_RECORD_BEGIN, 101, 10, BEGIN_READY);
	take_own(WAIT_RECORD_BEGIN, 102, 10, BEGIN_READY);
	waits_take_sample(&w, &(struct record){ .tid = 102 });
	take_own(WAIT_RECORD_END, THREAD_NONE, 20, 0);
	waits_finish(&w);
	is_int((intmax_t)w.sums.running / MS, 10, "a thread with samples and no switch ran");
	is_int((intmax_t)w.sums.off[WAIT_CPU] / MS, 10,
	       "a ready thread without samples or a switch waited for a CPU");
	end();
}

static void test_pause(void)
{
	begin();
	take_own(WAIT_RECORD_END, THREAD_NONE, 5, 0);
	take(RECORD_COMM, PID, 10);
	take(RECORD_FORK, 101, 20);
	take_switch(PID, 30, OUT);
	take_own(WAIT_RECORD_BEGIN, THREAD_NONE, 100, 0);
	take_own(WAIT_RECORD_BEGIN, PID, 100, BEGIN_READY);
	take_own(WAIT_RECORD_BEGIN, 101, 100, BEGIN_BLOCKED);
	take_switch(PID, 104, OUT);
	take_own(WAIT_RECORD_END, THREAD_NONE, 110, 0);
	take_switch(PID, 120, IN);
	waits_finish(&w);
	is_int((intmax_t)w.sums.running / MS, 4, "no time of a pause counts as running");
	is_int((intmax_t)blocked(), 6 + 10, "no time of a pause counts as waiting");
	end();
}

/* Two of ten waits are seen: one long one, and one of nine short ones. */
static void test_sharing(void)
{
	uint64_t at = 1000;

	begin();
	take(RECORD_COMM, PID, at);
	take_switch(PID, at += 1, OUT);
	look(PID, WAIT_DISK, 100);
	take_switch(PID, at += 1000, IN);
	for (int i = 0; i < 9; i++) {
		take_switch(PID, at += 1, OUT);
		if (i == 4)
			look(PID, WAIT_LOCK, 100);
		take_switch(PID, at += 1, IN);
	}
	take(RECORD_EXIT, PID, at);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_DISK] / MS, 1000,
	       "a long wait that was sampled keeps its time");
	is_int((intmax_t)w.sums.off[WAIT_LOCK] / MS, 9,
	       "short waits that were not sampled get the reason of a short one that was");
	is_int((intmax_t)w.sums.off[WAIT_OTHER], 0,
	       "no wait of a thread that was sampled has an unknown reason");
	is_int((intmax_t)w.sums.nr_seen, 2, "waits that were sampled are counted");
	end();
}

static void test_unseen_thread(void)
{
	begin();
	take(RECORD_COMM, PID, 10);
	take_switch(PID, 11, OUT);
	look(PID, WAIT_CHILD, 100);
	take(RECORD_FORK, 101, 11);
	take_switch(101, 11, IN);
	take_switch(101, 12, OUT);
	take_switch(101, 22, IN);
	take(RECORD_EXIT, 101, 22);
	take_switch(PID, 31, IN);
	take(RECORD_EXIT, PID, 31);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_OTHER] / MS, 10,
	       "waits of a thread that was never sampled have an unknown reason");
	is_int((intmax_t)w.sums.off[WAIT_CHILD] / MS, 20,
	       "a sampled thread gets no waits of a thread that was never sampled");
	end();
}

/* Forty threads wait for 1 ms each, and two others meanwhile for `length` ms: only these are seen. */
static void take_crowd(uint64_t length)
{
	enum { NR = 40, FIRST = 200, SEEN = 101 };

	begin();
	take(RECORD_COMM, PID, 10);
	for (uint32_t i = 0; i < 2; i++) {
		take_switch(SEEN + i, 10, IN);
		take_switch(SEEN + i, 11, OUT);
		look(SEEN + i, WAIT_LOCK, 100);
	}
	for (uint32_t i = 0; i < NR; i++) {
		take(RECORD_FORK, FIRST + i, 11);
		take_switch(FIRST + i, 11, IN);
		take_switch(FIRST + i, 12, OUT);
		take_switch(FIRST + i, 13, IN);
	}
	for (uint32_t i = 0; i < 2; i++)
		take_switch(SEEN + i, 11 + length, IN);
	take_own(WAIT_RECORD_END, THREAD_NONE, 11 + length, 0);
	waits_finish(&w);
}

static void test_unseen_crowd(void)
{
	take_crowd(3);
	is_int((intmax_t)w.sums.off[WAIT_LOCK] / MS, 40 + 2 * 3,
	       "threads of a crowd without samples get the reason of others' waits as short");
	end();
	take_crowd(1000);
	is_int((intmax_t)w.sums.off[WAIT_LOCK] / MS, 2 * 1000,
	       "threads of a crowd without samples do not get the reason of others' longer waits");
	is_int((intmax_t)w.sums.off[WAIT_OTHER] / MS, 40,
	       "short waits without samples among longer ones have an unknown reason");
	is_int((intmax_t)w.sums.nr_unknown, 40, "waits of an unknown reason are counted");
	end();
}

static void test_delay(void)
{
	begin();
	take(RECORD_COMM, PID, 10);
	take_switch(PID, 20, OUT);
	look(PID, WAIT_SLEEP, 100);
	take_switch(PID, 60, IN);
	take_switch(PID, 70, PREEMPTED);
	take_switch(PID, 72, IN);
	take_own(WAIT_RECORD_ACCOUNT, PID, 75, 12 * MS);
	take(RECORD_EXIT, PID, 80);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_SLEEP] / MS, 30,
	       "waiting for a CPU by the kernel's account is subtracted from waits");
	is_int((intmax_t)w.sums.off[WAIT_CPU] / MS, 12,
	       "waiting for a CPU by the kernel's account counts as waiting for a CPU");
	is_int((intmax_t)(w.sums.running / MS + blocked() + w.sums.off[WAIT_CPU] / MS), 70,
	       "states add up to the life of the thread");
	end();
}

/* CPU time without samples in the profile: ns. */
static uint64_t unsampled(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p.nr_count; i++)
		if (p.count[i].event == w.event[EVENT_UNSAMPLED])
			sum += (uint64_t)p.count[i].weight;
	return sum;
}

/* The kernel says how long the thread has run. */
static void take_ran(uint32_t tid, uint64_t ms, uint64_t ns)
{
	struct record r = { .pid = PID, .tid = tid, .time = ms * MS };
	struct wait_record own = { .kind = WAIT_RECORD_ACCOUNT, .since = ns };

	waits_take_own(&w, &r, &own);
}

static void test_switching(void)
{
	enum { SWITCH_NS = 3000 };
	uint64_t all;

	begin();
	w.scope = SCOPE_WALL_USER;
	take(RECORD_COMM, PID, 10);
	take_switch(PID, 20, OUT);
	look(PID, WAIT_PIPE, 100);
	take_switch(PID, 30, IN);
	take_switch(PID, 40, OUT);
	take_switch(PID, 50, IN);
	/* It is not up to date for a thread that runs. */
	take_ran(PID, 55, 21 * (uint64_t)MS);
	take_switch(PID, 60, OUT);
	take_ran(PID, 61, 30 * (uint64_t)MS + 2 * SWITCH_NS);
	take_switch(PID, 70, IN);
	take_switch(PID, 80, PREEMPTED);
	take_switch(PID, 90, IN);
	take(RECORD_EXIT, PID, 100);
	waits_finish(&w);
	all = w.sums.running + w.sums.off[WAIT_PIPE] + w.sums.off[WAIT_CPU];
	is_int((intmax_t)w.sums.off[WAIT_PIPE], 30 * MS - 3 * SWITCH_NS,
	       "waits are shorter by the time of a switch, also after the last account");
	is_int((intmax_t)w.sums.off[WAIT_CPU], 10 * MS - SWITCH_NS,
	       "the time in which a thread is preempted is shorter by that of a switch");
	is_int((intmax_t)w.sums.running, 50 * MS + 4 * SWITCH_NS,
	       "switches to a thread are CPU time");
	is_int((intmax_t)all, 90 * (intmax_t)MS,
	       "states with the time of switches add up to the life of the thread");
	is_int((intmax_t)unsampled(), 50 * MS + 4 * SWITCH_NS,
	       "CPU time without samples includes switches");
	end();

	begin();
	take(RECORD_COMM, PID, 10);
	take_switch(PID, 20, OUT);
	look(PID, WAIT_PIPE, 100);
	take_ran(PID, 25, 19 * (uint64_t)MS);
	take_switch(PID, 30, IN);
	take(RECORD_EXIT, PID, 40);
	waits_finish(&w);
	is_int((intmax_t)w.sums.running, 20 * MS,
	       "CPU time before the first switch is not taken for that of a switch");
	end();
}

/* A thread is switched in: the kernel says since when it was on a run queue, and how long it had run before. */
static void take_queued(uint32_t tid, uint64_t ms, uint64_t queued, uint64_t ran)
{
	struct record r = { .pid = PID, .tid = tid, .time = ms * MS };
	struct wait_record own = { .kind = WAIT_RECORD_QUEUED,
				   .since = r.time - queued,
				   .value = ran };

	waits_take_own(&w, &r, &own);
	take_switch(tid, ms, IN);
}

static void wait_for_disk(uint64_t ms)
{
	struct record r = { .pid = PID, .tid = PID, .time = ms * MS };
	struct blocked_sample out = waits_reason(&w, WAIT_DISK);

	out.rate = WAIT_ALWAYS;
	waits_out(&w, &r, &out);
	take_switch(PID, ms, OUT);
}

static void test_queued(void)
{
	const struct wait_waking by = { .tid = 101 };
	const uint64_t before = 7000 * (uint64_t)MS;

	begin();
	take(RECORD_COMM, PID, 10);
	for (uint64_t ms = 20; ms < 60; ms += 20) {
		/* Two switches take 3 and 5 µs. */
		uint64_t ran = before + (ms == 20 ? 10 * MS : 20 * MS + 3000);

		wait_for_disk(ms);
		waits_woken(&w, PID, (ms + 5) * MS, &by);
		take_queued(PID, ms + 10, 2 * (uint64_t)MS, ran);
	}
	wait_for_disk(60);
	waits_woken(&w, PID, 61 * MS, &by);
	take_queued(PID, 70, 0, before + 30 * MS + 8000);
	take(RECORD_EXIT, PID, 80);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_CPU], 2 * 2 * MS,
	       "a thread waits for a CPU from when it is on a run queue, not from when its waker comes");
	/* Nothing is known of the last switch: the average of those before counts. */
	is_int((intmax_t)w.sums.off[WAIT_DISK], 8 * MS - 3000 + 8 * MS - 5000 + 10 * MS - 4000,
	       "a thread is blocked until it is on a run queue, less the switch to it");
	is_int((intmax_t)(w.sums.running + w.sums.off[WAIT_CPU] + w.sums.off[WAIT_DISK]), 70 * MS,
	       "states by the kernel's account add up to the life of the thread");
	end();

	begin();
	take(RECORD_COMM, PID, 10);
	wait_for_disk(20);
	waits_woken(&w, PID, 25 * MS, &by);
	take_queued(PID, 30, 15 * (uint64_t)MS, 0);
	wait_for_disk(40);
	waits_woken(&w, PID, 45 * MS, &by);
	take_queued(PID, 50, 1 * (uint64_t)MS, UINT64_MAX / 2);
	take(RECORD_EXIT, PID, 60);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_CPU], 5 * MS + 1 * MS,
	       "a thread that was on a run queue before it blocked is refused");
	is_int((intmax_t)(w.sums.running + w.sums.off[WAIT_CPU] + w.sums.off[WAIT_DISK]), 50 * MS,
	       "states add up to the life of a thread whose CPU time is impossible");
	end();

	/* The host takes the CPU for 4 ms of the second run, which the kernel does not count; each switch takes 3 µs. */
	begin();
	take(RECORD_COMM, PID, 10);
	for (uint64_t i = 0; i < 4; i++) {
		wait_for_disk(20 + 20 * i);
		take_queued(PID, 30 + 20 * i, 2 * (uint64_t)MS,
			    before + (10 + 10 * i) * MS + 3000 * i - (i > 1 ? 4 * MS : 0));
	}
	take(RECORD_EXIT, PID, 100);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_CPU], 4 * 2 * MS,
	       "a thread whose waker is hidden waits for a CPU from when it is on a run queue");
	is_int((intmax_t)w.sums.nr_waker, 0, "a waker that is hidden is not counted");
	is_int((intmax_t)w.sums.off[WAIT_DISK], 4 * 8 * MS - 2 * 3000,
	       "CPU time that the host of a virtual machine took is not repaid by later switches");
	end();

	/* All CPUs are recorded, from 1 ms on: nothing says what a thread does before its first switch. */
	begin();
	take_queued(PID, 31, 31 * (uint64_t)MS, before);
	take_queued(PID + 1, 41, 5 * (uint64_t)MS, before);
	take(RECORD_EXIT, PID, 51);
	take(RECORD_EXIT, PID + 1, 51);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_CPU], (30 + 5) * MS,
	       "a thread that was on a run queue when the recording began waited for a CPU");
	is_int((intmax_t)w.sums.off[WAIT_OTHER], 35 * MS,
	       "a thread that was put on a run queue before its first switch was blocked until then");
	is_int((intmax_t)w.sums.running, (20 + 10) * MS, "both run from their first switch on");
	end();
}

static void test_lost_in(void)
{
	struct wait_waking by = { 0 };

	begin();
	take(RECORD_COMM, PID, 10);
	wait_for_disk(20);
	waits_woken(&w, PID, 28 * MS, &by);
	/* The switch to it at 30 ms is lost, and so are waker and switch at 50 ms. */
	wait_for_disk(40);
	wait_for_disk(60);
	take_switch(PID, 70, IN);
	take(RECORD_EXIT, PID, 80);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_DISK], (8 + 20 + 10) * MS,
	       "a thread that is switched from twice has ended its wait, and begins another one");
	is_int((intmax_t)w.sums.off[WAIT_CPU], 12 * MS,
	       "a thread that was woken waits for a CPU until it ran for sure");
	is_int((intmax_t)w.sums.nr_wait, 3, "a switch that was lost does not join two waits");
	is_int((intmax_t)p.notes.count[NOTE_SWITCHES_LOST], 2,
	       "many lost switches to threads are reported");
	end();
}

static void test_stop(void)
{
	begin();
	take(RECORD_COMM, PID, 10);
	take_switch(PID, 20, OUT);
	take_own(WAIT_RECORD_STOP, THREAD_NONE, 30, 0);
	take_switch(PID, 31, IN);
	take_switch(PID, 32, OUT);
	take_own(WAIT_RECORD_END, THREAD_NONE, 90, 0);
	waits_finish(&w);
	is_int((intmax_t)blocked(), 10, "waits end where switches are no longer recorded");
	is_int((intmax_t)p.notes.count[NOTE_SWITCHES_MANY], 1,
	       "a note reports that there were too many switches");
	end();
}

static void test_proof(void)
{
	begin();
	take(RECORD_COMM, PID, 10);
	ok(!waits_is_blocked(&w, PID, 11 * MS), "a thread that runs is not blocked");
	take_switch(PID, 20, OUT);
	ok(waits_is_blocked(&w, PID, 21 * MS), "a thread is blocked from its switch on");
	ok(!waits_is_blocked(&w, PID, 19 * MS),
	   "a thread is not blocked since a time before its switch");
	ok(!waits_is_blocked(&w, 101, 21 * MS), "an unknown thread is not blocked");
	waits_finish(&w);
	end();
}

static void out(uint32_t tid, uint64_t ms, enum wait_reason reason)
{
	struct record r = { .pid = PID, .tid = tid, .time = ms * MS };
	struct blocked_sample seen = waits_reason(&w, reason);

	seen.rate = WAIT_ALWAYS;
	waits_out(&w, &r, &seen);
}

static void wake(uint32_t tid, uint64_t ms, uint32_t by, bool is_whole)
{
	struct link l = { .kind = LINK_WAKER,
			  .thread = process_thread(&processes, PID, by + is_whole),
			  .interval = INTERVAL_NONE };
	struct wait_waking waking = { .link = profile_link(&p, &l),
				      .tid = by,
				      .is_whole = is_whole };

	waits_woken(&w, tid, ms * MS, &waking);
}

/* The thread of the waker of the first wait that has one; 0: none has. */
static uint32_t first_waker(void)
{
	for (size_t i = 0; i < p.nr_interval; i++)
		if (p.interval[i].link.i)
			return p.thread[p.link[p.interval[i].link.i].thread.i].tid;
	return 0;
}

static void test_tracepoints(void)
{
	begin();
	take(RECORD_COMM, PID, 10);
	out(PID, 20, WAIT_LOCK);
	take_switch(PID, 20, OUT);
	look(PID, WAIT_CHILD, 100);
	wake(PID, 25, 7, false);
	wake(PID, 25, 7, true);
	wake(PID, 28, 9, true);
	take_switch(PID, 30, IN);
	out(PID, 40, WAIT_DISK);
	take_switch(PID, 40, OUT);
	take_switch(PID, 45, IN);
	/* Told long before the switch: it ran on. */
	wake(PID, 46, 7, true);
	out(PID, 50, WAIT_OTHER);
	take_switch(PID, 50, PREEMPTED);
	take_switch(PID, 52, IN);
	take_switch(PID, 60, OUT);
	take_switch(PID, 61, IN);
	take(RECORD_EXIT, PID, 62);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_CHILD] / MS, 5 + 1,
	       "a wait lasts until its thread is woken, and has the reason of its sample");
	is_int((intmax_t)w.sums.off[WAIT_CPU] / MS, 5 + 2,
	       "a thread that was woken or preempted waits for a CPU");
	is_int((intmax_t)w.sums.off[WAIT_DISK] / MS, 5,
	       "a wait with a stack of its own has its own reason");
	is_int((intmax_t)w.sums.off[WAIT_OTHER], 0,
	       "a wait without a stack of its own has no unknown reason");
	is_int((intmax_t)w.sums.nr_waker, 1, "waits with a waker are counted");
	is_int(first_waker(), 7 + 1,
	       "a waker with a whole stack replaces the same waker without one");
	is_int((intmax_t)p.notes.count[NOTE_WAIT_NO_STACK], 1,
	       "a wait without a stack of its own is noted");
	end();
}

/* The thread is about to be switched from: with the stack of that key. */
static void out_again(uint32_t tid, uint64_t ms, uint64_t key)
{
	struct record r = { .pid = PID, .tid = tid, .time = ms * MS };

	waits_repeat_out(&w, &r, key);
}

static void test_repeats(void)
{
	enum { KEY = 5 * WAIT_SLOTS + 3, SAME_SLOT = 9 * WAIT_SLOTS + 3, WAKER = WAIT_SLOTS };
	struct record waker = { .pid = PID, .tid = 7, .time = 44 * MS };
	struct blocked_sample lock, disk;
	struct wait_waking by = { .tid = 7, .is_whole = true };
	struct link l = { .kind = LINK_WAKER, .interval = INTERVAL_NONE };

	begin();
	take(RECORD_COMM, PID, 10);
	l.thread = process_thread(&processes, PID, 7);
	by.link = profile_link(&p, &l);
	lock = waits_reason(&w, WAIT_LOCK);
	disk = waits_reason(&w, WAIT_DISK);
	lock.rate = disk.rate = WAIT_ALWAYS;
	out_again(PID, 15, KEY);
	waits_remember_out(&w, KEY, &lock);
	waits_remember_waker(&w, WAKER, &by);
	out_again(PID, 20, KEY);
	take_switch(PID, 20, OUT);
	take_switch(PID, 23, IN);
	waits_remember_out(&w, SAME_SLOT, &disk);
	out_again(PID, 40, SAME_SLOT);
	take_switch(PID, 40, OUT);
	waits_repeat_waker(&w, &waker, WAKER, PID);
	take_switch(PID, 45, IN);
	take_switch(PID, 50, OUT);
	is_int((intmax_t)w.sums.nr_seen, 2, "the stack of a wait is found by its key");
	take_switch(PID, 51, IN);
	out_again(PID, 60, KEY);
	out_again(PID, 60, WAKER);
	out_again(PID, 60, 0);
	take_switch(PID, 60, OUT);
	take_switch(PID, 61, IN);
	is_int((intmax_t)w.sums.nr_seen, 2,
	       "a key that was overwritten, a waker's key and 0 find no stack of a wait");
	take(RECORD_EXIT, PID, 70);
	waits_finish(&w);
	is_int((intmax_t)w.sums.nr_waker, 1, "a waker is found by its key");
	is_int(first_waker(), 7, "a waker found by its key is the thread that was remembered");
	is_int((intmax_t)w.sums.off[WAIT_CPU] / MS, 1,
	       "a thread woken by a waker found by its key waits for a CPU");
	is_int((intmax_t)blocked(), 3 + 4 + 1 + 1,
	       "a thread is blocked until a waker found by its key, or its next switch");
	end();
}

/* Off the run queue, but not switched from yet. */
static void test_early_waker(void)
{
	struct wait_waking by = { .tid = 7 };

	begin();
	take(RECORD_COMM, PID, 10);
	out(PID, 20, WAIT_LOCK);
	waits_woken(&w, PID, 20 * MS - 1000, &by);
	take_switch(PID, 20, OUT);
	take_switch(PID, 24, IN);
	out(PID, 30, WAIT_LOCK);
	waits_woken(&w, PID, 30 * MS - 1000, &by);
	take_switch(PID, 30, OUT);
	waits_woken(&w, PID, 33 * MS, &by);
	take_switch(PID, 34, IN);
	take(RECORD_EXIT, PID, 40);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_CPU] / MS, 4 + 1,
	       "a thread that is woken before its switch is ready, unless it is woken again later");
	is_int((intmax_t)w.sums.off[WAIT_LOCK] / MS, 3,
	       "a thread that is woken before its switch and again later is blocked until then");
	end();
}

/* More waits than are kept at a time: sums stay exact. */
static void test_many(void)
{
	enum { NR = WAITS_KEPT_MAX + 1000 };
	uint64_t at = 1000;

	begin();
	take(RECORD_COMM, PID, at);
	for (int i = 0; i < NR; i++) {
		take_switch(PID, at += 1, OUT);
		take_switch(PID, at += 1, IN);
	}
	take(RECORD_EXIT, PID, at);
	waits_finish(&w);
	is_int((intmax_t)blocked(), NR, "sums stay exact if there are more waits than are kept");
	end();
}

static void test_record(void)
{
	struct wait_record own = { .kind = WAIT_RECORD_SAMPLE,
				   .reason = WAIT_LOCK,
				   .since = 1,
				   .value = 2,
				   .lock = 3,
				   .holder = 4,
				   .channel = SPAN("futex_do_wait") },
			   back;
	struct strbuf raw = { 0 };

	wait_record_put(&raw, &own, ORDER_LITTLE);
	ok(wait_record_parse(&back, strbuf_peek(&raw), ORDER_LITTLE),
	   "a sample record of a blocked thread is parsed");
	is_int(back.reason, WAIT_LOCK, "the reason of a sample record is read back");
	is_int((intmax_t)back.lock, 3, "the lock of a sample record is read back");
	is_int(back.holder, 4, "the holder of a sample record is read back");
	ok(span_is(back.channel, "futex_do_wait"),
	   "the wait channel of a sample record is read back");
	for (size_t i = 0; i < 40; i++)
		if (wait_record_parse(&back, span_upto(strbuf_peek(&raw), i), ORDER_LITTLE))
			ok(false, "a truncated sample record is rejected");
	ok(!wait_record_parse(&back, strbuf_peek(&raw), ORDER_BIG),
	   "a sample record of the other byte order is rejected");
	raw.at[8] = 99;
	ok(!wait_record_parse(&back, strbuf_peek(&raw), ORDER_LITTLE),
	   "a sample record with an unknown reason is rejected");
	strbuf_release(&raw);
}

/* A thread that waits on, looked at from time to time. */
static void take_on_cpu(uint32_t cpu, uint32_t tid, uint64_t ms, enum switched how)
{
	struct record r = {
		.kind = RECORD_SWITCH, .pid = PID, .tid = tid, .cpu = cpu, .time = ms * MS
	};

	r.sched.out = how != IN;
	r.sched.preempted = how == PREEMPTED;
	waits_take(&w, &r);
}

/* The kernel does not record that thread 101 is switched from. */
static void test_one_thread_per_cpu(void)
{
	begin();
	w.knows_cpus = true;
	w.is_exact = true;
	take_on_cpu(1, 101, 10, IN);
	take_on_cpu(0, 103, 10, IN);
	waits_take_sample(&w, &(struct record){ .tid = 101, .time = 15 * MS });
	take_on_cpu(1, 102, 20, IN);
	take_on_cpu(1, 102, 30, OUT);
	take_on_cpu(1, 101, 40, IN);
	take_on_cpu(1, 101, 50, OUT);
	take_own(WAIT_RECORD_END, THREAD_NONE, 60, 0);
	waits_finish(&w);
	is_int((intmax_t)w.sums.running, (5 + 10 + 10 + 50) * MS,
	       "a thread whose CPU switches to another one has run until its last sample");
	is_int((intmax_t)p.notes.count[NOTE_SWITCHES_LOST], 1,
	       "a missing switch from a thread is noted");
	end();

	/* From 1 ms on, with switches to 102 and 103 that are missing. */
	begin();
	w.knows_cpus = true;
	w.is_exact = true;
	take_on_cpu(1, 101, 21, OUT);
	take_on_cpu(1, 102, 31, OUT);
	take_on_cpu(1, 103, 41, OUT);
	take_own(WAIT_RECORD_END, THREAD_NONE, 41, 0);
	waits_finish(&w);
	is_int((intmax_t)w.sums.running, 40 * MS,
	       "a CPU runs one thread at a time before the first switches of its threads");
	is_int((intmax_t)blocked(), (20 + 10) + (20 + 30),
	       "a thread waits until its CPU can have switched to it");
	end();
}

/* Records were lost: the recorder has found out that a thread is gone. */
static void test_lost_exit(void)
{
	struct record r = { .pid = PID, .tid = 101, .time = 60 * MS };
	struct wait_record own = { .kind = WAIT_RECORD_GONE, .since = 40 * MS };

	begin();
	take(RECORD_COMM, PID, 10);
	take_switch(101, 12, IN);
	take_switch(101, 14, OUT);
	waits_take_own(&w, &r, &own);
	take_switch(PID, 70, OUT);
	take_own(WAIT_RECORD_END, THREAD_NONE, 100, 0);
	waits_finish(&w);
	is_int((intmax_t)blocked(), (40 - 14) + (100 - 70),
	       "a thread whose exit was lost waits no longer than it existed for sure");
	end();

	begin();
	take(RECORD_COMM, PID, 10);
	take_switch(101, 50, IN);
	take_switch(101, 60, OUT);
	take(RECORD_EXIT, 101, 70);
	waits_finish(&w);
	is_int((intmax_t)blocked(), 10,
	       "a thread of a new process whose start was lost begins with its first record");
	end();

	begin();
	take_switch(101, 12, IN);
	take_switch(101, 14, OUT);
	take(RECORD_EXIT, 101, 50);
	waits_take_own(&w, &r, &own);
	waits_finish(&w);
	is_int((intmax_t)blocked(), (12 - 1) + (50 - 14),
	       "a recorded exit counts, not the time when the recorder missed the thread");
	end();
}

/* A thread has ended in a pause, and the recorder did not know that as it went on. */
static void test_gone_before_begin(void)
{
	begin();
	take(RECORD_FORK, 101, 2);
	take_switch(101, 3, IN);
	take_own(WAIT_RECORD_STOP, THREAD_NONE, 10, 0);
	take(RECORD_EXIT, 101, 15);
	take_own(WAIT_RECORD_BEGIN, THREAD_NONE, 20, 0);
	take_own(WAIT_RECORD_BEGIN, 101, 20, BEGIN_BLOCKED);
	take_own(WAIT_RECORD_END, THREAD_NONE, 100, 0);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_OTHER], 0,
	       "a thread that has exited in a pause does not wait after it");
	end();
	/* Another one has its number. */
	begin();
	take(RECORD_FORK, 101, 2);
	take_switch(101, 3, IN);
	take_own(WAIT_RECORD_STOP, THREAD_NONE, 10, 0);
	take(RECORD_EXIT, 101, 15);
	take(RECORD_FORK, 101, 16);
	take_own(WAIT_RECORD_BEGIN, THREAD_NONE, 20, 0);
	take_own(WAIT_RECORD_BEGIN, 101, 20, BEGIN_BLOCKED);
	take_own(WAIT_RECORD_END, THREAD_NONE, 100, 0);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_OTHER], 80 * MS,
	       "a new thread with the tid of one that has exited in a pause waits after it");
	end();
}

static uint64_t take_sample(uint32_t tid, uint64_t ms, uint64_t period_ms)
{
	struct record r = { .pid = PID, .tid = tid, .time = ms * MS };

	r.sample.period = period_ms * MS;
	return waits_take_sample(&w, &r) / MS;
}

/* Samples are of user code: what is left of the CPU time is the kernel's. */
static void test_rest(void)
{
	begin();
	w.scope = SCOPE_WALL_USER;
	take_switch(101, 10, IN);
	is_int((intmax_t)take_sample(101, 16, 1), 1, "a sample of user code weighs its period");
	take_switch(101, 20, OUT);
	take_switch(101, 30, IN);
	take_switch(101, 31, OUT);
	take_switch(101, 40, IN);
	is_int((intmax_t)take_sample(101, 42, 5), 3,
	       "a sample of user code weighs no more than its thread has run");
	take_switch(101, 43, OUT);
	take_own(WAIT_RECORD_END, THREAD_NONE, 50, 0);
	waits_finish(&w);
	is_int((intmax_t)unsampled() / MS, 9 + 1,
	       "CPU time without samples is an event of its own");
	is_int((intmax_t)w.sums.running, 14 * MS,
	       "CPU time with and without samples of user code is the time running");
	end();
}

/* The CPU time without samples in which so many threads ran. */
static int64_t unsampled_of(const char *parallelism)
{
	struct label label = { .key = profile_string(&p, SPAN("parallelism")),
			       .value = profile_string(&p, span_of(parallelism)) };
	label_id labels = profile_labels(&p, &label, 1);
	int64_t sum = 0;

	for (size_t i = 0; i < p.nr_count; i++)
		sum += p.count[i].labels.i == labels.i ? p.count[i].weight : 0;
	return sum / MS;
}

/* How many threads ran varies while one does. */
static void test_rest_parallelism(void)
{
	begin();
	w.keeps_labels = true;
	take_own(WAIT_RECORD_BEGIN, THREAD_NONE, 1, SCOPE_USER);
	take_switch(101, 10, IN);
	take_switch(102, 20, IN);
	take_switch(101, 30, OUT);
	take_switch(102, 50, OUT);
	is_int(unsampled_of("1"), 10 + 20,
	       "CPU time without samples has parallelism 1 while one thread ran");
	is_int(unsampled_of("2"), 10 + 10,
	       "CPU time without samples has parallelism 2 while two threads ran");
	/* A pause: nothing is known of what runs, but for samples. */
	take_own(WAIT_RECORD_END, THREAD_NONE, 60, 0);
	is_int((intmax_t)take_sample(101, 65, 5), 5, "a sample during a pause weighs its period");
	take_own(WAIT_RECORD_BEGIN, THREAD_NONE, 70, SCOPE_USER);
	take_switch(101, 80, IN);
	is_int((intmax_t)take_sample(101, 82, 5), 5,
	       "a sample weighs its period if CPU time is not shared");
	take_switch(101, 90, OUT);
	take_own(WAIT_RECORD_END, THREAD_NONE, 100, 0);
	waits_finish(&w);
	is_int(unsampled_of("1"), 30 + 10 - 5,
	       "a sample during a pause is not subtracted from CPU time after it");
	end();

	begin();
	w.keeps_labels = true;
	take_own(WAIT_RECORD_BEGIN, THREAD_NONE, 1, SCOPE_USER);
	take_switch(101, 10, IN);
	for (uint64_t ms = 11; ms <= 20; ms++)
		take_sample(101, ms, 1);
	take_switch(102, 20, IN);
	take_switch(101, 30, OUT);
	take_switch(102, 30, OUT);
	waits_finish(&w);
	is_int(unsampled_of("1"), 0,
	       "unsampled CPU time does not get the parallelism of the time with samples");
	is_int(unsampled_of("2"), 10 + 10,
	       "unsampled CPU time gets the parallelism of the time after the last sample");
	end();
}

/* Samples are of all code: they share the exact CPU time. */
static void test_shared(void)
{
	begin();
	take_own(WAIT_RECORD_BEGIN, THREAD_NONE, 1, SCOPE_WALL);
	take_switch(101, 10, IN);
	is_int((intmax_t)take_sample(101, 12, 5), 2, "a sample weighs what its thread has run");
	take_switch(101, 20, OUT);
	/* As those of ptrace sampling, which holds it meanwhile. */
	is_int((intmax_t)take_sample(101, 21, 5), 8,
	       "a sample of a thread that was switched out weighs what it ran since the last one");
	is_int((intmax_t)take_sample(101, 21, 5), 0,
	       "a second sample at the same time weighs nothing");
	is_int((intmax_t)take_sample(101, 25, 5), 5,
	       "a sample of a thread whose switch is missing weighs its period");
	take_switch(101, 30, IN);
	take_switch(101, 31, OUT);
	take_switch(101, 32, IN);
	is_int((intmax_t)take_sample(101, 33, 5), 2,
	       "a sample weighs what its thread has run since the one before");
	take_switch(101, 34, OUT);
	/* It lives too shortly for a sample. */
	take(RECORD_FORK, 102, 50);
	take_switch(102, 51, IN);
	take(RECORD_EXIT, 102, 53);
	is_int((intmax_t)unsampled() / MS, 2, "CPU time of a thread without samples is unsampled");
	take_own(WAIT_RECORD_END, THREAD_NONE, 60, 0);
	waits_finish(&w);
	is_int((intmax_t)unsampled() / MS, 2 + 1,
	       "CPU time of a thread after its last sample is unsampled");
	is_int((intmax_t)w.sums.running / MS, 10 + 1 + 2 + 2,
	       "CPU time that samples share is the time running");
	end();

	begin();
	take_own(WAIT_RECORD_BEGIN, THREAD_NONE, 1, NR_SCOPES);
	take_switch(101, 10, IN);
	is_int((intmax_t)take_sample(101, 12, 5), 5,
	       "a sample weighs its period if the wait scope is invalid");
	for (int i = 0; i < 3; i++)
		waits_take_sample(&w, &(struct record){ .tid = 101,
							.time = UINT64_MAX,
							.sample.period = UINT64_MAX });
	take_own(WAIT_RECORD_END, THREAD_NONE, 50, 0);
	waits_finish(&w);
	end();
}

static void test_flush(void)
{
	struct blocked_sample seen;

	/* It waits from 1 ms on, runs from 2 to 3, and waits again. */
	begin();
	take_switch(5, 2, IN);
	take_switch(5, 3, OUT);
	look(5, WAIT_POLL, 100);
	waits_flush(&w, 10 * MS);
	is_int((intmax_t)(w.sums.off[WAIT_POLL] / MS), 8,
	       "waits_flush() counts an unfinished wait up to its time");
	waits_flush(&w, 10 * MS);
	waits_flush(&w, 5 * MS);
	is_int((intmax_t)(w.sums.off[WAIT_POLL] / MS), 8, "waits_flush() counts no time twice");
	waits_flush(&w, 20 * MS);
	is_int((intmax_t)(w.sums.off[WAIT_POLL] / MS), 18,
	       "waits_flush() gives the rest of a wait the same reason");
	take_switch(5, 23, IN);
	waits_finish(&w);
	is_int((intmax_t)(w.sums.off[WAIT_POLL] / MS), 21,
	       "a wait that ends after waits_flush() counts in full");
	is_int((intmax_t)blocked(), 21, "waits_flush() adds no waits of another reason");
	end();

	/* Thread 6 holds the lock of thread 5, and sleeps meanwhile. */
	begin();
	take_switch(5, 2, IN);
	take_switch(6, 2, IN);
	take_switch(6, 3, OUT);
	look(6, WAIT_SLEEP, 100);
	take_switch(5, 3, OUT);
	seen = waits_reason(&w, WAIT_LOCK);
	seen.rate = 100;
	seen.since = 4 * MS;
	seen.time = 5 * MS;
	seen.holder = 6;
	waits_sample(&w, 5, &seen);
	take_switch(6, 8, IN);
	take_switch(5, 9, IN);
	waits_finish(&w);
	is_int((intmax_t)p.nr_link, 2, "a wait for a lock has a link to the holder");
	is_int((intmax_t)p.thread[p.link[1].thread.i].tid, 6,
	       "the link of a wait for a lock has the thread of the holder");
	ok(p.link[1].stack.i != 0,
	   "a holder that was blocked at the time of the sample has its stack");
	end();

	/* … and has waited elsewhere before thread 5 runs. */
	begin();
	take_switch(5, 2, IN);
	take_switch(6, 2, IN);
	take_switch(6, 3, OUT);
	look(6, WAIT_SLEEP, 100);
	take_switch(5, 3, OUT);
	waits_sample(&w, 5, &seen);
	take_switch(6, 8, IN);
	take_switch(6, 9, OUT);
	look(6, WAIT_DISK, 100);
	take_switch(6, 10, IN);
	take_switch(5, 11, IN);
	waits_finish(&w);
	ok(p.link[1].stack.i && p.link[1].stack.i == waits_reason(&w, WAIT_SLEEP).stack.i,
	   "a holder that waited again later has its stack at the time of the sample");
	end();

	/* … or is seen with the lock, and at once waits without it. */
	begin();
	take_switch(5, 2, IN);
	take_switch(6, 2, IN);
	take_switch(5, 3, OUT);
	take_switch(6, 4, OUT);
	look(6, WAIT_SLEEP, 100);
	seen.since = 3 * MS + MS / 2;
	waits_sample(&w, 5, &seen);
	take_switch(5, 7, IN);
	take_switch(6, 9, IN);
	waits_finish(&w);
	is_int((intmax_t)p.link[1].stack.i, 0,
	       "a holder whose wait began during the sample has no stack");
	end();
}

/* A thread that waits for a lock is looked at: thread `holder` has it; 0: nobody is proved to. */
static void look_at_lock(uint32_t tid, uint64_t ms, uint32_t holder)
{
	struct blocked_sample seen = waits_reason(&w, WAIT_LOCK);

	seen.rate = 100;
	seen.since = ms * MS;
	seen.time = ms * MS + 1000;
	seen.holder = holder;
	waits_sample(&w, tid, &seen);
}

/* The waits of thread 5: their number, and the holder of one of them; NULL: it has no link. */
static size_t nr_part(void)
{
	size_t nr = 0;

	for (size_t i = 0; i < p.nr_interval; i++)
		nr += p.thread[p.interval[i].thread.i].tid == 5;
	return nr;
}

static const struct link *holder_of(uint64_t begin_ms)
{
	for (size_t i = 0; i < p.nr_interval; i++)
		if (p.thread[p.interval[i].thread.i].tid == 5 &&
		    p.interval[i].begin == begin_ms * MS && p.interval[i].link.i)
			return &p.link[p.interval[i].link.i];
	return NULL;
}

static uint32_t holder_tid(uint64_t begin_ms)
{
	const struct link *l = holder_of(begin_ms);

	return l ? p.thread[l->thread.i].tid : 0;
}

static void begin_lock(void)
{
	begin();
	for (uint32_t tid = 5; tid <= 7; tid++)
		take_own(WAIT_RECORD_BEGIN, tid, 1, BEGIN_READY);
	take_switch(5, 3, OUT);
}

static void test_holders(void)
{
	/* Thread 6 sleeps with the lock until 10; thread 7 has it from then on, and reads. */
	begin_lock();
	take_switch(6, 3, OUT);
	look(6, WAIT_SLEEP, 100);
	look_at_lock(5, 4, 6);
	look_at_lock(5, 8, 6);
	take_switch(6, 10, IN);
	take_switch(7, 11, OUT);
	look(7, WAIT_DISK, 100);
	look_at_lock(5, 12, 7);
	look_at_lock(5, 20, 7);
	ok(waits_is_blocked(&w, 5, 5 * MS), "a wait with several holders is blocked all the time");
	take_switch(7, 49, IN);
	take_switch(5, 50, IN);
	waits_finish(&w);
	is_int((intmax_t)nr_part(), 2, "a wait has a part for each holder of its lock");
	is_int(holder_tid(3), 6, "the first part has the first holder");
	ok(holder_of(3) && holder_of(3)->stack.i == waits_reason(&w, WAIT_SLEEP).stack.i,
	   "the first holder has its own stack");
	is_int(holder_tid(12), 7, "the second part has the second holder");
	ok(holder_of(12) && holder_of(12)->stack.i == waits_reason(&w, WAIT_DISK).stack.i,
	   "the second holder has its own stack");
	is_int((intmax_t)w.sums.off[WAIT_LOCK] / MS, 47, "parts add up to the wait");
	is_int((intmax_t)w.sums.nr_wait, 3, "a wait with parts is one wait");
	is_int((intmax_t)w.sums.nr_seen, 3, "a wait with parts was sampled once");
	end();

	/* Thread 6 runs with the lock, and sleeps later. */
	begin_lock();
	look_at_lock(5, 4, 6);
	look_at_lock(5, 5, 6);
	take_switch(6, 6, OUT);
	look(6, WAIT_SLEEP, 100);
	look_at_lock(5, 8, 6);
	look_at_lock(5, 9, 6);
	take_switch(6, 10, IN);
	look_at_lock(5, 11, 6);
	take_switch(5, 12, IN);
	waits_finish(&w);
	is_int((intmax_t)nr_part(), 2, "a wait has a part for each stack of the holder");
	ok(holder_of(3) && !holder_of(3)->stack.i, "the stack of a holder that ran is unknown");
	ok(holder_of(8) && holder_of(8)->stack.i == waits_reason(&w, WAIT_SLEEP).stack.i,
	   "a holder that began to wait has its stack from the next sample on");
	end();

	/* Nobody is proved to have it any more. */
	begin_lock();
	look_at_lock(5, 4, 6);
	look_at_lock(5, 8, 0);
	look_at_lock(5, 9, 0);
	take_switch(5, 12, IN);
	waits_finish(&w);
	is_int((intmax_t)nr_part(), 2,
	       "a sample without a holder ends the part of the last holder");
	is_int(holder_tid(3), 6, "the part before a sample without a holder keeps its holder");
	ok(!holder_of(8), "the part after a sample without a holder has no holder");
	end();

	/* Thread 6 itself waits for another lock, whose holder changes. */
	begin_lock();
	take_switch(6, 3, OUT);
	look_at_lock(6, 4, 7);
	look_at_lock(6, 8, 0);
	look_at_lock(5, 7, 6);
	take_switch(6, 10, IN);
	take_switch(5, 12, IN);
	waits_finish(&w);
	ok(holder_of(3) && holder_of(3)->stack.i == waits_reason(&w, WAIT_LOCK).stack.i,
	   "a holder whose wait has parts is blocked in all of them");
	end();
}

/* The sums of a thread that waits for a lock, then often for a moment; the lock has one holder or several. */
static struct wait_sums sums_of(bool is_split, double rate)
{
	/* It waited for a CPU for a while, and each of its switches took one. */
	struct wait_record own = { .kind = WAIT_RECORD_ACCOUNT, .value = 7 * MS };
	struct record account = { .pid = PID, .tid = 5 };
	struct wait_sums sums;
	uint64_t at = 20;

	begin_lock();
	if (isinf(rate)) {
		take_switch(5, 4, IN);
		out(5, 5, WAIT_LOCK);
		take_switch(5, 5, OUT);
	}
	look_at_lock(5, 7, 6);
	for (uint64_t ms = 8; ms < 20; ms++)
		look_at_lock(5, ms, is_split && ms % 2 ? 7 : 6);
	if (isinf(rate))
		wake(5, 19, 6, true);
	take_switch(5, at, IN);
	for (int i = 0; i < 40; i++) {
		take_switch(5, at += 1, OUT);
		if (i == 20)
			look(5, WAIT_DISK, 100);
		take_switch(5, at += 1, IN);
	}
	take_switch(5, at += 1, OUT);
	account.time = at * MS;
	own.since = w.tasks.task[0].running + 41 * 2000;
	waits_take_own(&w, &account, &own);
	take_switch(5, at += 1, IN);
	take(RECORD_EXIT, 5, at);
	take(RECORD_EXIT, 6, at);
	take(RECORD_EXIT, 7, at);
	waits_finish(&w);
	sums = w.sums;
	end();
	return sums;
}

static void test_parts_add_up(void)
{
	static const struct {
		const char *title;
		double rate;
	} modes[] = { { "sampled", 100 }, { "recorded", WAIT_ALWAYS } };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		struct wait_sums whole = sums_of(false, modes[i].rate),
				 parts = sums_of(true, modes[i].rate);
		char title[128];

		snprintf(title, sizeof(title), "no sum depends on the parts of %s waits",
			 modes[i].title);
		/* Shares of the CPU wait are rounded: ns. */
		for (size_t k = 0; k < NR_WAIT_REASONS; k++)
			if (llabs((long long)(parts.off[k] - whole.off[k])) < 100)
				parts.off[k] = whole.off[k];
		ok(!memcmp(&parts, &whole, sizeof(parts)), title);
	}
}

/* A page fault in a system call that reads a file. */
static void test_fault(void)
{
	begin();
	take(RECORD_COMM, PID, 10);
	out(PID, 20, WAIT_FAULT);
	take_switch(PID, 20, OUT);
	look(PID, WAIT_DISK, 100);
	take_switch(PID, 30, IN);
	take(RECORD_EXIT, PID, 31);
	waits_finish(&w);
	is_int((intmax_t)w.sums.off[WAIT_FAULT] / MS, 10,
	       "a page fault in the kernel's stack is the reason of a wait, whatever its sample has");
	end();
}

int main(void)
{
	test_states();
	test_ends();
	test_running_before();
	test_never_sampled();
	test_ready_before();
	test_pause();
	test_sharing();
	test_unseen_thread();
	test_unseen_crowd();
	test_delay();
	test_switching();
	test_queued();
	test_lost_in();
	test_stop();
	test_proof();
	test_tracepoints();
	test_repeats();
	test_early_waker();
	test_many();
	test_one_thread_per_cpu();
	test_gone_before_begin();
	test_lost_exit();
	test_rest();
	test_rest_parallelism();
	test_shared();
	test_flush();
	test_holders();
	test_parts_add_up();
	test_fault();
	test_record();
	return done();
}
