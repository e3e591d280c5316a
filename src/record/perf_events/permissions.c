#include "record/perf_events/permissions.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int try_open(const struct sampled *event, pid_t task, int cpu)
{
	const struct sampling sampling = { .frequency = FREQUENCY_DEFAULT,
					   .calls = CALLS_COPY,
					   .copy_size = STACK_COPY_DEFAULT,
					   .nr_task = 1 };
	struct perf_event_attr a;
	int fd;

	attribute_init(&a, &sampling, event);
	fd = (int)syscall(SYS_perf_event_open, &a, task, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

int trial_event(const struct sampled *event)
{
	return try_open(event, 0, -1);
}

int trial(enum trial what)
{
	struct sampled event = { .type = PERF_TYPE_SOFTWARE,
				 .config = PERF_COUNT_SW_CPU_CLOCK,
				 .no_kernel = what == TRIAL_OWN || what == TRIAL_CYCLES };

	if (what == TRIAL_CYCLES) {
		event.type = PERF_TYPE_HARDWARE;
		event.config = PERF_COUNT_HW_CPU_CYCLES;
	}
	return what == TRIAL_MACHINE ? try_open(&event, -1, 0) : try_open(&event, 0, -1);
}

/* Can the memory of the child be read?  It has a copy of wick's stack, so the address is valid there. */
static int try_read(pid_t pid)
{
	char byte, other;
	struct iovec here = { &byte, 1 }, there = { &other, 1 };

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == 1 ? 0 : errno;
}

int trial_stop(void)
{
	pid_t pid = fork();
	int why;

	if (pid < 0)
		return errno;
	if (!pid)
		for (;;)
			pause();
	why = ptrace(PTRACE_SEIZE, pid, NULL, NULL) ? errno : try_read(pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return why;
}

size_t trial_ring(void)
{
	const struct sampled event = { .type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_CPU_CLOCK,
				       .no_kernel = true };
	pid_t self = getpid();
	struct sampling sampling = { .event = &event,
				     .nr_event = 1,
				     .frequency = FREQUENCY_DEFAULT,
				     .copy_size = STACK_COPY_DEFAULT,
				     .task = &self,
				     .nr_task = 1,
				     .follow = FOLLOW_ALL,
				     .cgroup = -1,
				     .on_exec = true };
	struct error e = ERROR_INIT;
	struct sampler s;
	size_t size = sampler_open(&s, &sampling, &e) ? 0 : s.ring_size;

	sampler_close(&s);
	return size;
}
