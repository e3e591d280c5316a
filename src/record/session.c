#include "record/session.h"

#include "base/alloc.h"
#include "record/perf_events/access.h"
#include "record/priority.h"
#include "record/ptrace/trace.h"
#include "record/waits/sched_bpf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	/*
	 * How often ring buffers are read if they do not fill up before: files that records refer to may soon be
	 * deleted.  Less often while no process starts or maps anything, because each reading costs CPU time.
	 */
	READ_MS = 50,
	READ_MS_MAX = 100,
	/* While stack copies are short (copy_size.c): stacks that grow are truncated until wick notices. */
	READ_MS_SHORT = 10,
	/* This many events belong to hundreds of threads. */
	EVENTS_MANY = 512,
	/*
	 * epoll identifies descriptors by a number: 0 and above is a ring buffer to be read; WAIT_TASK - i is the
	 * process of pidfd[i], which has exited.
	 */
	WAIT_SIGNAL = -1,
	WAIT_TASK = -2,
};

/* How often the kernel's counters of losses are read, which is a system call for each event. */
static const uint64_t LOSSES_NS = 1000000000;

uint64_t session_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Records */

/*
 * Does the sample fill its stack copy?  Then the stack may be longer, or the copy extends beyond it: unwinding will
 * show which, and may change the copy size (sampler_see()).
 */
static bool may_be_longer(const struct sampler *sampler, const struct sample *s)
{
	return sampler_may_need_more(sampler) && s->stack_asked && s->stack.size >= s->stack_asked;
}

/* Queues a record that was read.  If its bytes do not stay until its turn, they are copied. */
static int add_record(struct session *s, struct span bytes, bool stays, struct error *e)
{
	const struct attrs *attrs = &s->sampler->attrs;
	int i = attrs_of_record(attrs, bytes, ORDER_HOST);
	struct record r;

	if (i < 0 || !record_decode(&r, &attrs->attr[i], bytes, ORDER_HOST))
		return 0;
	if (s->sampler->event[i].is_tracepoint) {
		if (r.kind == RECORD_SAMPLE && s->sampler->event[i].says == WAIT_RECORD_WAKE)
			s->nr_wake[s->sampler->event[i].is_wide ? WHOSE_ALL : WHOSE_TARGET]++;
	} else if (r.kind == RECORD_SAMPLE) {
		s->nr_sample++;
		s->sampled = true;
		s->longer |= may_be_longer(s->sampler, &r.sample);
	} else if (r.kind == RECORD_LOST) {
		s->has_lost = true;
		/* The kernel's counters say what was lost: see take_lost(). */
		if (sampler_counts_lost(s->sampler) && !s->is_over) {
			s->loses = true;
			return 0;
		}
		s->nr_lost += r.lost;
	} else {
		s->news |= r.kind != RECORD_SWITCH;
		if (s->watch)
			s->watch(s->arg, &r);
	}
	return (stays ? queue_add_staying : queue_add)(&s->queue, r.time, bytes, e);
}

/* A queue_sink: passes on the record whose turn it is. */
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

/* Takes records that are not in a ring buffer. */
static int add_records(struct session *s, struct strbuf *records, struct error *e)
{
	struct span rest = strbuf_peek(records);
	int ret = 0;

	while (rest.size >= RECORD_HEADER_SIZE && !ret) {
		size_t size = record_header(rest.at, ORDER_HOST).size;

		/* No writer produces such a record, but wick would read it forever. */
		if (size < RECORD_HEADER_SIZE || size > rest.size)
			break;
		ret = add_record(s, span_upto(rest, size), false, e);
		rest = span_from(rest, size);
	}
	strbuf_release(records);
	return ret;
}

/* Takes the caller's own records. */
static int queue_own(struct session *s, struct error *e)
{
	const struct attrs *attrs = &s->sampler->attrs;
	struct span rest = s->own ? strbuf_peek(s->own) : SPAN("");
	int ret = 0;

	while (rest.size && !ret) {
		struct span bytes = span_upto(rest, record_header(rest.at, ORDER_HOST).size);
		int i = attrs_of_record(attrs, bytes, ORDER_HOST);
		struct record r;

		if (i >= 0 && record_decode(&r, &attrs->attr[i], bytes, ORDER_HOST))
			ret = queue_add(&s->queue, r.time, bytes, e);
		rest = span_from(rest, bytes.size);
	}
	if (s->own)
		strbuf_reset(s->own);
	return ret;
}

