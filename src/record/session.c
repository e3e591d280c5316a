#include "record/session.h"

#include "record/trace.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	/*
	 * Rings that are not full are emptied that often: files that are told of may soon be gone.
	 * As long as nobody starts or maps anything, less and less often: each time costs, too.
	 */
	LOOK_MS = 50,
	LOOK_MS_MAX = 100,
	/* While copies of stacks are short: the sooner it is seen that they no longer do, the fewer are cut off. */
	LOOK_MS_SHORT = 10,
	WAIT_SIGNAL = -1,
	WAIT_TASK = -2,
};

uint64_t session_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Records */

/* Stacks that fill their copies may be longer, which is seen when they are followed; or there is other memory behind. */
static bool may_be_longer(const struct sampler *sampler, const struct sample *s)
{
	return sampler_may_need_more(sampler) && s->stack_asked && s->stack.size >= s->stack_asked;
}

/* One that came in; its bytes may stay where they are until its turn, or have to be copied. */
static int add_record(struct session *s, struct span bytes, bool stays, struct error *e)
{
	const struct attrs *attrs = &s->sampler->attrs;
	int i = attrs_of_record(attrs, bytes, ORDER_HOST);
	struct record r;

	if (i < 0 || !record_decode(&r, &attrs->attr[i], bytes, ORDER_HOST))
		return 0;
	if (r.kind == RECORD_SAMPLE) {
		s->nr_sample++;
		s->sampled = true;
		s->longer |= may_be_longer(s->sampler, &r.sample);
	} else if (r.kind == RECORD_LOST) {
		s->nr_lost += r.lost;
	} else {
		s->news = true;
		if (s->watch)
			s->watch(s->arg, &r);
	}
	return (stays ? queue_add_staying : queue_add)(&s->queue, r.time, bytes, e);
}

/* A record whose turn it is. */
static int give(void *arg, struct span bytes, struct error *e)
{
	struct session *s = arg;
	const struct attrs *attrs = &s->sampler->attrs;
	int i = attrs_of_record(attrs, bytes, ORDER_HOST);
	struct record r;

	if (i < 0 || !record_decode(&r, &attrs->attr[i], bytes, ORDER_HOST))
		return 0;
	return s->sink(s->arg, &r, (size_t)i, bytes, e);
}

/* Whoever fills the rings faster than we empty them also takes our time to do so. */
static void hurry(struct session *s)
{
	const struct sched_param first = { .sched_priority = 1 };

	if (!s->raised)
		sched_setscheduler(0, SCHED_RR, &first);
	s->raised = true;
}

/* What follows a recording is in nobody's way. */
static void be_patient(struct session *s)
{
	const struct sched_param none = { 0 };

	if (s->raised)
		sched_setscheduler(0, SCHED_OTHER, &none);
	setpriority(PRIO_PROCESS, 0, s->nice);
}

/* Those of threads that were stopped and looked at. */
static int take_traced(struct session *s, struct error *e)
{
	struct strbuf records = { 0 };
	struct span rest;
	int ret = 0;

	trace_take(s->sampler->trace, &records);
	rest = strbuf_peek(&records);
	while (rest.size && !ret) {
		size_t size = record_header(rest.at, ORDER_HOST).size;

		ret = add_record(s, span_upto(rest, size), false, e);
		rest = span_from(rest, size);
	}
	strbuf_release(&records);
	return ret;
}

static int empty_ring(struct session *s, struct ring *ring, struct error *e)
{
	struct span record;
	bool stays;
	int ret = 0;

	while (!ret && ring_next(ring, &record, &stays))
		ret = add_record(s, record, stays, e);
	return ret;
}

