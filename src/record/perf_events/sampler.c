#include "record/perf_events/sampler.h"

#include "base/alloc.h"
#include "perf/wait_record.h"
#include "record/perf_events/access.h"
#include "record/perf_events/events.h"
#include "record/perf_events/tracefs.h"
#include "record/priority.h"
#include "record/ptrace/trace.h"
#include "record/targets/held_files.h"
#include "record/waits/sched_bpf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static enum ring_kind kind_of(const struct sampler_event *event)
{
	if (event->is_tracepoint)
		return RING_WAITS;
	return event->is_switches || !event->is_sampled ? RING_TRACKING : RING_SAMPLES;
}

/* The ring buffer of an event on a CPU. */
static size_t ring_of(const struct sampler *s, size_t event, size_t cpu)
{
	return kind_of(&s->event[event]) * s->nr_cpu + cpu;
}

/* The size of that ring buffer: bytes. */
static size_t ring_size_of(const struct sampler *s, size_t event)
{
	enum ring_kind kind = kind_of(&s->event[event]);
	size_t size = kind == RING_WAITS ? RING_SIZE_WAITS : RING_SIZE_ENOUGH;

	if (kind == RING_SAMPLES)
		return s->ring_size;
	if (kind == RING_TRACKING && s->ring_size < RING_SIZE_ENOUGH)
		return s->ring_size / 2;
	while (size * s->nr_cpu > RINGS_SIZE_MAX && size > RING_SIZE_TRACKING)
		size /= 2;
	return size;
}

/* Opens an event for one task (-1: all) on one CPU. */
static int event_open(const struct sampler *s, const struct sampling *what, size_t event,
		      pid_t task, size_t cpu)
{
	struct perf_event_attr a = s->attr[event];
	unsigned long flags = PERF_FLAG_FD_CLOEXEC;

	/* Wakes wick long before the ring buffer is full, but not often: each wakeup costs the target time. */
	a.wakeup_watermark = (uint32_t)(ring_size_of(s, event) / 4);

	if (s->event[event].is_wide) {
		task = -1;
	} else if (what->cgroup >= 0) {
		task = what->cgroup;
		flags |= PERF_FLAG_PID_CGROUP;
	}
	return (int)syscall(SYS_perf_event_open, &a, task, s->cpu[cpu], -1, flags);
}

/* Giving up */

/*
 * Older kernels refuse unknown bits: each is dropped in turn, the newest first.  Without them, mappings have no
 * build IDs, child processes also inherit the events of a thread, and BPF programs have no names.
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

/* Removes from the attr what was refused according to errno; false: there is nothing left to give up. */
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
		/* A clock has no branch stack, so it cannot replace LBR. */
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

static enum sampler_scarce scarce_by(int why)
{
	return why == EMFILE || why == ENFILE ? SCARCE_FILES : SCARCE_NOTHING;
}

