#include "record/counter.h"

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
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_user = event->no_user,
		.exclude_kernel = event->no_kernel,
		.exclude_hv = event->no_kernel,
		.disabled = 1,
		.enable_on_exec = 1,
		.inherit = 1,
	};

	*c = (struct counter){ .fd = open_event(&a, task) };
	c->why = c->fd < 0 ? errno : 0;
	if ((c->why != EACCES && c->why != EPERM) || event->needs_kernel || event->no_kernel)
		return;
	a.exclude_kernel = a.exclude_hv = 1;
	c->fd = open_event(&a, task);
	c->why = c->fd < 0 ? errno : 0;
	c->user_only = !c->why;
}

void counter_close(struct counter *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

bool counter_read(const struct counter *c, struct counted *counted)
{
	uint64_t word[3]; /* the value, and how long it could and was counted */

	if (c->fd < 0 || read(c->fd, word, sizeof(word)) != (ssize_t)sizeof(word))
		return false;
	*counted = (struct counted){ .value = word[0], .part = 1 };
	if (word[2] == word[1])
		return true;
	counted->part = (double)word[2] / (double)word[1];
	if (word[2])
		counted->value = (uint64_t)((double)word[0] / counted->part);
	return true;
}

int counter_try(const struct sampled *event)
{
	struct counter c;

	counter_open(&c, event, 0);
	counter_close(&c);
	return c.why;
}
