/*
 * How much of a stack is copied with each sample.  The kernel copies what is there, be it stack or not: behind
 * that of a thread may lie anything, and every byte costs whom we record.  So an event is there several times,
 * with copies of different sizes, and one of them is at work, by what walks have shown:
 *
 * - a program that needed little for some time gets short copies, until it needs more, and then no more of them;
 * - where a stack was longer than the usual copy, the long ones come, and with them the kernel's walk of frame
 *   pointers, which tells more.  A program that went deep will do so again.
 *
 * All of them are given to each thread that starts, on every processor, which takes its time.
 */
#include "record/sampler.h"

#include <sys/ioctl.h>

enum {
	COPY_SHORT = 8 * 1024,
	/* Who needs no more than this gets short ones, … */
	NEED_SMALL = 6 * 1024,
	SMALL_IN_A_ROW = 512,
	/* … and loses them at this, before anything is cut off if it goes deep step by step. */
	NEED_LARGER = 7 * 1024,
	/* Whoever starts so many threads is better off with fewer events. */
	STARTS_MAX = 256,
};

/* Where each sample was asked for, and none stands for a time, the first ones count as much as all others. */
static bool is_suited(const struct sampler *s, const struct sampling *what)
{
	size_t nr = s->nr_cpu * what->nr_event * (what->nr_task ? what->nr_task : 1);
	const struct perf_event_attr *last = &s->attr[s->nr_attr - 1];

	return what->calls == CALLS_AUTO && last->sample_stack_user && last->freq &&
	       nr <= REACH_EVENTS_MAX;
}

static void add(struct sampler *s, size_t of, enum sampler_reach reach)
{
	size_t i = sampler_new_event(s);
	struct attr a;

	s->attr[i] = s->attr[of];
	s->attr[i].enable_on_exec = 0;
	if (reach == REACH_SHORT)
		s->attr[i].sample_stack_user = COPY_SHORT;
	s->attr[i].exclude_callchain_user = reach != REACH_LONG;
	s->event[i].stands_for = (uint32_t)of;
	s->event[i].reach = reach;
	attr_parse(&a, (struct span){ (const char *)&s->attr[i], sizeof(s->attr[i]) }, ORDER_HOST);
	attrs_add(&s->attrs, &a);
}

void sampler_add_reaches(struct sampler *s, const struct sampling *what)
{
	size_t of = s->nr_attr - 1;

	if (!is_suited(s, what))
		return;
	s->attr[of].exclude_callchain_user = 1;
	s->attrs.attr[of].exclude_callchain_user = true;
	s->event[of].reach = REACH_USUAL;
	if (s->attr[of].sample_stack_user > COPY_SHORT)
		add(s, of, REACH_SHORT);
	else
		s->no_short = true;
	add(s, of, REACH_LONG);
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

/* First the others begin, which tell who there is: nothing of that may be missed. */
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

/* There are none any more, and the usual ones in their place. */
static void drop_short(struct sampler *s)
{
	size_t nr = 0;

	s->no_short = true;
	if (s->reach == REACH_SHORT)
		change(s, REACH_USUAL);
	for (size_t i = 0; i < s->nr_fd; i++)
		if (s->event[s->fd[i].event].reach == REACH_SHORT)
			sampler_drop(s, s->fd[i].fd);
		else
			s->fd[nr++] = s->fd[i];
	s->nr_fd = nr;
}

static void go_long(struct sampler *s)
{
	drop_short(s);
	change(s, REACH_LONG);
}

void sampler_see(struct sampler *s, uint32_t event, bool is_cut, uint64_t need)
{
	enum sampler_reach copied = s->event[event].reach;
	bool larger = is_cut || need > (copied == REACH_SHORT ? NEED_LARGER : NEED_SMALL);

	/* Those that were taken before the last change tell nothing new. */
	if (copied != s->reach)
		return;
	s->nr_small = larger ? 0 : s->nr_small + 1;
	if (copied == REACH_SHORT && larger)
		drop_short(s);
	else if (copied == REACH_USUAL && is_cut)
		go_long(s);
	else if (copied == REACH_USUAL && !s->no_short && s->nr_small >= SMALL_IN_A_ROW)
		change(s, REACH_SHORT);
}

void sampler_see_start(struct sampler *s)
{
	if (++s->nr_start >= STARTS_MAX && s->reach != REACH_ONLY && !s->no_short)
		drop_short(s);
}

bool sampler_may_need_more(const struct sampler *s)
{
	return s->reach == REACH_USUAL || s->reach == REACH_SHORT;
}