/* Takes the records of ptrace sampling (trace.h). */
static int take_traced(struct session *s, struct error *e)
{
	struct strbuf records = { 0 };

	s->queue.limit = trace_take(s->sampler->trace, &records);
	return add_records(s, &records, e);
}

/* Takes the records of BPF programs. */
static int take_bpf(struct session *s, struct error *e)
{
	struct strbuf records = { 0 };

	sched_bpf_take(s->sampler->bpf, &records);
	return add_records(s, &records, e);
}

/* The thread that empties a ring buffer, if it is on. */
static struct drain *drain_of(struct session *s, size_t ring)
{
	return &s->drain[ring / s->sampler->nr_cpu];
}

/* Returns how many bytes of records there were, or SIZE_MAX after an error. */
static size_t read_drained(struct session *s, size_t ring, struct error *e)
{
	struct strbuf records = { 0 };
	size_t size;

	drain_fetch(drain_of(s, ring), ring % s->sampler->nr_cpu, &records);
	size = records.size;
	return add_records(s, &records, e) ? SIZE_MAX : size;
}

/* The same for a ring buffer without such a thread. */
static size_t read_ring(struct session *s, struct ring *ring, struct error *e)
{
	size_t size = ring_pending(ring);
	struct span record;
	bool stays;

	while (ring_next(ring, &record, &stays))
		if (add_record(s, record, stays, e))
			return SIZE_MAX;
	return size;
}

/* The records of the previous round have been passed on, so their space is free. */
static void end_round(struct session *s)
{
	for (size_t i = 0; i < s->sampler->nr_ring; i++)
		if (s->sampler->ring[i].page && !drain_of(s, i)->is_on)
			ring_round(&s->sampler->ring[i]);
}

/* One round: reads all ring buffers once.  *full is how full the fullest was, of 1. */
static int read_round(struct session *s, double *full, struct error *e)
{
	if (s->sampler->trace && take_traced(s, e))
		return -1;
	*full = 0;
	for (size_t i = 0; i < s->sampler->nr_ring; i++) {
		struct ring *ring = &s->sampler->ring[i];
		double used;
		size_t size;

		if (!ring->page)
			continue;
		size = drain_of(s, i)->is_on ? read_drained(s, i, e) : read_ring(s, ring, e);
		if (size == SIZE_MAX)
			return -1;
		used = (double)size / (double)ring->size;
		*full = used > *full ? used : *full;
	}
	if ((s->sampler->bpf && take_bpf(s, e)) || queue_round(&s->queue, e))
		return -1;
	end_round(s);
	return 0;
}

/* Starts a thread that empties the ring buffers of that kind from now on. */
static void start_drain(struct session *s, enum ring_kind kind)
{
	struct sampler *from = s->sampler;

	if (s->drain[kind].is_on || from->trace)
		return;
	queue_keep(&s->queue);
	end_round(s);
	drain_start(&s->drain[kind], &from->ring[kind * from->nr_cpu], from->nr_cpu);
}

/* Reads the number of lost records so far from the kernel's counters, if any were lost. */
static void check_losses(struct session *s)
{
	uint64_t now = session_now();

	if (!s->loses || now - s->losses_at < LOSSES_NS)
		return;
	s->losses_at = now;
	s->loses = false;
	s->nr_lost = sampler_lost(s->sampler).samples;
}

/* At the end, adds a record with the number of lost samples, by the kernel's counters. */
static int take_lost(struct session *s, struct error *e)
{
	const struct sampler_fd *first = s->sampler->fd;
	struct sampler_lost lost = sampler_lost(s->sampler);
	struct record r = { .kind = RECORD_LOST, .time = s->end, .lost = lost.samples };
	struct strbuf bytes = { 0 };
	int ret = 0;

	if (!sampler_counts_lost(s->sampler))
		return 0;
	s->is_over = true;
	s->nr_lost = 0;
	s->nr_switch_lost = lost.switches;
	if (!r.lost)
		return 0;
	r.id = first->id;
	if (record_encode(&bytes, &r, &s->sampler->attrs.attr[first->event], ORDER_HOST))
		ret = add_record(s, strbuf_peek(&bytes), false, e);
	strbuf_release(&bytes);
	return ret;
}

