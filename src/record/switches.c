#include "record/switches.h"

#include "base/alloc.h"
#include "record/targets/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	/* Per second: their timers take half a percent of a CPU. */
	SWITCHES_MANY = 2000,
	/* Of more tasks than this, only the first ones are counted. */
	TASKS_MAX = 64,
	EVERY_NS = 250000000,
};

static int open_counter(const struct sampling *what, pid_t task)
{
	struct perf_event_attr a = { .size = sizeof(a),
				     .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
				     .inherit = what->follow != FOLLOW_NONE,
				     .inherit_thread = what->follow == FOLLOW_THREADS };

	return (int)syscall(SYS_perf_event_open, &a, task, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* How often the task itself got a CPU: the third number of its schedstat. */
static uint64_t read_account(pid_t task)
{
	char path[48];
	uint64_t nr = 0;
	struct span all;
	size_t size;
	char *text;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)task);
	text = running_read(path, &size);
	all = (struct span){ text, size };
	span_word(&all);
	span_word(&all);
	if (!span_u64(span_word(&all), &nr))
		nr = 0;
	free(text);
	return nr;
}

void switches_open(struct switches *s, const struct sampling *what, uint64_t now)
{
	size_t nr = what->nr_task < TASKS_MAX ? what->nr_task : TASKS_MAX;

	*s = (struct switches){ .of = xcalloc(nr, sizeof(*s->of)), .nr = nr, .time = now };
	for (size_t i = 0; i < nr; i++) {
		struct switches_of *one = &s->of[i];

		one->task = what->task[i];
		one->fd = open_counter(what, one->task);
		one->first = one->last = one->fd < 0 ? read_account(one->task) : 0;
	}
}

void switches_close(struct switches *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (s->of[i].fd >= 0)
			close(s->of[i].fd);
	free(s->of);
	*s = (struct switches){ 0 };
}

static uint64_t sum_of(struct switches_of *one)
{
	uint64_t now;

	if (one->fd < 0)
		now = read_account(one->task);
	else if (read(one->fd, &now, sizeof(now)) != (ssize_t)sizeof(now))
		now = 0;
	/* The value of a task that has exited is gone: the last reading counts. */
	if (now > one->last)
		one->last = now;
	return one->last - one->first;
}

uint64_t switches_sum(const struct switches *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->nr; i++)
		sum += sum_of(&s->of[i]);
	return sum;
}

bool switches_are_many(struct switches *s, uint64_t now)
{
	uint64_t count, passed = now - s->time, since;

	if (passed < EVERY_NS)
		return false;
	count = switches_sum(s);
	since = count - s->count;
	s->count = count;
	s->time = now;
	return (double)since / (double)passed * 1e9 > SWITCHES_MANY;
}
