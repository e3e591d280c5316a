/*
 * Gives stacks to waits that were not sampled.
 *
 * Blocked threads are sampled at random times, `rate` times a second.  A wait of length l is seen (sampled) with
 * probability 1 - exp(-rate × l), so a seen wait stands for the time l / (1 - exp(-rate × l)).  Its own time is
 * part of that; the rest, its surplus, is the expected time of similar waits that were not seen.  It is almost 0
 * for long waits.  The time of the unseen waits of a thread is known, and is distributed in proportion to the
 * surpluses of its seen waits.  Both lists are sorted by time and traversed side by side, so that an unseen wait
 * gets the stack of one that was seen at about the same time.
 *
 * Short-lived threads that were never sampled share the samples of the other threads of their process, if it has
 * THREADS_MANY or more: among a few threads, one says nothing about another.  Nor does the first thread, which
 * mostly waits for the others.
 */
#include "base/alloc.h"
#include "ingest/waits.h"

#include <math.h>
#include <stdlib.h>

enum { THREADS_MANY = 32 };

/*
 * The part of a process's unseen time that the surpluses must explain.  Long waits say nothing about short ones: if
 * the process left wick so little CPU time that it only sampled threads that always slept, the waits of the other
 * threads stay unknown.
 */
static const double LEAST_OF_PROCESS = 0.1;

/* Waits that share their samples: those of a thread, or of the threads of a process. */
struct group {
	struct waits *w;
	const uint32_t *seen, *unseen; /* indices of waits, sorted by time */
	size_t nr_seen, nr_unseen;
	double least; /* the part of the unseen time that the surpluses must explain */
};

/* The expected time of similar waits that were not seen: ns. */
static double surplus(const struct waits *w, const struct wait *seen)
{
	/* Never 0: if no wait could be missed, unseen ones are distributed over all seen ones alike. */
	const double least = 1e-3;
	const struct blocked_sample *sample = &w->sample[seen->sample - 1];
	/* The length of the whole wait, of which `seen` may be the last part. */
	double length = (double)(seen->end - sample->wait_began) / 1e9,
	       missed = exp(-sample->rate * length);

	return length > 0 && missed < 1 ? length * 1e9 * missed / (1 - missed) + least : least;
}

/* Gives each unseen wait of the group the sample of a seen one. */
static void share_out(const struct group *g)
{
	double time = 0, all = 0, passed = 0, reached;
	size_t at = 0;

	for (size_t i = 0; i < g->nr_unseen; i++)
		time += (double)(g->w->wait[g->unseen[i]].end - g->w->wait[g->unseen[i]].begin);
	for (size_t i = 0; i < g->nr_seen; i++)
		all += surplus(g->w, &g->w->wait[g->seen[i]]);
	if (!g->nr_seen || all < time * g->least)
		return;
	reached = surplus(g->w, &g->w->wait[g->seen[0]]);
	for (size_t i = 0; i < g->nr_unseen; i++) {
		struct wait *wait = &g->w->wait[g->unseen[i]];
		double length = (double)(wait->end - wait->begin);
		/* The middle of this wait, on the scale of the added surpluses: selects the seen wait. */
		double middle = time > 0 ? (passed + length / 2) / time * all : 0;

		while (reached < middle && at + 1 < g->nr_seen)
			reached += surplus(g->w, &g->w->wait[g->seen[++at]]);
		wait->sample = g->w->wait[g->seen[at]].sample;
		passed += length;
	}
}

static int by_task(const void *a, const void *b, void *arg)
{
	const struct waits *w = arg;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct wait *x = &w->wait[i], *y = &w->wait[k];

	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return i < k ? -1 : 1;
}

static int by_process(const void *a, const void *b, void *arg)
{
	const struct waits *w = arg;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	uint32_t x = w->tasks.task[w->wait[i].task].pid, y = w->tasks.task[w->wait[k].task].pid;

	if (x != y)
		return x < y ? -1 : 1;
	return i < k ? -1 : 1;
}

static bool same_group(const struct waits *w, uint32_t a, uint32_t b, bool is_process)
{
	const struct wait *x = &w->wait[a], *y = &w->wait[b];

	return is_process ? w->tasks.task[x->task].pid == w->tasks.task[y->task].pid
			  : x->task == y->task;
}