/* Requests less and less until the kernel accepts the attr, for one task on one CPU. */
static int negotiate(struct sampler *s, const struct sampling *what, size_t event,
		     const struct sampled *asked, struct error *e)
{
	struct perf_event_attr *a = &s->attr[event];

	for (;;) {
		int fd = event_open(s, what, event, what->nr_task ? what->task[0] : -1, 0);

		if (fd >= 0) {
			close(fd);
			return 0;
		}
		/* The task has exited, so nothing can be tried: open_task() counts it. */
		if (errno == ESRCH)
			return 0;
		if (!give_up(s, asked, a, errno)) {
			s->refused = errno == EACCES || errno == EPERM || errno == ENOSYS;
			s->scarce = scarce_by(errno);
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

/* Prefixes the error with the event's name, if the user has named one.  Always -1. */
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
	if (s->attr[i].freq && s->attr[i].sample_freq < what->frequency)
		s->frequency = (unsigned)s->attr[i].sample_freq;
	/* Not in attribute_init(), because ptrace sampling does not know the CPU. */
	s->attr[i].sample_type |= PERF_SAMPLE_CPU;
	s->attr[i].read_format = SAMPLER_FORMAT_LOST;
	if (!i)
		set_tracking(&s->attr[i]);
	if (negotiate(s, what, i, event, e))
		return refused(&s->attr[i], event, e);
	sampler_add_attr(s, i);
	if (event->name)
		strbuf_add(&s->attrs.name[i], span_of(event->name));
	return 0;
}

/* A dummy event takes no samples: it tracks processes and mappings while the others are off. */
static int add_tracker(struct sampler *s, const struct sampling *what, struct error *e)
{
	const struct sampled dummy = { .type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_DUMMY,
				       .count = 1,
				       .or_clock = true, /* not named by the user */
				       .no_kernel = true };
	struct sampling now = *what;

	now.held = false;
	if (add_event(s, &now, &dummy, e))
		return -1;
	s->event[0].is_sampled = false;
	return 0;
}

/* A resource ran out before the event that records switches was open. */
static void lack_switches(struct sampler *s, const struct error *why)
{
	s->no_waits = true;
	memcpy(s->better, why->hint, sizeof(s->better));
}

/*
 * Adds the event that records switches.  It is separate, so that it can be disabled if there are too many.  Without
 * it, the recording only lacks waits.
 */
static bool add_switches(struct sampler *s, const struct sampling *what)
{
	static const struct sampled dummy = { .no_kernel = true };
	size_t i = sampler_new_event(s);
	struct error refused = ERROR_INIT;
	enum sampler_scarce was_scarce = s->scarce;
	bool was_refused = s->refused;

	attribute_init_switches(&s->attr[i], what);
	s->attr[i].sample_type |= PERF_SAMPLE_CPU;
	s->attr[i].read_format = SAMPLER_FORMAT_LOST;
	if (negotiate(s, what, i, &dummy, &refused)) {
		if (s->scarce)
			lack_switches(s, &refused);
		s->nr_attr--;
		s->refused = was_refused;
		s->scarce = was_scarce;
		return false;
	}
	s->event[i].is_switches = true;
	sampler_add_attr(s, i);
	strbuf_add(&s->attrs.name[i], SPAN(OFF_CPU));
	return true;
}

/*
 * The tracepoints of the scheduler.  sched_waking occurs in the context of the waker: an event of the target's
 * tasks has their stacks, but does not see other wakers and interrupts.
 */
static const struct {
	const char *name;
	enum wait_record_kind says;
	bool is_wide;
} tracepoints[] = {
	{ "sched_switch", WAIT_RECORD_OUT, false },
	{ "sched_waking", WAIT_RECORD_WAKE, false },
	{ "sched_waking", WAIT_RECORD_WAKE, true },
};

/*
 * Adds one of them; in a file, it is written as the event that records switches.  Most users may not use
 * tracepoints: then wick samples blocked threads from outside (watcher.h).
 */
static bool add_tracepoint(struct sampler *s, const struct sampling *what, int tracefs,
			   size_t which)
{
	struct sampled event = { 0 };
	struct error refused = ERROR_INIT;
	enum sampler_scarce was_scarce = s->scarce;
	bool was_refused = s->refused;
	uint32_t switches = (uint32_t)s->nr_attr - 1;
	size_t i;

	while (s->event[switches].is_tracepoint)
		switches--;
	if (event_find_tracepoint(tracefs, SPAN("sched"), span_of(tracepoints[which].name), &event,
				  &refused))
		return false;
	i = sampler_new_event(s);
	s->event[i] = (struct sampler_event){ .is_sampled = true,
					      .is_tracepoint = true,
					      .says = tracepoints[which].says,
					      .is_wide = tracepoints[which].is_wide,
					      .stands_for = switches };
	attribute_init_tracepoint(&s->attr[i], what, &event);
	s->attr[i].sample_type |= PERF_SAMPLE_CPU;
	s->attr[i].read_format = SAMPLER_FORMAT_LOST;
	if (s->event[i].says == WAIT_RECORD_WAKE)
		s->attr[i].sample_stack_user /= 2;
	if (s->event[i].is_wide) {
		attribute_widen(&s->attr[i]);
		s->attr[i].sample_type &=
			~(uint64_t)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
		s->attr[i].sample_regs_user = s->attr[i].sample_stack_user = 0;
		s->attr[i].exclude_callchain_user = 1;
		/* The exec of the command does not enable it. */
		s->attr[i].disabled = !what->on_exec || what->held;
	}
	if (negotiate(s, what, i, &event, &refused)) {
		s->nr_attr--;
		s->refused = was_refused;
		s->scarce = was_scarce;
		return false;
	}
	sampler_add_attr(s, i);
	return true;
}

/* Is wick in the initial PID namespace, whose tids tracepoints contain?  Its inode is a constant. */
static bool has_kernels_numbers(void)
{
	static const char first[] = "pid:[4026531836]";
	char ours[sizeof(first)];

	return readlink("/proc/self/ns/pid", ours, sizeof(ours)) == sizeof(first) - 1 &&
	       !memcmp(ours, first, sizeof(first) - 1);
}

static void add_tracepoints(struct sampler *s, const struct sampling *what)
{
	struct error refused = ERROR_INIT;
	bool has_numbers = has_kernels_numbers();
	int tracefs = tracefs_open(&refused);

	if (tracefs < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(tracepoints); i++) {
		/*
		 * The woken thread is only known by its tid; a thread that is switched out is the one that is
		 * sampled.
		 */
		if (tracepoints[i].says == WAIT_RECORD_WAKE && !has_numbers)
			continue;
		if ((tracepoints[i].is_wide && s->wide) || !add_tracepoint(s, what, tracefs, i))
			break;
	}
	close(tracefs);
}

/*
 * Uses BPF programs instead of tracepoints, which costs less: they write the records of the event that records
 * switches, and of a second one, for samples, which stands for it.
 */
static void add_bpf(struct sampler *s, const struct sampling *what)
{
	static const struct sampled dummy = { .type = PERF_TYPE_SOFTWARE,
					      .config = PERF_COUNT_SW_DUMMY,
					      .count = 1 };
	uint32_t switches = (uint32_t)s->nr_attr - 1;
	size_t i = sampler_new_event(s);

	s->event[switches].is_bpf = true;
	s->event[i] = (struct sampler_event){ .is_sampled = true,
					      .is_tracepoint = true,
					      .is_bpf = true,
					      .says = WAIT_RECORD_OUT,
					      .stands_for = switches };
	attribute_init_tracepoint(&s->attr[i], what, &dummy);
	s->attr[i].sample_type |= PERF_SAMPLE_CPU;
	sampler_add_attr(s, i);
	s->bpf = what->bpf;
	sched_bpf_describe(s->bpf, &s->attrs.attr[switches], &s->attrs.attr[i]);
}

static void add_bpf_ids(struct sampler *s)
{
	for (uint32_t i = 0; i < s->nr_attr; i++) {
		uint64_t id = s->event[i].is_switches ? SCHED_BPF_SWITCH : SCHED_BPF_SAMPLE;

		if (!s->event[i].is_bpf)
			continue;
		attrs_add_id(&s->attrs, id, i);
		GROW(s->fd, s->nr_fd, s->cap_fd);
		s->fd[s->nr_fd++] = (struct sampler_fd){ .fd = -1, .event = i, .id = id };
	}
}

/* Directs an open event into the ring buffer of its CPU; the first event there maps it. */
static int add_fd(struct sampler *s, size_t cpu, size_t event, int fd, struct error *e)
{
	size_t ring = ring_of(s, event, cpu);
	uint64_t id = 0;

	if (!ioctl(fd, PERF_EVENT_IOC_ID, &id))
		attrs_add_id(&s->attrs, id, event);
	GROW(s->fd, s->nr_fd, s->cap_fd);
	s->fd[s->nr_fd++] = (struct sampler_fd){ .fd = fd, .event = (uint32_t)event, .id = id };
	if (s->ring_fd[ring] >= 0) {
		if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, s->ring_fd[ring]))
			return error_sys(e, "cannot share a ring buffer");
		return 0;
	}
	s->ring_fd[ring] = fd;
	if (!ring_open(&s->ring[ring], fd, ring_size_of(s, event), e))
		return 0;
	s->no_room = errno == EPERM || errno == ENOMEM;
	if (s->event[event].is_tracepoint)
		s->scarce = SCARCE_MEMORY;
	return -1;
}

