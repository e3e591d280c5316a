/*
 * Threads that start others all the time, as servers do for each request.
 *
 * Events are inherited, and where a thread and one that it started follow each other on a CPU, the
 * kernel does not switch from the events of one to those of the other: they are the same, so it
 * swaps them.  With them goes the part of a period that has passed.  When the short thread ends,
 * that part is lost, and the long one begins anew with a period of its own: of one that starts
 * threads more often than samples are due, nearly all samples are lost.
 *
 * The events of two threads are only the same if all were inherited.  So a thread that starts many
 * gets one event more, which does nothing, and is not inherited.
 */
#include "base/alloc.h"
#include "record/perf_events/sampler.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	/* A thread that starts this many may well start more: others are better off as they are. */
	MADE_MANY = 8,
	/* More makers than this are left alone: each has a descriptor. */
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
	/* The newest is the most likely one. */
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
