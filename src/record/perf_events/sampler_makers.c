/*
 * Threads that start others all the time, as servers do for each request.
 *
 * Events are inherited.  When a CPU switches between a thread and one that it started, the kernel does not switch
 * their events: they are identical, so it swaps them, including the elapsed part of the period.  When the
 * short-lived thread exits, that part is lost, and the long-lived thread begins a new period: if a thread starts
 * others more often than samples are due, nearly all its samples are lost.
 *
 * The events of two threads are identical only if all of them were inherited.  So a thread that starts many others
 * gets one more event, which does nothing and is not inherited.
 */
#include "base/alloc.h"
#include "record/perf_events/sampler.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	/* A thread that has started this many will probably start more; other threads get no event. */
	MADE_MANY = 8,
	/* Limit of such threads: each needs a descriptor. */
	MAKERS_MAX = 256,
};

static int open_mark(pid_t tid)
{
	struct perf_event_attr a = { .size = sizeof(a),
				     .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_DUMMY,
				     .exclude_kernel = 1,
				     .exclude_hv = 1,
				     .disabled = 1 };

	return (int)syscall(SYS_perf_event_open, &a, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static struct sampler_maker *find_maker(struct sampler *s, pid_t tid)
{
	/* The newest thread is the most likely one. */
	for (size_t i = s->nr_maker; i-- > 0;)
		if (s->maker[i].tid == tid)
			return &s->maker[i];
	return NULL;
}

void sampler_see_maker(struct sampler *s, pid_t maker)
{
	struct sampler_maker *m = find_maker(s, maker);

	if (!s->nr_fd || !s->attr[0].inherit)
		return;
	if (!m) {
		if (s->nr_maker == MAKERS_MAX)
			return;
		GROW(s->maker, s->nr_maker, s->cap_maker);
		m = &s->maker[s->nr_maker++];
		*m = (struct sampler_maker){ .tid = maker, .fd = -1 };
	}
	if (++m->nr_made == MADE_MANY)
		m->fd = open_mark(maker);
}

void sampler_see_end(struct sampler *s, pid_t tid)
{
	struct sampler_maker *m = find_maker(s, tid);

	if (!m)
		return;
	if (m->fd >= 0)
		close(m->fd);
	*m = s->maker[--s->nr_maker];
}

void sampler_forget_makers(struct sampler *s)
{
	for (size_t i = 0; i < s->nr_maker; i++)
		if (s->maker[i].fd >= 0)
			close(s->maker[i].fd);
	free(s->maker);
	s->maker = NULL;
	s->nr_maker = s->cap_maker = 0;
}