static bool is_first(const struct waits *w, uint32_t wait)
{
	const struct wait_task *task = &w->tasks.task[w->wait[wait].task];

	return task->pid == task->tid;
}

/* Shares samples within each thread, or within each process. */
static void share_within(struct waits *w, uint32_t *order, bool is_process)
{
	uint32_t *seen = xcalloc(w->nr_wait, sizeof(*seen)),
		 *unseen = xcalloc(w->nr_wait, sizeof(*unseen));
	bool *met = xcalloc(w->tasks.nr, sizeof(*met));

	qsort_r(order, w->nr_wait, sizeof(*order), is_process ? by_process : by_task, w);
	for (size_t i = 0; i < w->nr_wait;) {
		struct group g = { .w = w,
				   .seen = seen,
				   .unseen = unseen,
				   .least = is_process ? LEAST_OF_PROCESS : 0 };
		size_t first = i, nr_thread = 0;

		for (; i < w->nr_wait && same_group(w, order[first], order[i], is_process); i++) {
			nr_thread += !met[w->wait[order[i]].task];
			met[w->wait[order[i]].task] = true;
			if (is_process && is_first(w, order[i]))
				continue;
			if (w->wait[order[i]].is_ready)
				continue;
			if (w->wait[order[i]].is_seen)
				seen[g.nr_seen++] = order[i];
			else if (!w->wait[order[i]].sample)
				unseen[g.nr_unseen++] = order[i];
		}
		if (!is_process || nr_thread >= THREADS_MANY)
			share_out(&g);
	}
	free(met);
	free(seen);
	free(unseen);
}

/* Adds the time from being woken to running again. */
static void add_late(struct waits *w, const struct wait *wait, const struct blocked_sample *sample)
{
	struct wait_time t = { .begin = wait->woken,
			       .end = wait->end,
			       .weight = wait->end - wait->woken,
			       .thread = wait->thread };
	struct blocked_sample cpu = waits_reason(w, WAIT_CPU);

	if (!w->sums_only)
		cpu.stack = waits_push_reason(w, sample->base, WAIT_CPU);
	waits_add(w, &t, &cpu);
}

/* The average duration of the switches to the thread that no wait was shortened by yet: ns. */
static uint64_t switch_time(struct wait_task *task)
{
	int64_t left = task->switching - (int64_t)task->switched;

	if (task->nr_accounted > task->nr_switched) {
		task->switch_ns =
			(left > 0 ? (uint64_t)left : 0) / (task->nr_accounted - task->nr_switched);
		if (task->switch_ns > SWITCH_MAX_NS)
			task->switch_ns = SWITCH_MAX_NS;
	}
	return task->switch_ns;
}

/*
 * The duration of the switch that ended the first of these waits, from the values of `switching` of that wait and
 * of the next one with is_queued: exact if there is no other wait between them, an average otherwise.  Below 0: the
 * switch that began the wait took longer than the one that ended it.
 *
 * Returns `otherwise` if there is no such next wait, or if the values differ by more than a switch can take, as on
 * a virtual machine whose host took the CPU meanwhile.
 */
static int64_t next_switch_time(const struct waits *w, const uint32_t *number, size_t nr,
				int64_t otherwise)
{
	/* An interrupt may make a single switch much longer than the average. */
	const int64_t most = 5 * (int64_t)SWITCH_MAX_NS;
	int64_t begin = w->wait[number[0]].switching, nr_switch = 1;

	for (size_t i = 1; i < nr; i++) {
		const struct wait *next = &w->wait[number[i]];
		int64_t ns = (next->switching - begin) / nr_switch;

		if (next->is_queued)
			return ns > most || ns < -most ? otherwise : ns;
		nr_switch += !next->is_part;
	}
	return otherwise;
}

/*
 * Ends each wait of a thread where the switch to the thread began, if the kernel's accounting says how long its
 * switches took.
 */
