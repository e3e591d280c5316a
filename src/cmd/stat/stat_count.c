#include "cmd/stat/stat_count.h"

#include "base/alloc.h"
#include "record/perf_events/access.h"
#include "record/session.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

bool stat_count_is_of_others(const struct stat_count *c)
{
	return c->all || c->targets.nr_task;
}

int stat_count_prepare(const struct stat_count *c, struct launch_signals *before, struct error *e)
{
	return signals_take(before, c->command ? SIGNALS_FOR_COMMAND : SIGNALS_FOR_US, e);
}

/* Waiting without a command */

/* Did a signal come that ends programs? */
static bool take_end(int signals)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (signal_ends((int)info.ssi_signo))
			return true;
	return false;
}

/* The last descriptor is that of signals, the others are the targets': -1 when one has ended. */
static void wait_for_end(struct pollfd *fd, size_t nr, bool targets)
{
	size_t nr_left = 0;

	/* One may have ended before its descriptor was opened. */
	for (size_t i = 0; i + 1 < nr; i++)
		nr_left += fd[i].fd >= 0;
	while ((nr_left || !targets) && !take_end(fd[nr - 1].fd)) {
		poll(fd, nr, -1);
		nr_left = 0;
		for (size_t i = 0; i + 1 < nr; i++) {
			if (fd[i].revents && fd[i].fd >= 0) {
				close(fd[i].fd);
				fd[i].fd = -1;
			}
			nr_left += fd[i].fd >= 0;
		}
	}
	for (size_t i = 0; i < nr; i++)
		if (fd[i].fd >= 0)
			close(fd[i].fd);
}

static int wait_for_others(const struct stat_count *c, const struct launch_signals *before,
			   struct error *e)
{
	size_t nr = c->targets.nr_process;
	int signals = signalfd(-1, &before->taken, SFD_CLOEXEC | SFD_NONBLOCK);
	struct pollfd *fd;
	int ret = 0;

	if (signals < 0)
		return error_sys(e, "signals");
	fd = xcalloc(nr + 1, sizeof(*fd));
	for (size_t i = 0; i < nr && !ret; i++) {
		fd[i] = (struct pollfd){ .fd = (int)syscall(SYS_pidfd_open, c->targets.process[i],
							    0),
					 .events = POLLIN };
		if (fd[i].fd < 0 && errno != ESRCH)
			ret = error_sys(e, "pidfd_open");
	}
	fd[nr] = (struct pollfd){ .fd = signals, .events = POLLIN };
	if (!ret)
		wait_for_end(fd, nr + 1, nr > 0);
	free(fd);
	return ret;
}

/* Counters */

struct sampling stat_count_wanted(const struct stat_count *c)
{
	if (stat_count_is_of_others(c))
		return (struct sampling){ .task = c->targets.task, .nr_task = c->targets.nr_task };
	return (struct sampling){ .task = &c->launch.pid, .nr_task = 1, .on_exec = true };
}

/* If nothing at all is counted of others, that is an error: the reason of the first event. */
static int check_any(const struct stat_count *c, struct error *e)
{
	const struct sampling what = stat_count_wanted(c);
	const struct perf_event_attr a = { .type = c->events->event[0].type, .exclude_kernel = 1 };

	for (size_t i = 0; i < c->events->nr; i++)
		if (!c->counter[i].why)
			return 0;
	if (c->counter[0].why == ESRCH)
		return error_set(e, ERROR_SYSTEM, "all targets have already ended");
	return access_refused(&what, &a, c->counter[0].why, e);
}

static int open_counters(struct stat_count *c, struct error *e)
{
	struct counted target = { .task = c->targets.task,
				  .nr_task = c->targets.nr_task,
				  .follow = c->children ? FOLLOW_ALL : FOLLOW_THREADS };
	int *cpu = NULL, ret;

	if (!stat_count_is_of_others(c))
		target = (struct counted){
			.task = &c->launch.pid, .nr_task = 1, .follow = FOLLOW_ALL, .on_exec = true
		};
	if (c->all && processors_online(&cpu, &target.nr_cpu, e))
		return -1;
	target.cpu = cpu;
	sampler_raise_limit(c->events->nr * (target.nr_task ? target.nr_task : target.nr_cpu));
	for (size_t i = 0; i < c->events->nr; i++)
		counter_open(&c->counter[i], &c->events->event[i], &target);
	free(cpu);
	ret = stat_count_is_of_others(c) ? check_any(c, e) : 0;
	for (size_t i = 0; i < c->events->nr && !target.on_exec && !ret; i++)
		counter_start(&c->counter[i]);
	return ret;
}

static int run(struct stat_count *c, const struct launch_signals *before, struct error *e)
{
	struct launch *l = &c->launch;
	uint64_t begin;
	int ret = 0;

	if (c->command && launch_open(l, c->command, c->user, NULL, before, e))
		return -1;
	if (open_counters(c, e))
		return -1;
	begin = session_now();
	if (c->command)
		ret = launch_run(l, c->command[0], e);
	if (!ret && c->command)
		signals_wait(l, before);
	else if (!ret)
		ret = wait_for_others(c, before, e);
	c->time = session_now() - begin;
	return ret;
}

int stat_count_run(struct stat_count *c, const struct launch_signals *before, struct error *e)
{
	int ret;

	c->counter = c->counter ? c->counter : xcalloc(c->events->nr, sizeof(*c->counter));
	ret = run(c, before, e);
	for (size_t i = 0; i < c->events->nr; i++)
		counter_close(&c->counter[i]);
	launch_close(&c->launch);
	return ret;
}
