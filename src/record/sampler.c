#include "record/sampler.h"

#include "base/alloc.h"
#include "record/access.h"
#include "record/kept.h"
#include "record/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* PERF_FORMAT_LOST, which headers of older kernels do not have. */
enum { FORMAT_LOST = 1 << 4 };

/* Opens an event for one task (-1: all) on one processor. */
static int event_open(const struct sampler *s, const struct sampling *what, size_t event,
		      pid_t task, int cpu)
{
	struct perf_event_attr a = s->attr[event];
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;

	if (what->cgroup >= 0) {
		task = what->cgroup;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	return (int)syscall(SYS_perf_event_open, &a, task, cpu, -1, flags);
}

/* What its ring had no room for: the kernel counts it. */
static uint64_t lost_of(int fd)
{
	struct {
		uint64_t value, lost;
	} now;

	return read(fd, &now, sizeof(now)) == (ssize_t)sizeof(now) ? now.lost : 0;
}

uint64_t sampler_lost(const struct sampler *s)
{
	uint64_t sum = s->nr_lost;

	for (size_t i = 0; i < s->nr_fd; i++)
		sum += lost_of(s->fd[i].fd);
	return sum;
}

void sampler_drop(struct sampler *s, int fd)
{
	s->nr_lost += lost_of(fd);
	close(fd);
}

/* Giving up */

/*
 * Older kernels refuse bits that they do not know: each is dropped in turn, the newest first.
 * Without them, mappings have no build-ids, child processes inherit the events of a thread too,
 * and BPF programs have no names.
 */
static bool drop_newest(struct perf_event_attr *a)
{
	if (a->read_format) {
		a->read_format = 0;
	} else if (a->build_id) {
		a->build_id = 0;
	} else if (a->inherit_thread) {
		a->inherit_thread = 0;
	} else if (a->ksymbol) {
		a->ksymbol = 0;
	} else {
		return false;
	}
	return true;
}

/* The kernel refuses a frequency above its maximum: asks for that instead. */
static bool lower_frequency(struct sampler *s, struct perf_event_attr *a)
{
	long most = access_setting("perf_event_max_sample_rate", 0);

	if (!a->freq || most <= 0 || a->sample_freq <= (uint64_t)most)
		return false;
	a->sample_freq = (uint64_t)most;
	s->frequency = (unsigned)most;
	return true;
}

/* Takes from the attr what errno says was refused; false when there is nothing left to give up. */
static bool give_up(struct sampler *s, const struct sampled *event, struct perf_event_attr *a,
		    int why)
{
	switch (why) {
	case EACCES:
	case EPERM:
		if (a->exclude_kernel || event->needs_kernel || event->no_user)
			return false;
		a->exclude_kernel = a->exclude_hv = 1;
		s->user_only = true;
		return true;
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		/* A clock has no branch stack, so it cannot take the place of LBR. */
		if (!event->or_clock || a->type == PERF_TYPE_SOFTWARE || a->branch_sample_type)
			return false;
		a->type = PERF_TYPE_SOFTWARE;
		a->config = PERF_COUNT_SW_CPU_CLOCK;
		s->clock_only = true;
		return true;
	case EINVAL:
		return lower_frequency(s, a) || drop_newest(a);
	default:
		return false;
	}
}

/* Asks for less until the kernel accepts the attr: for one task on one processor. */
static int negotiate(struct sampler *s, const struct sampling *what, size_t event,
		     const struct sampled *asked, struct error *e)
{
	struct perf_event_attr *a = &s->attr[event];

	for (;;) {
		int fd = event_open(s, what, event, what->nr_task ? what->task[0] : -1, s->cpu[0]);

		if (fd >= 0) {
			close(fd);
			return 0;
		}
		/* The task has ended, so nothing can be tried: open_task() counts it. */
		if (errno == ESRCH)
			return 0;
		if (!give_up(s, asked, a, errno)) {
			s->refused = errno == EACCES || errno == EPERM || errno == ENOSYS;
			return access_refused(what, a, errno, e);
		}
	}
}

/* Opening */

/* The first event also records mappings, names, forks and exits: once is enough. */
static void set_tracking(struct perf_event_attr *a)
{
	a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = 1;
	a->build_id = 1;
	a->ksymbol = 1;
}

/* Puts the event's name in front of the error, if the user has named one.  Always -1. */
static int refused(const struct perf_event_attr *attr, const struct sampled *event, struct error *e)
{
	struct strbuf name = { 0 };
	struct attr a;

	if (event->or_clock)
		return -1;
	attr_parse(&a, (struct span){ (const char *)attr, sizeof(*attr) }, ORDER_HOST);
	if (event->name)
		strbuf_add(&name, span_of(event->name));
	else
		attr_name(&name, &a);
	error_within(e, "%s", name.at);
	strbuf_release(&name);
	return -1;
}

void sampler_add_attr(struct sampler *s, size_t event)
{
	const struct perf_event_attr *attr = &s->attr[event];
	struct attr a;

	attr_parse(&a, (struct span){ (const char *)attr, sizeof(*attr) }, ORDER_HOST);
	attrs_add(&s->attrs, &a);
}

size_t sampler_new_event(struct sampler *s)
{
	size_t i = s->nr_attr++;

	s->attr = xreallocarray(s->attr, i + 1, sizeof(*s->attr));
	s->event = xreallocarray(s->event, i + 1, sizeof(*s->event));
	s->event[i] = (struct sampler_event){ .is_sampled = true, .stands_for = (uint32_t)i };
	return i;
}

static int add_event(struct sampler *s, const struct sampling *what, const struct sampled *event,
		     struct error *e)
{
	size_t i = sampler_new_event(s);

	attribute_init(&s->attr[i], what, event);
	/* Not in attribute_init(): whoever stops threads does not know the processor. */
	s->attr[i].sample_type |= PERF_SAMPLE_CPU;
	s->attr[i].read_format = FORMAT_LOST;
	if (!i)
		set_tracking(&s->attr[i]);
	if (negotiate(s, what, i, event, e))
		return refused(&s->attr[i], event, e);
	sampler_add_attr(s, i);
	if (event->name && !s->clock_only)
		strbuf_add(&s->attrs.name[i], span_of(event->name));
	return 0;
}

/* A dummy event takes no samples: it tracks processes and mappings while the others are off. */
static int add_tracker(struct sampler *s, const struct sampling *what, struct error *e)
{
	const struct sampled dummy = { .type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_DUMMY,
				       .count = 1,
				       .no_kernel = true };
	struct sampling now = *what;

	now.held = false;
	if (add_event(s, &now, &dummy, e))
		return -1;
	s->event[0].is_sampled = false;
	return 0;
}

/* Directs an open event into the ring buffer of its processor; the first one there maps it. */
static int add_fd(struct sampler *s, size_t cpu, size_t event, int fd, struct error *e)
{
	uint64_t id = 0;

	if (!ioctl(fd, PERF_EVENT_IOC_ID, &id))
		attrs_add_id(&s->attrs, id, event);
	GROW(s->fd, s->nr_fd, s->cap_fd);
	s->fd[s->nr_fd++] = (struct sampler_fd){ .fd = fd, .event = (uint32_t)event, .id = id };
	if (s->ring_fd[cpu] >= 0) {
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, s->ring_fd[cpu]))
			return error_sys(e, "a ring that events share");
		return 0;
	}
	s->ring_fd[cpu] = fd;
	if (!ring_open(&s->ring[cpu], fd, s->ring_size, e))
		return 0;
	s->no_room = errno == EPERM || errno == ENOMEM;
	return -1;
}