/*
 * A record is passed on in the round after the one that read it.  That round can wait until the next reading,
 * unless ring buffers are filling up, or a stack may be longer than its copy.
 */
static int take_records(struct session *s, struct error *e)
{
	const double much = 0.5;
	double full;

	s->longer = false;
	if (read_round(s, &full, e))
		return -1;
	/* A program that fills them faster than wick reads also competes for the CPU. */
	if (full > much) {
		priority_raise();
		start_drain(s, RING_SAMPLES);
	}
	check_losses(s);
	return full > much || s->longer ? read_round(s, &full, e) : 0;
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

/* A signal is passed on to the command; without one, it ends the recording. */
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

/* `what`: the index of a ring buffer, WAIT_SIGNAL, or WAIT_TASK - i. */
static int watch_fd(struct session *s, int fd, int64_t what, struct error *e)
{
	/*
	 * The ring buffer of the BPF programs, which comes after the others, always has data: only its wakeup
	 * counts.
	 */
	bool is_bpf = what == (int64_t)s->sampler->nr_ring;
	struct epoll_event event = { .events = is_bpf ? EPOLLIN | EPOLLET : EPOLLIN,
				     .data.u64 = (uint64_t)what };

	return epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event) ? error_sys(e, "epoll") : 0;
}

static void close_pidfd(struct session *s, size_t i)
{
	if (s->pidfd[i] >= 0)
		close(s->pidfd[i]);
	s->pidfd[i] = -1;
}

/* If all processes have already exited, the recording ends at once. */
static int watch_tasks(struct session *s, struct error *e)
{
	s->pidfd = xcalloc(s->nr_wait_for, sizeof(*s->pidfd));
	for (size_t i = 0; i < s->nr_wait_for; i++)
		s->pidfd[i] = -1;
	for (size_t i = 0; i < s->nr_wait_for; i++) {
		s->pidfd[i] = (int)syscall(SYS_pidfd_open, s->wait_for[i], 0);
		if (s->pidfd[i] < 0 && errno == ESRCH)
			continue;
		if (s->pidfd[i] < 0)
			return error_sys(e, "pidfd_open");
		if (watch_fd(s, s->pidfd[i], WAIT_TASK - (int64_t)i, e))
			return -1;
		s->nr_waiting++;
	}
	s->ending = s->nr_wait_for && !s->nr_waiting;
	return 0;
}

static int prepare(struct session *s, struct error *e)
{
	sigset_t taken = s->before->taken;

	/* The tracing thread waits for its tracees itself. */
	if (s->sampler->trace)
		sigdelset(&taken, SIGCHLD);
	queue_init(&s->queue, give, s);
	s->patience = READ_MS;
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	s->signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->epoll < 0 || s->signals < 0)
		return errno == EMFILE ? access_no_files(e) : error_sys(e, "epoll");
	if (watch_fd(s, s->signals, WAIT_SIGNAL, e) || watch_tasks(s, e))
		return -1;
	for (size_t i = 0; i < s->sampler->nr_ring; i++) {
		if (s->sampler->ring_fd[i] < 0)
			continue;
		if (watch_fd(s, s->sampler->ring_fd[i], (int64_t)i, e))
			return -1;
		s->nr_live++;
	}
	if (s->sampler->bpf)
		return watch_fd(s, sched_bpf_fd(s->sampler->bpf), (int64_t)s->sampler->nr_ring, e);
	return 0;
}

static void take_event(struct session *s, const struct epoll_event *event)
{
	int64_t what = (int64_t)event->data.u64;

	if (what == WAIT_SIGNAL) {
		take_signals(s);
	} else if (what <= WAIT_TASK) {
		close_pidfd(s, (size_t)(WAIT_TASK - what));
		if (!--s->nr_waiting)
			s->ending = true;
	} else if (event->events & (EPOLLHUP | EPOLLERR)) {
		/* All tasks of that ring buffer have exited, which epoll would report forever. */
		epoll_ctl(s->epoll, EPOLL_CTL_DEL, s->sampler->ring_fd[what], NULL);
		s->ending |= !--s->nr_live && s->until_gone;
	}
}