static int open_task(struct sampler *s, const struct sampling *what, size_t cpu, pid_t task,
		     struct error *e)
{
	/* The tracker is the first event. */
	size_t nr = cpu < s->nr_sampled_cpu ? s->nr_attr : 1;

	for (size_t i = 0; i < nr; i++) {
		int fd;

		if (s->event[i].is_bpf || (s->event[i].is_wide && cpu < s->nr_wide))
			continue;
		fd = event_open(s, what, i, task, cpu);
		if (fd < 0 && errno == ESRCH) {
			s->nr_gone += !cpu && !i;
			return 0;
		}
		/* The CPU went offline meanwhile. */
		if (fd < 0 && errno == ENODEV && s->nr_cpu > 1)
			return 0;
		if (fd < 0) {
			s->scarce = scarce_by(errno);
			return access_refused(what, &s->attr[i], errno, e);
		}
		if (add_fd(s, cpu, i, fd, e))
			return -1;
		if (s->event[i].is_wide)
			s->nr_wide = cpu + 1;
	}
	return 0;
}

static void close_all(struct sampler *s)
{
	for (size_t i = 0; i < s->nr_ring; i++) {
		ring_close(&s->ring[i]);
		s->ring_fd[i] = -1;
	}
	for (size_t i = 0; i < s->nr_fd; i++)
		if (s->fd[i].fd >= 0)
			close(s->fd[i].fd);
	s->nr_fd = 0;
	s->nr_gone = 0;
	s->nr_wide = 0;
}

