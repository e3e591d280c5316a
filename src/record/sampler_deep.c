/*
 * Stacks that are longer than their copies: the kernel's walk of frame pointers tells more of them, and larger
 * copies do.  Both are asked for when the first such stack was seen, and for good: a program that went
 * deep will do so again.
 */
#include "record/sampler.h"

#include <sys/ioctl.h>

/* Where each sample was asked for, and none stands for a time, the first ones count as much as all others. */
static bool is_suited(const struct sampler *s, const struct sampling *what)
{
	size_t nr = s->nr_cpu * what->nr_event * (what->nr_task ? what->nr_task : 1);
	const struct perf_event_attr *last = &s->attr[s->nr_attr - 1];

	return what->calls == CALLS_AUTO && last->sample_stack_user && last->freq &&
	       nr <= DEEP_EVENTS_MAX;
}

void sampler_add_deep(struct sampler *s, const struct sampling *what)
{
	size_t i, of = s->nr_attr - 1;
	struct attr a;

	if (!is_suited(s, what))
		return;
	i = sampler_new_attr(s);
	s->attr[i] = s->attr[of];
	s->attr[i].enable_on_exec = 0;
	s->attr[of].exclude_callchain_user = 1;
	s->attrs.attr[of].exclude_callchain_user = true;
	s->stands_for[i] = (uint32_t)of;
	attr_parse(&a, (struct span){ (const char *)&s->attr[i], sizeof(s->attr[i]) }, ORDER_HOST);
	attrs_add(&s->attrs, &a);
	s->has_deep = true;
}

void sampler_size_deep(struct sampler *s, bool has_room)
{
	for (size_t i = 0; i < s->nr_attr; i++)
		if (s->stands_for[i] != i)
			s->attr[i].sample_stack_user =
				has_room ? STACK_COPY_MAX
					 : s->attr[s->stands_for[i]].sample_stack_user;
}

bool sampler_rests(const struct sampler *s, uint32_t event)
{
	bool is_deep = s->stands_for[event] != event;
	bool has_deep = event + 1 < s->nr_attr && s->stands_for[event + 1] == event;

	return s->deep ? has_deep : is_deep;
}

/* First the others begin, which tell who there is: nothing of that may be missed. */
void sampler_go_deep(struct sampler *s)
{
	if (!s->has_deep || s->deep || !s->on)
		return;
	s->deep = true;
	sampler_start(s);
	for (size_t i = 0; i < s->nr_fd; i++)
		if (sampler_rests(s, s->fd[i].event))
			ioctl(s->fd[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}