static int open_task(struct sampler *s, const struct sampling *what, size_t cpu, pid_t task,
		     struct error *e)
{
	for (size_t i = 0; i < s->nr_attr; i++) {
		int fd = event_open(s, what, i, task, s->cpu[cpu]);

		if (fd < 0 && errno == ESRCH) {
			s->nr_gone += !cpu && !i;
			return 0;
		}
		/* The processor went offline meanwhile. */
		if (fd < 0 && errno == ENODEV && s->nr_cpu > 1)
			return 0;
		if (fd < 0)
			return access_refused(what, &s->attr[i], errno, e);
		if (add_fd(s, cpu, i, fd, e))
			return -1;
	}
	return 0;
}

static void close_all(struct sampler *s)
{
	for (size_t i = 0; i < s->nr_cpu; i++) {
		ring_close(&s->ring[i]);
		s->ring_fd[i] = -1;
	}
	for (size_t i = 0; i < s->nr_fd; i++)
		close(s->fd[i].fd);
	s->nr_fd = 0;
	s->nr_gone = 0;
}

/*
 * Room for the samples of half a second: records stay in the ring buffer for two rounds of at
 * most 100 ms (session.c), and on a busy machine we come late.
 */
static size_t ring_size(const struct sampler *s, const struct sampling *what)
{
	uint64_t second = (uint64_t)what->frequency * what->nr_event * what->copy_size;
	size_t share = RINGS_SIZE_MAX / s->nr_cpu, size = RING_SIZE_ENOUGH;

	while (size < second / 2 && size < RING_SIZE_MAX && size * 2 <= share)
		size *= 2;
	return size;
}

int sampler_none_left(const struct sampling *what, struct error *e)
{
	if (what->nr_task == 1)
		return error_set(e, ERROR_SYSTEM, "process %d has ended already",
				 (int)what->task[0]);
	return error_set(e, ERROR_SYSTEM, "all %zu have ended already", what->nr_task);
}