/*
 * Space for the samples of half a second: records stay in the ring buffer for two rounds of at most 100 ms
 * (session.c), and on a busy machine wick is late.
 */
static size_t ring_size(const struct sampler *s, const struct sampling *what)
{
	uint64_t second = (uint64_t)what->frequency * what->nr_event * what->copy_size;
	size_t share = RINGS_SIZE_MAX / s->nr_sampled_cpu, size = RING_SIZE_ENOUGH;

	while (size < second / 2 && size < RING_SIZE_MAX && size * 2 <= share)
		size *= 2;
	return size;
}

int sampler_none_left(const struct sampling *what, struct error *e)
{
	if (what->nr_task == 1)
		return error_set(e, ERROR_SYSTEM, "process %d has already ended",
				 (int)what->task[0]);
	return error_set(e, ERROR_SYSTEM, "all %zu targets have already ended", what->nr_task);
}

static int open_all(struct sampler *s, const struct sampling *what, struct error *e)
{
	const pid_t all = -1, *task = what->nr_task ? what->task : &all;
	size_t nr = what->nr_task ? what->nr_task : 1;

	sampler_size_long(s, s->ring_size >= ring_size(s, what));
	/*
	 * The first task maps the ring buffers: if that fails, thousands of other events are not opened for
	 * nothing.
	 */
	for (size_t i = 0; i < nr; i++)
		for (size_t cpu = 0; cpu < s->nr_cpu; cpu++)
			if (open_task(s, what, cpu, task[i], e))
				return -1;
	if (!s->nr_fd)
		return sampler_none_left(what, e);
	add_bpf_ids(s);
	return 0;
}

/* Halves the ring buffers until they fit into the locked memory that the kernel allows. */
static int open_rings(struct sampler *s, const struct sampling *what, struct error *e)
{
	s->ring_size = ring_size(s, what);
	while (open_all(s, what, e)) {
		close_all(s);
		if (!s->no_room || s->scarce)
			return -1;
		if (s->ring_size <= RING_SIZE_MIN) {
			s->scarce = SCARCE_MEMORY;
			return access_no_room(e);
		}
		s->no_room = false;
		s->ring_size /= 2;
	}
	return 0;
}