/* Starts sampling after the delay, and ends the recording after its duration. */
static void check_clock(struct session *s)
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

/* The time until `then`, but not more than `most`: ms. */
static int ms_until(uint64_t then, int most)
{
	uint64_t now = session_now(), ms = then > now ? (then - now) / 1000000 + 1 : 0;

	return ms < (uint64_t)most ? (int)ms : most;
}

/* How long to wait: until the next reading, or before that the end of the delay or duration. */
static int wait_ms(const struct session *s)
{
	int ms = s->wake_at ? ms_until(s->wake_at, s->patience) : s->patience;

	if (s->started ? !s->duration : s->by_signal)
		return ms;
	return ms_until(s->started ? s->started + s->duration : s->begin + s->delay, ms);
}

/* Waits longer if nothing happened, but not with ptrace sampling, where nothing else reports that a thread exited. */
static void set_patience(struct session *s)
{
	s->patience *= 2;
	if (s->patience > READ_MS_MAX)
		s->patience = READ_MS_MAX;
	if (s->news || s->sampler->trace)
		s->patience = READ_MS;
	if (s->sampler->reach == REACH_SHORT && s->sampled)
		s->patience = READ_MS_SHORT;
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
		take_event(s, &event[i]);
	if (command_ended(s))
		s->ending = true;
	if (s->until_gone && s->sampler->trace && trace_gone(s->sampler->trace))
		s->ending = true;
	check_clock(s);
	if (take_records(s, e))
		return -1;
	set_patience(s);
	if (s->tick)
		s->tick(s->arg, s);
	return queue_own(s, e);
}

void session_close(struct session *s)
{
	for (size_t i = 0; i < NR_RING_KINDS; i++)
		drain_stop(&s->drain[i]);
	queue_release(&s->queue);
	for (size_t i = 0; s->pidfd && i < s->nr_wait_for; i++)
		close_pidfd(s, i);
	free(s->pidfd);
	if (s->epoll >= 0)
		close(s->epoll);
	if (s->signals >= 0)
		close(s->signals);
}

bool session_has_files(const struct session *s)
{
	enum { NR_RESERVED = 8 };
	int fd[NR_RESERVED], nr = 0;

	while (nr < NR_RESERVED && (fd[nr] = fcntl(s->epoll, F_DUPFD_CLOEXEC, 0)) >= 0)
		nr++;
	for (int i = 0; i < nr; i++)
		close(fd[i]);
	return nr == NR_RESERVED;
}

int session_open(struct session *s, struct error *e)
{
	bool is_prepared = !prepare(s, e);

	if (is_prepared && session_has_files(s))
		return 0;
	if (is_prepared)
		access_no_files(e);
	session_close(s);
	return -1;
}

int session_run(struct session *s, struct error *e)
{
	int ret = add_records(s, &s->sampler->early, e) || queue_own(s, e) ? -1 : 0;
	bool many = s->sampler->nr_fd > EVENTS_MANY;

	s->nice = getpriority(PRIO_PROCESS, 0);
	setpriority(PRIO_PROCESS, 0, -20);
	/*
	 * Thousands of threads could keep wick off the CPU for seconds, and the whole machine could fill the ring
	 * buffers.
	 */
	if (s->sampler->wide)
		priority_raise();
	else if (!many)
		priority_restore();
	/* Tracking records are small, and must not be lost. */
	start_drain(s, RING_TRACKING);
	/* Records that a thread copies do not fill a small ring buffer for a round. */
	if (s->sampler->ring_size <= RING_SIZE_ENOUGH)
		start_drain(s, RING_SAMPLES);
	while (!ret && !s->ending)
		ret = step(s, e);
	s->end = session_now();
	/* From now on, the user waits for the result. */
	priority_raise();
	sampler_stop(s->sampler);
	if (!ret)
		ret = take_records(s, e) || take_lost(s, e) || queue_end(&s->queue, e) ? -1 : 0;
	/*
	 * Work after the recording has normal priority, unless so many threads are runnable that it would hardly
	 * finish.
	 */
	if (!(many || s->sampler->wide) || !priority_is_crowded())
		setpriority(PRIO_PROCESS, 0, s->nice);
	session_close(s);
	return ret;
}
