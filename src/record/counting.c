#include "record/counting.h"

#include "record/access.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(struct perf_event_attr *a, pid_t task)
{
	return (int)syscall(SYS_perf_event_open, a, task, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void counter_open(struct counter *c, const struct sampled *event, pid_t task)
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
		.enable_on_exec = 1,
		.inherit = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	*c = (struct counter){ .fd = open_event(&a, task) };
	if (c->fd < 0 && (errno == EACCES || errno == EPERM) && !event->needs_kernel &&
	    !a.exclude_kernel) {
		a.exclude_kernel = a.exclude_hv = 1;
		c->user_only = true;
		c->fd = open_event(&a, task);
	}
	if (c->fd < 0)
		c->why = errno;
}

void counter_close(struct counter *c)
{
	struct {
		uint64_t value, enabled, running;
	} read_out = { 0 };

	if (c->fd < 0)
		return;
	if (read(c->fd, &read_out, sizeof(read_out)) == (ssize_t)sizeof(read_out)) {
		c->value = read_out.value;
		c->share =
			read_out.enabled ? (double)read_out.running / (double)read_out.enabled : 1;
	}
	/* Where there are more events than counters, they take turns. */
	if (c->share > 0 && c->share < 1)
		c->value = (uint64_t)((double)c->value / c->share);
	close(c->fd);
	c->fd = -1;
}

int counter_try(const struct sampled *event)
{
	struct counter c;

	counter_open(&c, event, 0);
	counter_close(&c);
	return c.why;
}

bool counter_has_pmu(void)
{
	const struct sampled cycles = { .type = PERF_TYPE_HARDWARE,
					.config = PERF_COUNT_HW_CPU_CYCLES };

	return !access_is_missing(counter_try(&cycles));
}