/* Fails if the events leave too few descriptors for the main loop, and to read programs. */
static int leave_files(struct sampler *s, struct error *e)
{
	/* session_open() needs 10; unwinding and waits need some temporarily. */
	enum { LEFT = 14 };
	int fd[LEFT], nr = 0;

	while (nr < LEFT && (fd[nr] = fcntl(s->fd[0].fd, F_DUPFD_CLOEXEC, 0)) >= 0)
		nr++;
	for (int i = 0; i < nr; i++)
		close(fd[i]);
	/* EBADF: the first CPU may be offline by now. */
	if (nr == LEFT || errno == EBADF)
		return 0;
	close_all(s);
	s->scarce = SCARCE_FILES;
	return access_no_files(e);
}

/* The command does not notice: launch.c restores its limit. */
void sampler_raise_limit(size_t nr)
{
	/* The files that are kept open, and all other descriptors of wick. */
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

static bool has_cpu(const struct sampling *what, int cpu)
{
	for (size_t i = 0; i < what->nr_cpu; i++)
		if (what->cpu[i] == cpu)
			return true;
	return false;
}

/* All CPUs that are online: first those that are sampled, then the others. */
static int choose_cpus(struct sampler *s, const struct sampling *what, struct error *e)
{
	int *online;
	size_t nr;

	if (processors_online(&online, &nr, e))
		return -1;
	s->cpu = xcalloc(nr + what->nr_cpu, sizeof(*s->cpu));
	for (; s->nr_cpu < what->nr_cpu; s->nr_cpu++)
		s->cpu[s->nr_cpu] = what->cpu[s->nr_cpu];
	for (size_t i = 0; i < nr; i++)
		if (!has_cpu(what, online[i]))
			s->cpu[s->nr_cpu++] = online[i];
	free(online);
	s->nr_sampled_cpu = what->nr_cpu ? what->nr_cpu : s->nr_cpu;
	s->nr_ring = NR_RING_KINDS * s->nr_cpu;
	s->ring = xcalloc(s->nr_ring, sizeof(*s->ring));
	s->ring_fd = xcalloc(s->nr_ring, sizeof(*s->ring_fd));
	for (size_t i = 0; i < s->nr_ring; i++)
		s->ring_fd[i] = -1;
	return 0;
}

/* Enables an event, if it should be enabled now. */
static void enable(struct sampler *s, size_t fd)
{
	const struct sampler_event *event = &s->event[s->fd[fd].event];

	if (s->fd[fd].is_replaced || (event->is_switches && s->no_switches) || event->is_stopped ||
	    event->is_bpf)
		return;
	if ((s->on || !event->is_sampled) && !sampler_rests(s, s->fd[fd].event))
		ioctl(s->fd[fd].fd, PERF_EVENT_IOC_ENABLE, 0);
}

/* The same for all events from `first` on. */
static void enable_from(struct sampler *s, size_t first)
{
	for (size_t i = first; i < s->nr_fd; i++)
		enable(s, i);
}

/* The same before the main loop begins: events that are already enabled may fill the ring buffers. */
static void enable_early(struct sampler *s)
{
	enum { AT_ONCE = 64 };

	for (size_t i = 0; i < s->nr_fd; i++) {
		enable(s, i);
		if (i % AT_ONCE == 0)
			sampler_read_early(s);
	}
}

/*
 * Does tracking get an event of its own?  That has its own ring buffers, so that too many samples cannot cause lost
 * exits of threads.  With thousands of threads, fewer events are better.
 */
static bool tracks_apart(const struct sampler *s, const struct sampling *what)
{
	return what->switches && s->nr_cpu * what->nr_task <= REACH_EVENTS_MAX;
}

static int open_events(struct sampler *s, const struct sampling *what, struct error *e)
{
	memset(s, 0, sizeof(*s));
	s->wide = !what->nr_task && what->cgroup < 0;
	if (choose_cpus(s, what, e))
		return -1;
	if ((what->held || tracks_apart(s, what) || s->nr_sampled_cpu < s->nr_cpu ||
	     !what->nr_event) &&
	    add_tracker(s, what, e))
		return -1;
	for (size_t i = 0; i < what->nr_event; i++) {
		if (add_event(s, what, &what->event[i], e))
			return -1;
		sampler_add_reaches(s, what);
	}
	if (what->nr_event)
		s->event[0].stands_for = s->event[0].is_sampled ? 0 : 1;
	/* Only if all CPUs are sampled: otherwise, a thread that is switched out may run on another CPU. */
	if (what->switches && s->nr_sampled_cpu == s->nr_cpu && add_switches(s, what)) {
		if (what->bpf)
			add_bpf(s, what);
		else if (what->tracepoints)
			add_tracepoints(s, what);
	}
	if (s->no_waits && !what->nr_event) {
		s->scarce = SCARCE_FILES;
		return access_no_files(e);
	}
	sampler_raise_limit(s->nr_cpu * s->nr_attr * (what->nr_task ? what->nr_task : 1));
	if (open_rings(s, what, e) || leave_files(s, e))
		return -1;
	s->on = !what->held;
	if (s->bpf)
		sched_bpf_set(s->bpf, s->on);
	/* For a command, the kernel enables them (enable_on_exec). */
	if (!what->on_exec)
		enable_early(s);
	return 0;
}

int sampler_open(struct sampler *s, const struct sampling *what, struct error *e)
{
	struct sampling less = *what;
	struct error why = ERROR_INIT;
	int ret;

	/* There may be thousands of tasks that compete for the CPUs; session_run() restores the priority. */
	if (what->nr_task > 1)
		priority_raise();
	if (what->by == SAMPLE_BY_PTRACE) {
		error_set(e, ERROR_SYSTEM, "perf events were not used in the first run");
		return sampler_open_trace(s, what, e);
	}
	ret = open_events(s, what, e);
	/* Retries with fewer events, which may fit into the limits; but switches may be all that is recorded. */
	while (ret && s->scarce && less.switches) {
		if (less.tracepoints && !less.bpf)
			less.tracepoints = false;
		else if (what->nr_event)
			less.tracepoints = less.switches = false;
		else
			break;
		why = *e;
		sampler_close(s);
		*e = (struct error)ERROR_INIT;
		ret = open_events(s, &less, e);
	}
	if (!ret && what->switches && !less.switches)
		lack_switches(s, &why);
	return ret && (s->refused || s->scarce) && trace_suits(what) && what->by == SAMPLE_ANYHOW
		       ? sampler_open_trace(s, what, e)
		       : ret;
}

static bool has_ring(const struct sampler *s, int fd)
{
	for (size_t i = 0; i < s->nr_ring; i++)
		if (s->ring_fd[i] == fd)
			return true;
	return false;
}

/*
 * Closes the first `nr` events.  Those whose ring buffer is mapped are kept as long as it is, but disabled; they
 * still report the exit of their task.
 */
static void close_first(struct sampler *s, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		ioctl(s->fd[i].fd, PERF_EVENT_IOC_DISABLE, 0);
		s->fd[i].is_replaced = true;
	}
	for (size_t i = 0; i < s->nr_fd; i++)
		if (i >= nr || s->fd[i].fd < 0 || has_ring(s, s->fd[i].fd))
			s->fd[kept++] = s->fd[i];
		else
			sampler_drop(s, &s->fd[i]);
	s->nr_fd = kept;
}

