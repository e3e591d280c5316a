/*
 * How much of the stack the kernel copies with each sample.  It copies the requested number of bytes,
 * whether they are stack or memory beyond it, and every byte costs the target time.  The size of an
 * open event cannot change, so each event has twins with other copy sizes.  One of them is enabled,
 * and unwinding its copies shows whether another one should be:
 *
 * - If 512 consecutive unwindings needed little, the short twin is enabled.  When one needs nearly all
 *   of a short copy, the usual twin is enabled again, and the short one closed.
 * - If unwinding reached the end of the usual copy, the long twin is enabled, which also has the
 *   kernel's chain by frame pointers.  That is final: deep stacks will come again.  The same if
 *   unwinding reached the edge of a stack, which only that chain crosses; if a program is known to
 *   switch stacks, all twins have it.
 *
 * Each new thread inherits all twins on every CPU, which takes time: with many threads or many events,
 * there are fewer twins or none.  See docs/decisions/0016.
 */
#include "record/perf_events/sampler.h"

#include <sys/ioctl.h>

enum {
	COPY_SHORT = 8 * 1024,
	/* Short copies are enabled after SMALL_IN_A_ROW consecutive unwindings that need no more than this. */
	NEED_SMALL = 6 * 1024,
	SMALL_IN_A_ROW = 512,
	/* One unwinding that needs more than this ends them, so that a slowly growing stack is never truncated. */
	NEED_LARGER = 7 * 1024,
	/* If the target starts more threads and processes than this, short twins cost more than they save. */
	STARTS_MAX = 256,
};

/*
 * Not for events with a period (-c, tracepoints, probes): each of their samples matters, and those before the
 * change would stay truncated.
 */
static bool may_have_twins(const struct sampler *s, const struct sampling *what)
{
	size_t nr = s->nr_cpu * what->nr_event * (what->nr_task ? what->nr_task : 1);
	const struct perf_event_attr *last = &s->attr[s->nr_attr - 1];

	return what->calls == CALLS_AUTO && last->sample_stack_user && last->freq &&
	       nr <= REACH_EVENTS_MAX;
}

static void add_twin(struct sampler *s, size_t of, enum sampler_reach reach)
{
	size_t i = sampler_new_event(s);

	s->attr[i] = s->attr[of];
	s->attr[i].enable_on_exec = 0;
	if (reach == REACH_SHORT)
		s->attr[i].sample_stack_user = COPY_SHORT;
	s->attr[i].exclude_callchain_user =
		reach != REACH_LONG && s->attr[of].exclude_callchain_user;
	s->event[i].stands_for = (uint32_t)of;
	s->event[i].reach = reach;
	sampler_add_attr(s, i);
}

void sampler_add_reaches(struct sampler *s, const struct sampling *what)
{
	size_t of = s->nr_attr - 1;

	if (!may_have_twins(s, what))
		return;
	s->attr[of].exclude_callchain_user = !what->linked;
	s->attrs.attr[of].exclude_callchain_user = !what->linked;
	s->event[of].reach = REACH_USUAL;
	if (s->attr[of].sample_stack_user > COPY_SHORT)
		add_twin(s, of, REACH_SHORT);
	else
		s->no_short = true;
	add_twin(s, of, REACH_LONG);
	s->reach = REACH_USUAL;
}

void sampler_size_long(struct sampler *s, bool has_room)
{
	for (size_t i = 0; i < s->nr_attr; i++)
		if (s->event[i].reach == REACH_LONG)
			s->attr[i].sample_stack_user =
				has_room ? STACK_COPY_MAX
					 : s->attr[s->event[i].stands_for].sample_stack_user;
}

bool sampler_rests(const struct sampler *s, uint32_t event)
{
	enum sampler_reach reach = s->event[event].reach;

	return reach != REACH_ONLY && reach != s->reach;
}

/* Enables the new twins before disabling the old ones, so that no mapping or fork is missed. */
static void change(struct sampler *s, enum sampler_reach reach)
{
	s->reach = reach;
	if (!s->on)
		return;
	sampler_start(s);
	for (size_t i = 0; i < s->nr_fd; i++)
		if (sampler_rests(s, s->fd[i].event))
			ioctl(s->fd[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

/* Closes the short twins for good; the usual events take over if they were enabled. */
static void drop_short(struct sampler *s)
{
	size_t nr = 0;

	s->no_short = true;
	if (s->reach == REACH_SHORT)
		change(s, REACH_USUAL);
	for (size_t i = 0; i < s->nr_fd; i++)
		if (s->event[s->fd[i].event].reach == REACH_SHORT)
			sampler_drop(s, &s->fd[i]);
		else
			s->fd[nr++] = s->fd[i];
	s->nr_fd = nr;
}

static void go_long(struct sampler *s)
{
	drop_short(s);
	change(s, REACH_LONG);
}

void sampler_see(struct sampler *s, uint32_t event, bool is_truncated, uint64_t need)
{
	enum sampler_reach copied = s->event[event].reach;
	bool larger = is_truncated || need > (copied == REACH_SHORT ? NEED_LARGER : NEED_SMALL);

	/* The sample was taken before the last change, and does not count. */
	if (copied != s->reach)
		return;
	s->nr_small = larger ? 0 : s->nr_small + 1;
	if (copied == REACH_SHORT && larger)
		drop_short(s);
	else if (copied == REACH_USUAL && is_truncated)
		go_long(s);
	else if (copied == REACH_USUAL && !s->no_short && s->nr_small >= SMALL_IN_A_ROW)
		change(s, REACH_SHORT);
}

void sampler_see_start(struct sampler *s, const struct record *r)
{
	/* Events per CPU are not inherited. */
	if (s->wide)
		return;
	sampler_see_maker(s, (pid_t)r->fork.ptid);
	if (++s->nr_start >= STARTS_MAX && s->reach != REACH_ONLY && !s->no_short)
		drop_short(s);
}

bool sampler_may_need_more(const struct sampler *s)
{
	return s->reach == REACH_USUAL || s->reach == REACH_SHORT;
}
