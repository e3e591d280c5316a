#include "record/perf_events/counting.h"

#include "base/alloc.h"
#include "record/perf_events/access.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(const struct perf_event_attr *attr, pid_t task, int cpu)
{
	struct perf_event_attr a = *attr;

	return (int)syscall(SYS_perf_event_open, &a, task, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static void close_all(struct counter *c)
{
	for (size_t i = 0; i < c->nr_fd; i++)
		close(c->fd[i]);
	free(c->fd);
	c->fd = NULL;
	c->nr_fd = 0;
}

/* Opens it for each task or CPU; 0, or errno. */
static int open_all(struct counter *c, const struct perf_event_attr *a,
		    const struct counted *target)
{
	size_t nr = target->nr_task ? target->nr_task : target->nr_cpu;

	c->fd = xcalloc(nr ? nr : 1, sizeof(*c->fd));
	for (size_t i = 0; i < nr; i++) {
		int fd = target->nr_task ? open_event(a, target->task[i], -1)
					 : open_event(a, -1, target->cpu[i]);
		int why = errno;

		if (fd >= 0) {
			c->fd[c->nr_fd++] = fd;
		} else if (why != ESRCH) {
			close_all(c);
			return why;
		}
	}
	return c->nr_fd ? 0 : ESRCH;
}

/* Removes from the attr what was refused according to errno; false: there is nothing to give up. */
static bool give_up(struct counter *c, struct perf_event_attr *a, const struct sampled *event)
{
	if ((c->why == EACCES || c->why == EPERM) && !event->needs_kernel && !a->exclude_kernel) {
		a->exclude_kernel = a->exclude_hv = 1;
		c->user_only = true;
		return true;
	}
	/* Kernels before 5.13: child processes are counted, too. */
	if (c->why == EINVAL && a->inherit_thread) {
		a->inherit_thread = 0;
		return true;
	}
	return false;
}

void counter_open(struct counter *c, const struct sampled *event, const struct counted *target)
{
	struct perf_event_attr a = {
		.size = sizeof(a),
		.type = event->type,
		.config = event->config,
		.config1 = event->config1,
		.config2 = event->config2,
		.exclude_user = event->no_user,
		.exclude_kernel = event->no_kernel,
		.exclude_hv = event->no_kernel,
		.disabled = 1,
		.enable_on_exec = target->on_exec,
		.inherit = target->nr_task && target->follow != FOLLOW_NONE,
		.inherit_thread = target->nr_task && target->follow == FOLLOW_THREADS,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	*c = (struct counter){ 0 };
	do {
		free(c->fd);
		c->why = open_all(c, &a, target);
	} while (give_up(c, &a, event));
}

void counter_start(const struct counter *c)
{
	for (size_t i = 0; i < c->nr_fd; i++)
		ioctl(c->fd[i], PERF_EVENT_IOC_ENABLE, 0);
}

struct counter_reading counter_read(const struct counter *c)
{
	struct counter_reading sum = { 0 }, one;

	for (size_t i = 0; i < c->nr_fd; i++) {
		if (read(c->fd[i], &one, sizeof(one)) != (ssize_t)sizeof(one))
			continue;
		sum.value += one.value;
		sum.enabled += one.enabled;
		sum.running += one.running;
	}
	return sum;
}

void counter_close(struct counter *c)
{
	struct counter_reading sum;

	if (!c->fd)
		return;
	for (size_t i = 0; i < c->nr_fd; i++)
		ioctl(c->fd[i], PERF_EVENT_IOC_DISABLE, 0);
	sum = counter_read(c);
	c->value = sum.value;
	c->share = sum.enabled ? (double)sum.running / (double)sum.enabled : 1;
	/* If there are more events than counters, the kernel multiplexes them. */
	if (c->share > 0 && c->share < 1)
		c->value = (uint64_t)((double)c->value / c->share);
	close_all(c);
}

int counter_try(const struct sampled *event)
{
	const pid_t us = 0;
	const struct counted target = {
		.task = &us, .nr_task = 1, .follow = FOLLOW_ALL, .on_exec = true
	};
	struct counter c;

	counter_open(&c, event, &target);
	counter_close(&c);
	return c.why;
}

bool counter_has_pmu(void)
{
	const struct sampled cycles = { .type = PERF_TYPE_HARDWARE,
					.config = PERF_COUNT_HW_CPU_CYCLES };

	return !access_is_missing(counter_try(&cycles));
}