int sampler_widen(struct sampler *s, const struct sampling *what, struct error *e)
{
	size_t nr = s->nr_fd, size = s->nr_attr * sizeof(*s->attr);
	struct perf_event_attr *before = xmemdup(s->attr, size);
	struct sampling all = *what;
	int ret = 0;

	all.nr_task = 0;
	s->nr_wide = 0;
	for (size_t i = 0; i < s->nr_attr; i++)
		attribute_widen(&s->attr[i]);
	for (size_t cpu = 0; cpu < s->nr_cpu && !ret; cpu++)
		ret = open_task(s, &all, cpu, -1, e);
	if (ret) {
		memcpy(s->attr, before, size);
		while (s->nr_fd > nr)
			close(s->fd[--s->nr_fd].fd);
	} else {
		/* The new events first, so that no mapping or fork is missed. */
		enable_from(s, nr);
		close_first(s, nr);
		sampler_forget_makers(s);
		s->wide = true;
	}
	free(before);
	return ret;
}

size_t sampler_find_sampled(const struct sampler *s)
{
	for (size_t i = 0; i < s->nr_attr; i++)
		if (s->event[i].is_sampled && !s->event[i].is_switches)
			return i;
	return SIZE_MAX;
}

size_t sampler_find_switches(const struct sampler *s, uint64_t *id)
{
	for (size_t i = 0; i < s->nr_fd; i++)
		if (s->event[s->fd[i].event].is_switches) {
			*id = s->fd[i].id;
			return s->fd[i].event;
		}
	return SIZE_MAX;
}