/* Once around all rings; tells how full the fullest was: a share of 1. */
static int look(struct session *s, double *full, struct error *e)
{
	int ret = s->sampler->trace ? take_traced(s, e) : 0;

	*full = 0;
	for (size_t i = 0; i < s->sampler->nr_cpu && !ret; i++) {
		struct ring *ring = &s->sampler->ring[i];
		double used;

		if (!ring->page)
			continue;
		used = (double)ring_look(ring) / (double)ring->size;
		*full = used > *full ? used : *full;
		ret = empty_ring(s, ring, e);
	}
	if (ret || queue_round(&s->queue, e))
		return -1;
	/* What was seen in the round before has been given away. */
	for (size_t i = 0; i < s->sampler->nr_cpu; i++)
		if (s->sampler->ring[i].page)
			ring_round(&s->sampler->ring[i]);
	return 0;
}

/* Where nothing came behind what was lost, the kernel has told nobody. */
static int take_untold(struct session *s, struct error *e)
{
	const struct sampler_fd *first = s->sampler->fd;
	struct record r = { .kind = RECORD_LOST, .time = s->end, .lost = sampler_lost(s->sampler) };
	struct strbuf bytes = { 0 };
	int ret = 0;

	if (r.lost <= s->nr_lost)
		return 0;
	r.lost -= s->nr_lost;
	r.id = first->id;
	if (record_encode(&bytes, &r, &s->sampler->attrs.attr[first->event], ORDER_HOST))
		ret = add_record(s, strbuf_peek(&bytes), false, e);
	strbuf_release(&bytes);
	return ret;
}

/* Records wait in the rings until their turn, as long as there is room and none of them may tell that more is needed. */
static int take_records(struct session *s, struct error *e)
{
	const double much = 0.5;
	double full;

	s->longer = false;
	if (look(s, &full, e))
		return -1;
	if (full > much)
		hurry(s);
	return full > much || s->longer ? look(s, &full, e) : 0;
}

/* Signals */

static void set_sampling(struct session *s, bool on)
{
	if (on)
		sampler_start(s->sampler);
	else
		sampler_pause(s->sampler);
	if (on && !s->started)
		s->started = session_now();
	s->sampling = on;
}

/* Without a command there is nobody to answer it but us. */
static void take_signal(struct session *s, const struct signalfd_siginfo *info)
{
	int number = (int)info->ssi_signo;

	if (number == SIGCHLD)
		return;
	if (s->by_signal && number == SIGNAL_TOGGLE) {
		set_sampling(s, !s->sampling);
		return;
	}
	if (signal_ends(number))
		s->interrupted = true;
	if (s->launch->pid)
		signal_pass_on(s->launch, s->before, number, info->ssi_code, (pid_t)info->ssi_pid);
	else
		s->ending = true;
}

static void take_signals(struct session *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		take_signal(s, &info);
}

/* Waiting */

static int watch_fd(struct session *s, int fd, int64_t what, struct error *e)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = (uint64_t)what };

	return epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event) ? error_sys(e, "epoll") : 0;
}

/* Those who are already gone are not waited for. */
static int watch_tasks(struct session *s, struct error *e)
{
	for (size_t i = 0; i < s->nr_wait_for; i++) {
		int fd = (int)syscall(SYS_pidfd_open, s->wait_for[i], 0);

		if (fd < 0)
			continue;
		if (watch_fd(s, fd, WAIT_TASK - fd, e))
			return -1;
		s->nr_waiting++;
	}
	s->ending = s->nr_wait_for && !s->nr_waiting;
	return 0;
}

static int prepare(struct session *s, struct error *e)
{
	sigset_t taken = s->before->taken;

	/* Who follows others has to hear of them first. */
	if (s->sampler->trace)
		sigdelset(&taken, SIGCHLD);
	queue_init(&s->queue, give, s);
	s->patience = LOOK_MS;
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	s->signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->epoll < 0 || s->signals < 0)
		return error_sys(e, "epoll");
	if (watch_fd(s, s->signals, WAIT_SIGNAL, e) || watch_tasks(s, e))
		return -1;
	for (size_t i = 0; i < s->sampler->nr_cpu; i++)
		if (s->sampler->ring_fd[i] >= 0 &&
		    watch_fd(s, s->sampler->ring_fd[i], (int64_t)i, e))
			return -1;
	return 0;
}