static int open_all(struct sampler *s, const struct sampling *what, struct error *e)
{
	const pid_t all = -1, *task = what->nr_task ? what->task : &all;
	size_t nr = what->nr_task ? what->nr_task : 1;

	/* Wakes us long before it is full, but not often: the wakeup costs who is recorded. */
	for (size_t i = 0; i < s->nr_attr; i++)
		s->attr[i].wakeup_watermark = (uint32_t)(s->ring_size / 4);
	sampler_size_long(s, s->ring_size >= ring_size(s, what));
	for (size_t cpu = 0; cpu < s->nr_cpu; cpu++)
		for (size_t i = 0; i < nr; i++)
			if (open_task(s, what, cpu, task[i], e))
				return -1;
	return s->nr_fd ? 0 : sampler_none_left(what, e);
}

/* Halves the ring buffers until they fit into the locked memory that the kernel allows. */
static int open_rings(struct sampler *s, const struct sampling *what, struct error *e)
{
	s->ring_size = ring_size(s, what);
	while (open_all(s, what, e)) {
		close_all(s);
		if (!s->no_room || s->ring_size <= RING_SIZE_MIN)
			return -1;
		s->no_room = false;
		s->ring_size /= 2;
	}
	return 0;
}

/*
 * Allows us that many descriptors for events.  A command of ours does not notice: it was forked
 * before, and restores the limit that it is to have (launch.c).
 */
static void raise_limit(size_t nr)
{
	/* The files that are kept open, and all else that we have. */
	enum { OTHERS = KEPT_MAX + 200 };
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= nr + OTHERS)
		return;
	limit.rlim_cur = nr + OTHERS;
	if (limit.rlim_cur > limit.rlim_max) {
		struct rlimit more = { limit.rlim_cur, limit.rlim_cur };

		if (!setrlimit(RLIMIT_NOFILE, &more))
			return;
		limit.rlim_cur = limit.rlim_max;
	}
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int choose_cpus(struct sampler *s, const struct sampling *what, struct error *e)
{
	if (!what->nr_cpu && processors_online(&s->cpu, &s->nr_cpu, e))
		return -1;
	if (what->nr_cpu) {
		s->cpu = xmemdup(what->cpu, what->nr_cpu * sizeof(*s->cpu));
		s->nr_cpu = what->nr_cpu;
	}
	s->ring = xcalloc(s->nr_cpu, sizeof(*s->ring));
	s->ring_fd = xcalloc(s->nr_cpu, sizeof(*s->ring_fd));
	for (size_t i = 0; i < s->nr_cpu; i++)
		s->ring_fd[i] = -1;
	return 0;
}

static int open_events(struct sampler *s, const struct sampling *what, struct error *e)
{
	*s = (struct sampler){ 0 };
	if (choose_cpus(s, what, e) || (what->held && add_tracker(s, what, e)))
		return -1;
	for (size_t i = 0; i < what->nr_event; i++) {
		if (add_event(s, what, &what->event[i], e))
			return -1;
		sampler_add_reaches(s, what);
	}
	raise_limit(s->nr_cpu * s->nr_attr * (what->nr_task ? what->nr_task : 1));
	if (open_rings(s, what, e))
		return -1;
	s->on = !what->held;
	/* For a command the kernel does it, see enable_on_exec. */
	for (size_t i = 0; i < s->nr_fd && !what->on_exec; i++)
		if ((!what->held || !s->event[s->fd[i].event].is_sampled) &&
		    !sampler_rests(s, s->fd[i].event))
			ioctl(s->fd[i].fd, PERF_EVENT_IOC_ENABLE, 0);
	return 0;
}

int sampler_open(struct sampler *s, const struct sampling *what, struct error *e)
{
	int ret = open_events(s, what, e);

	return ret && s->refused && trace_suits(what) ? sampler_open_trace(s, what, e) : ret;
}

void sampler_start(struct sampler *s)
{
	if (s->trace)
		trace_set(s->trace, true);
	s->on = true;
	for (size_t i = 0; i < s->nr_fd; i++)
		if (!sampler_rests(s, s->fd[i].event))
			ioctl(s->fd[i].fd, PERF_EVENT_IOC_ENABLE, 0);
}

void sampler_pause(struct sampler *s)
{
	if (s->trace)
		trace_set(s->trace, false);
	s->on = false;
	for (size_t i = 0; i < s->nr_fd; i++)
		if (s->event[s->fd[i].event].is_sampled)
			ioctl(s->fd[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void sampler_stop(struct sampler *s)
{
	if (s->trace)
		trace_stop(s->trace);
	for (size_t i = 0; i < s->nr_fd; i++)
		ioctl(s->fd[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void sampler_close(struct sampler *s)
{
	if (s->trace)
		trace_close(s->trace);
	close_all(s);
	attrs_release(&s->attrs);
	free(s->attr);
	free(s->event);
	free(s->cpu);
	free(s->ring);
	free(s->ring_fd);
	free(s->fd);
	*s = (struct sampler){ 0 };
}