/*
 * Disables the events without closing them: the kernel switches between threads whose events are all inherited and
 * identical without touching any of them, as long as none is removed.
 */
void sampler_stop_switches(struct sampler *s)
{
	s->no_switches = true;
	for (size_t i = 0; i < s->nr_fd; i++)
		if (s->event[s->fd[i].event].is_switches)
			ioctl(s->fd[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void sampler_resume_switches(struct sampler *s)
{
	s->no_switches = false;
	for (size_t i = 0; i < s->nr_fd; i++)
		if (s->event[s->fd[i].event].is_switches)
			enable(s, i);
}

static bool is_tracepoint(const struct sampler_event *event, enum wait_record_kind says,
			  enum sampler_whose whose)
{
	return event->is_tracepoint && event->says == says &&
	       event->is_wide == (whose == WHOSE_ALL);
}

bool sampler_has_tracepoint(const struct sampler *s, enum wait_record_kind says,
			    enum sampler_whose whose)
{
	for (size_t i = 0; i < s->nr_attr; i++)
		if (is_tracepoint(&s->event[i], says, whose))
			return !s->event[i].is_stopped;
	return false;
}

void sampler_stop_tracepoint(struct sampler *s, enum wait_record_kind says,
			     enum sampler_whose whose)
{
	for (size_t i = 0; i < s->nr_fd; i++) {
		struct sampler_event *event = &s->event[s->fd[i].event];

		if (!is_tracepoint(event, says, whose))
			continue;
		event->is_stopped = true;
		ioctl(s->fd[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	}
}

void sampler_start(struct sampler *s)
{
	if (s->trace)
		trace_set(s->trace, true);
	if (s->bpf)
		sched_bpf_set(s->bpf, true);
	s->on = true;
	enable_from(s, 0);
}

void sampler_pause(struct sampler *s)
{
	if (s->trace)
		trace_set(s->trace, false);
	if (s->bpf)
		sched_bpf_set(s->bpf, false);
	s->on = false;
	for (size_t i = 0; i < s->nr_fd; i++)
		if (s->event[s->fd[i].event].is_sampled)
			ioctl(s->fd[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void sampler_stop(struct sampler *s)
{
	if (s->trace)
		trace_stop(s->trace);
	if (s->bpf)
		sched_bpf_set(s->bpf, false);
	for (size_t i = 0; i < s->nr_fd; i++)
		ioctl(s->fd[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void sampler_close(struct sampler *s)
{
	if (s->trace)
		trace_close(s->trace);
	close_all(s);
	sampler_forget_makers(s);
	attrs_release(&s->attrs);
	strbuf_release(&s->early);
	free(s->attr);
	free(s->event);
	free(s->cpu);
	free(s->ring);
	free(s->ring_fd);
	free(s->fd);
	*s = (struct sampler){ 0 };
}
