/*
 * The CPU time of threads.  Switch records say how long a thread ran, and its samples share that time.  CPU time
 * that no sample accounts for is the event UNSAMPLED, labeled with the number of threads that ran meanwhile, for
 * `--weight latency`.
 */
#include "ingest/sample_labels.h"
#include "ingest/waits.h"

void waits_share_time(struct waits *w, uint64_t now)
{
	if (now <= w->shared_at)
		return;
	if (w->nr_running)
		w->shared += (double)(now - w->shared_at) / (double)w->nr_running;
	w->shared_at = now;
}

static void count_run(const struct waits *w, struct wait_task *task)
{
	if (task->runs) {
		task->ran += (double)(w->shared_at - task->ran_at);
		task->shared += w->shared - task->shared_at;
	}
	task->ran_at = w->shared_at;
	task->shared_at = w->shared;
}

void waits_set_runs(struct waits *w, struct wait_task *task, bool runs)
{
	count_run(w, task);
	w->nr_running += runs;
	w->nr_running -= task->runs;
	task->runs = runs;
}

/* The average number of threads that ran while this one did, since the last call. */
static double parallelism(const struct waits *w, struct wait_task *task)
{
	count_run(w, task);
	if (task->shared > 0)
		task->parallelism = task->ran / task->shared;
	task->ran = task->shared = 0;
	return task->parallelism > 1 ? task->parallelism : 1;
}

void waits_add_rest(struct waits *w, struct wait_task *task, const struct wait_time *t)
{
	struct line line = { .function = profile_string(w->p, SPAN("[" UNSAMPLED "]")) };
	struct frame f = { .kind = FRAME_LABEL, .line = &line, .nr_line = 1 };
	struct blocked_sample sample = { 0 };
	struct wait_time part = *t;
	double nr, whole, share;

	sample.stack = profile_push(w->p, (stack_id){ 0 }, profile_frame(w->p, &f));
	if (!w->keeps_labels) {
		waits_add_interval(w, EVENT_UNSAMPLED, t, &sample);
		return;
	}
	/*
	 * The label is an integer, the average is not: the time is split between the two integers around it, so
	 * that it has the latency of the average.
	 */
	nr = parallelism(w, task);
	whole = floor(nr);
	share = (whole + 1 - nr) * whole / nr;
	part.weight = (uint64_t)(share * (double)t->weight);
	if (part.weight > t->weight) /* it was rounded */
		part.weight = t->weight;
	for (size_t i = 0; i < 2; i++, part.weight = t->weight - part.weight) {
		sample.labels = sample_labels_make(w->p, CPU_UNKNOWN, (uint64_t)whole + i);
		if (part.weight)
			waits_add_interval(w, EVENT_UNSAMPLED, &part, &sample);
	}
}

static void add_owed(struct waits *w, struct wait_task *task, uint64_t begin, uint64_t end)
{
	struct wait_time t = { .begin = begin,
			       .end = end,
			       .weight = (uint64_t)task->owed,
			       .thread = process_thread(w->processes, task->pid, task->tid) };

	if (!w->sums_only)
		waits_add_rest(w, task, &t);
	task->owed = 0;
}

/* Is that CPU time in the kernel, because only user code is sampled?  If not, the next sample accounts for it. */
static bool is_kernels(const struct waits *w, int64_t owed)
{
	/* Less than two sampling periods may still get a sample. */
	enum { PIECE_NS = 2000000 };
	const uint64_t piece = PIECE_NS > 2 * w->period ? PIECE_NS : 2 * w->period;

	return (w->scope == SCOPE_WALL_USER || w->scope == SCOPE_USER) && owed > 0 &&
	       (uint64_t)owed >= piece;
}

void waits_end_run(struct waits *w, struct wait_task *task, uint64_t now)
{
	task->running += now - task->since;
	w->sums.running += now - task->since;
	task->owed += (int64_t)(now - task->since);
	if (is_kernels(w, task->owed))
		add_owed(w, task, task->since, now);
}

void waits_end_samples(struct waits *w, struct wait_task *task)
{
	uint64_t end = task->since, begin = end - (uint64_t)task->owed;

	if (w->scope != SCOPE_WAITS && task->owed > 0)
		add_owed(w, task, task->sampled && task->sampled < begin ? task->sampled : begin,
			 end);
	task->owed = 0;
}

uint64_t waits_take_sample(struct waits *w, const struct record *r)
{
	struct wait_task *task = w->on ? wait_tasks_find(&w->tasks, r->tid) : NULL;
	uint64_t weight = r->sample.period;
	int64_t ran = 0;
	uint64_t due, before;
	bool again;

	w->sampled = true;
	w->period = weight < INT64_MAX / 2 ? weight : 0;
	if (!task)
		return weight;
	before = task->sampled > task->since ? task->sampled : task->since;
	again = task->sampled == r->time;
	task->sampled = r->time;
	/* CPU time during a pause is not part of task->running. */
	if (!w->runs)
		return weight;
	if (task->state == STATE_ON)
		task->state = STATE_RUNNING;
	if (task->state == STATE_RUNNING || task->state == STATE_NEW)
		ran = r->time > task->since && r->time <= INT64_MAX
			      ? (int64_t)(r->time - task->since)
			      : 0;
	/*
	 * The switch to the thread was lost or hidden, so this CPU time is not part of task->running.  But ptrace
	 * sampling takes several samples at once of a thread that has run for several periods: the first one
	 * accounts for all that time.
	 */
	else if (task->state != STATE_UNKNOWN && task->owed <= 0 && !again)
		return weight;
	/*
	 * Samples share the exact CPU time: each weighs what the thread ran since its last sample.  If the kernel
	 * is not sampled, it weighs one period at most, because the rest was in the kernel.
	 */
	due = task->owed + ran > 0 ? (uint64_t)(task->owed + ran) : 0;
	if (task->state != STATE_UNKNOWN &&
	    (w->scope == SCOPE_WALL || (w->scope == SCOPE_WALL_USER && due < weight)))
		weight = due;
	if (__builtin_sub_overflow(task->owed, weight, &task->owed))
		task->owed = INT64_MIN;
	/* Completes the shares up to this sample, for parallelism(). */
	waits_share_time(w, r->time);
	if (task->owed > -ran && is_kernels(w, task->owed + ran)) {
		task->owed += ran;
		add_owed(w, task, before, r->time);
		task->owed = -ran;
	}
	parallelism(w, task);
	return weight;
}