static void subtract_switches(struct waits *w, const uint32_t *number, size_t nr)
{
	struct wait_task *task = &w->tasks.task[w->wait[number[0]].task];
	int64_t average = (int64_t)switch_time(task), switch_ns = average, owed = 0;
	uint64_t moved = 0;
	const struct wait *first = &w->wait[number[0]], *last = &w->wait[number[nr - 1]];
	struct wait_time t;

	for (size_t i = 0; i < nr; i++) {
		struct wait *wait = &w->wait[number[i]];
		uint64_t length, less;

		/* No switch follows a part of a wait that is not the last one. */
		if (wait->is_part)
			continue;
		/* The kernel's CPU wait does not include the switch: it is the blocked time that gets shorter. */
		if (wait->is_queued) {
			switch_ns = next_switch_time(w, number + i, nr - i, average);
			length = wait->woken - wait->begin;
		} else {
			length = wait->end - (wait->woken ? wait->woken : wait->begin);
		}
		/* If the wait is too short, the next ones are shortened by the rest. */
		owed += switch_ns;
		less = owed < 0 ? 0 : (uint64_t)owed < length ? (uint64_t)owed : length;
		owed -= (int64_t)less;
		wait->end -= less;
		if (wait->is_queued)
			wait->woken -= less;
		else
			task->ready -= wait->woken ? less : 0;
		moved += less;
	}
	task->nr_switched = task->nr_in;
	task->switched += moved;
	w->sums.running += moved;
	t = (struct wait_time){
		.begin = first->begin, .end = last->end, .weight = moved, .thread = last->thread
	};
	/* Interrupts are disabled during a switch, so this CPU time has no samples. */
	if (w->scope != SCOPE_WAITS && moved && !w->sums_only)
		waits_add_rest(w, task, &t);
}

/*
 * Adds the waits of a thread.  The CPU wait that the kernel has accounted, but that no record shows, is subtracted
 * from them proportionally, and added as WAIT_CPU.
 */
static void add_waits(struct waits *w, const uint32_t *number, size_t nr)
{
	struct wait_task *task = &w->tasks.task[w->wait[number[0]].task];
	const struct wait *first = &w->wait[number[0]], *last = &w->wait[number[nr - 1]];
	uint64_t known = task->ready + task->moved, moved = 0;
	double all = 0, late = 0, part;
	struct blocked_sample other = waits_reason(w, WAIT_OTHER), cpu = waits_reason(w, WAIT_CPU);
	struct wait_time t;

	for (size_t i = 0; i < nr; i++)
		if (!w->wait[number[i]].woken)
			all += (double)(w->wait[number[i]].end - w->wait[number[i]].begin);
	if (task->delay > known)
		late = (double)(task->delay - known);
	part = late < all ? late / all : all > 0;
	for (size_t i = 0; i < nr; i++) {
		const struct wait *wait = &w->wait[number[i]];
		const struct blocked_sample *sample =
			wait->sample ? &w->sample[wait->sample - 1] : &other;
		uint64_t end = wait->woken ? wait->woken : wait->end, length = end - wait->begin;
		uint64_t less = wait->woken ? 0 : (uint64_t)(part * (double)length);

		if (less > length)
			less = length;
		t = (struct wait_time){ .begin = wait->begin,
					.end = end,
					.weight = length - less,
					.thread = wait->thread,
					.link = wait->link };
		waits_add(w, &t, sample);
		w->sums.nr_unknown += !wait->sample && !wait->is_ready;
		w->sums.unknown += wait->sample ? 0 : t.weight;
		moved += less;
		if (wait->woken && wait->woken < wait->end)
			add_late(w, wait, sample);
	}
	task->moved += moved;
	t = (struct wait_time){
		.begin = first->begin, .end = last->end, .weight = moved, .thread = last->thread
	};
	waits_add(w, &t, &cpu);
}

/* Calls a function for each thread, with the indices of its waits. */
static void each_thread(struct waits *w, const uint32_t *order,
			void (*call)(struct waits *w, const uint32_t *number, size_t nr))
{
	for (size_t first = 0, i = 0; i < w->nr_wait; first = i) {
		while (i < w->nr_wait && same_group(w, order[first], order[i], false))
			i++;
		call(w, order + first, i - first);
	}
}

void waits_settle(struct waits *w)
{
	uint32_t *order;

	if (!w->nr_wait)
		return;
	order = xcalloc(w->nr_wait, sizeof(*order));
	for (size_t i = 0; i < w->nr_wait; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, w->nr_wait, sizeof(*order), by_task, w);
	each_thread(w, order, subtract_switches);
	share_within(w, order, false);
	share_within(w, order, true);
	qsort_r(order, w->nr_wait, sizeof(*order), by_task, w);
	each_thread(w, order, add_waits);
	free(order);
	w->nr_wait = w->nr_sample = 0;
}
