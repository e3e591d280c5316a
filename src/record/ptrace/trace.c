#include "record/ptrace/trace.h"

#include "base/alloc.h"
#include "record/ptrace/tracer.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct trace {
	struct sampling what;
	struct attr attr, switches;
	bool has_switches;
	pthread_t thread;
	bool running;
	sem_t begun;	  /* posted when all tasks are traced, or that was refused: */
	int why;	  /* an errno, or 0 */
	int news, wake;	  /* eventfds, to the reader of records and to the thread */
	int timer, child; /* a timerfd and a signalfd (SIGCHLD), for the thread */
	bool on, stop;	  /* sampling is enabled; the thread should exit */
	/* Written by the thread, under the lock: */
	pthread_mutex_t lock;
	struct strbuf records;
	uint64_t emitted_until; /* see trace_take() */
	bool gone, ended;
	int status;
	struct rusage used;
	struct trace_sum sum;
};

/* What can be recorded this way */

static bool is_time(const struct sampled *event)
{
	bool clock =
		event->type == PERF_TYPE_SOFTWARE && (event->config == PERF_COUNT_SW_CPU_CLOCK ||
						      event->config == PERF_COUNT_SW_TASK_CLOCK);

	return (clock || event->or_clock) && !event->no_user && !event->needs_kernel;
}

bool trace_suits(const struct sampling *what)
{
	bool is_known =
		what->nr_event ? what->nr_event == 1 && is_time(&what->event[0]) : what->switches;

	return what->nr_task && is_known && what->cgroup < 0 && !what->nr_cpu &&
	       what->calls != CALLS_BRANCHES;
}

unsigned trace_frequency(const struct sampling *what)
{
	uint64_t hz = what->frequency, count = what->nr_event ? what->event[0].count : 0;

	if (count)
		hz = count < 1000000000 ? 1000000000 / count : 1;
	else if (what->usual)
		hz = TRACE_FREQUENCY_DEFAULT;
	return hz < TRACE_FREQUENCY_MAX ? (unsigned)hz : TRACE_FREQUENCY_MAX;
}

/* The thread */

static void emit_lost(struct tracer *t)
{
	struct record r = { .kind = RECORD_LOST, .lost = t->nr_lost };

	tracer_emit(t, &r);
	t->nr_lost = 0;
}

/* Hands over the records, and the status of the command. */
static void publish(struct trace *all, struct tracer *t)
{
	enum { MUCH = 1024 * 1024 };
	bool news;

	pthread_mutex_lock(&all->lock);
	t->full = all->records.size > TRACE_BYTES_MAX;
	if (!t->full && t->nr_lost)
		emit_lost(t);
	if (t->out.size)
		strbuf_add(&all->records, strbuf_peek(&t->out));
	strbuf_reset(&t->out);
	news = all->records.size > MUCH || (t->ended && !all->ended) || (!t->nr_task && !all->gone);
	all->emitted_until = t->emitted_until;
	all->gone = !t->nr_task;
	all->ended = t->ended;
	all->status = t->status;
	all->used = t->used;
	all->sum = t->sum;
	pthread_mutex_unlock(&all->lock);
	if (news)
		eventfd_write(all->news, 1);
}

static bool drain(int fd)
{
	char bytes[8 * sizeof(struct signalfd_siginfo)];
	bool any = false;

	while (read(fd, bytes, sizeof(bytes)) > 0)
		any = true;
	return any;
}

static void follow(struct trace *all, struct tracer *t)
{
	struct pollfd on[] = { { .fd = all->wake, .events = POLLIN },
			       { .fd = all->child, .events = POLLIN },
			       { .fd = all->timer, .events = POLLIN } };
	bool more = false;

	while (!__atomic_load_n(&all->stop, __ATOMIC_ACQUIRE)) {
		poll(on, ARRAY_SIZE(on), more ? 0 : -1);
		if (!more)
			t->worked_at_wakeup = tracer_worked();
		drain(all->wake);
		drain(all->child);
		t->sampling = __atomic_load_n(&all->on, __ATOMIC_ACQUIRE);
		/* Stopped threads are continued before others are asked to stop. */
		more = tracer_answer(t);
		if (drain(all->timer))
			tracer_round(t);
		publish(all, t);
	}
	while (tracer_answer(t))
		;
	publish(all, t);
}

/* How many descriptors the tracer may keep open.  Raises the limit for wick only: the command was already forked. */
static size_t descriptors(void)
{
	enum { ENOUGH = 16384 };
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	if (limit.rlim_cur < ENOUGH) {
		limit.rlim_cur = limit.rlim_max < ENOUGH ? limit.rlim_max : ENOUGH;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	return (size_t)limit.rlim_cur / 2;
}

/* Stopped threads wait for the tracer, so it gets a real-time priority if permitted, else a high one or none. */
static void be_first(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_RR, &first))
		setpriority(PRIO_PROCESS, 0, -20);
}