static void take(struct session *s, const struct epoll_event *event)
{
	int64_t what = (int64_t)event->data.u64;

	if (what == WAIT_SIGNAL) {
		take_signals(s);
	} else if (what <= WAIT_TASK) {
		close((int)(WAIT_TASK - what));
		if (!--s->nr_waiting)
			s->ending = true;
	} else if (event->events & (EPOLLHUP | EPOLLERR)) {
		/* Everybody who was watched there is gone, and would be told of forever. */
		epoll_ctl(s->epoll, EPOLL_CTL_DEL, s->sampler->ring_fd[what], NULL);
		s->ending |= ++s->nr_gone == s->sampler->nr_cpu && s->until_gone;
	}
}

/* Begins late, or ends early. */
static void look_at_clock(struct session *s)
{
	uint64_t now = session_now();

	if (!s->started && !s->by_signal && now - s->begin >= s->delay) {
		if (s->delay)
			set_sampling(s, true);
		s->started = now;
	}
	if (s->duration && s->started && now - s->started >= s->duration)
		s->ending = true;
}

/* Until the next thing that the clock has to do. */
static int wait_ms(const struct session *s)
{
	uint64_t now = session_now(),
		 until = s->started ? s->started + s->duration : s->begin + s->delay;
	uint64_t ms;

	if (s->started ? !s->duration : s->by_signal)
		return s->patience;
	ms = until > now ? (until - now) / 1000000 + 1 : 0;
	return ms < (uint64_t)s->patience ? (int)ms : s->patience;
}

/* Who stops threads himself hears of their ends only when he looks. */
static void set_patience(struct session *s)
{
	s->patience *= 2;
	if (s->patience > LOOK_MS_MAX)
		s->patience = LOOK_MS_MAX;
	if (s->news || s->sampler->trace)
		s->patience = LOOK_MS;
	if (s->sampler->reach == REACH_SHORT && s->sampled)
		s->patience = LOOK_MS_SHORT;
	s->news = s->sampled = false;
}

static bool command_ended(struct session *s)
{
	struct trace *t = s->sampler->trace;

	if (!s->launch->pid)
		return false;
	return t ? trace_ended(t, s->launch) : launch_ended(s->launch);
}

static int step(struct session *s, struct error *e)
{
	enum { AT_ONCE = 64 };
	struct epoll_event event[AT_ONCE];
	int n = epoll_wait(s->epoll, event, AT_ONCE, wait_ms(s));

	if (n < 0 && errno != EINTR)
		return error_sys(e, "epoll");
	for (int i = 0; i < n; i++)
		take(s, &event[i]);
	if (command_ended(s))
		s->ending = true;
	if (s->until_gone && s->sampler->trace && trace_gone(s->sampler->trace))
		s->ending = true;
	look_at_clock(s);
	if (take_records(s, e))
		return -1;
	set_patience(s);
	if (s->tick)
		s->tick(s->arg, s);
	return 0;
}

static void release(struct session *s)
{
	queue_release(&s->queue);
	if (s->epoll >= 0)
		close(s->epoll);
	if (s->signals >= 0)
		close(s->signals);
}

int session_run(struct session *s, struct error *e)
{
	int ret = prepare(s, e);

	/* We run seldom and shortly, but should do so in time; if that is not allowed, we are as all. */
	s->nice = getpriority(PRIO_PROCESS, 0);
	setpriority(PRIO_PROCESS, 0, -20);
	while (!ret && !s->ending)
		ret = step(s, e);
	s->end = session_now();
	sampler_stop(s->sampler);
	be_patient(s);
	if (!ret)
		ret = take_records(s, e) || take_untold(s, e) || queue_end(&s->queue, e) ? -1 : 0;
	release(s);
	return ret;
}