static void *run(void *arg)
{
	struct trace *all = arg;
	struct tracer *t = xcalloc(1, sizeof(*t));

	be_first();
	t->what = &all->what;
	t->attr = &all->attr;
	t->switches = all->has_switches ? &all->switches : NULL;
	t->period = 1000000000 / trace_frequency(&all->what);
	t->max_open = descriptors();
	t->launched = all->what.on_exec ? all->what.task[0] : 0;
	t->stack = xmalloc(all->attr.stack_user);
	all->why = tracer_seize_all(t);
	if (!all->why && !t->nr_task)
		all->why = ESRCH;
	sem_post(&all->begun);
	if (!all->why)
		follow(all, t);
	tracer_release(t);
	free(t);
	return NULL;
}

/* Interface */

static int open_fds(struct trace *t)
{
	const uint64_t every = 1000000000 / trace_frequency(&t->what);
	const struct timespec period = { .tv_sec = (time_t)(every / 1000000000),
					 .tv_nsec = (long)(every % 1000000000) };
	const struct itimerspec ticks = { .it_interval = period, .it_value = period };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	t->news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	t->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	t->child = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	t->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (t->news < 0 || t->wake < 0 || t->child < 0 || t->timer < 0)
		return -1;
	return timerfd_settime(t->timer, 0, &ticks, NULL);
}

struct trace *trace_open(const struct sampling *what, const struct attr *a,
			 const struct attr *switches, struct error *e)
{
	struct trace *t = xcalloc(1, sizeof(*t));
	int why;

	t->what = *what;
	t->attr = *a;
	t->has_switches = switches;
	if (switches)
		t->switches = *switches;
	t->on = !what->held;
	pthread_mutex_init(&t->lock, NULL);
	sem_init(&t->begun, 0, 0);
	why = open_fds(t) ? errno : pthread_create(&t->thread, NULL, run, t);
	if (!why) {
		t->running = true;
		while (sem_wait(&t->begun))
			;
		why = t->why;
	}
	if (!why)
		return t;
	trace_close(t);
	errno = why;
	error_sys(e, "ptrace");
	errno = why;
	return NULL;
}

void trace_set(struct trace *t, bool on)
{
	__atomic_store_n(&t->on, on, __ATOMIC_RELEASE);
}

void trace_stop(struct trace *t)
{
	if (!t->running)
		return;
	__atomic_store_n(&t->stop, true, __ATOMIC_RELEASE);
	eventfd_write(t->wake, 1);
	pthread_join(t->thread, NULL);
	t->running = false;
}

void trace_close(struct trace *t)
{
	const int fds[] = { t->news, t->wake, t->child, t->timer };

	trace_stop(t);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	strbuf_release(&t->records);
	pthread_mutex_destroy(&t->lock);
	sem_destroy(&t->begun);
	free(t);
}

int trace_fd(const struct trace *t)
{
	return t->news;
}

uint64_t trace_take(struct trace *t, struct strbuf *records)
{
	struct strbuf empty = *records;
	uint64_t until;

	drain(t->news);
	pthread_mutex_lock(&t->lock);
	*records = t->records;
	t->records = empty;
	until = t->emitted_until;
	pthread_mutex_unlock(&t->lock);
	return until;
}

bool trace_gone(struct trace *t)
{
	bool gone;

	pthread_mutex_lock(&t->lock);
	gone = t->gone;
	pthread_mutex_unlock(&t->lock);
	return gone;
}

bool trace_ended(struct trace *t, struct launch *l)
{
	bool ended;

	if (!t->what.on_exec)
		return launch_ended(l);
	pthread_mutex_lock(&t->lock);
	ended = t->ended;
	if (ended && l->pid)
		launch_reaped(l, t->status, &t->used);
	pthread_mutex_unlock(&t->lock);
	return ended;
}

struct trace_sum trace_sum(struct trace *t)
{
	struct trace_sum sum;

	pthread_mutex_lock(&t->lock);
	sum = t->sum;
	pthread_mutex_unlock(&t->lock);
	return sum;
}

unsigned trace_rate(const struct trace_sum *sum, unsigned asked)
{
	return sum->nr_sample ? (unsigned)(asked * sum->nr_taken / sum->nr_sample) : asked;
}

unsigned trace_typical(const struct trace_sum *sum)
{
	uint64_t nr = 0, below = 0;
	size_t i = 0;

	for (size_t k = 0; k < ARRAY_SIZE(sum->nr_stop); k++)
		nr += sum->nr_stop[k];
	while (i + 1 < ARRAY_SIZE(sum->nr_stop) && (below += sum->nr_stop[i]) * 2 < nr)
		i++;
	return 1U << i;
}
