/* Large copies of stacks cost whom we record, and small ones cut some off: both, by turns. */
#include "base/alloc.h"
#include "record/sampler.h"

#include <sys/ioctl.h>

/* The same event as the last one, which copies less, and rests at first. */
static void add(struct sampler *s)
{
	size_t i = s->nr_attr, of = i - 1;
	struct attr a;

	s->attr = xreallocarray(s->attr, i + 1, sizeof(*s->attr));
	s->is_sampled = xreallocarray(s->is_sampled, i + 1, sizeof(*s->is_sampled));
	s->stands_for = xreallocarray(s->stands_for, i + 1, sizeof(*s->stands_for));
	s->attr[i] = s->attr[of];
	s->attr[i].enable_on_exec = 0;
	s->attr[i].sample_stack_user = STACK_COPY_SPARE;
	s->attr[i].exclude_callchain_user = 1;
	s->is_sampled[i] = true;
	s->stands_for[i] = of;
	s->nr_attr++;
	attr_parse(&a, (struct span){ (const char *)&s->attr[i], sizeof(s->attr[i]) }, ORDER_HOST);
	attrs_add(&s->attrs, &a);
	s->has_spare = true;
}

/* Only where the choice is ours, and a sample stands for some time. */
static bool may_spare(const struct sampler *s, const struct sampling *what)
{
	size_t nr = s->nr_cpu * what->nr_event * (what->nr_task ? what->nr_task : 1);
	bool timed = true;

	for (size_t i = 0; i < what->nr_event; i++)
		timed &= !what->event[i].count;
	return s->attr[s->nr_attr - 1].sample_stack_user > STACK_COPY_SPARE && timed &&
	       what->calls == CALLS_AUTO && nr <= SPARE_EVENTS_MAX;
}

void sampler_add_spare(struct sampler *s, const struct sampling *what)
{
	if (may_spare(s, what))
		add(s);
}

static bool is_spare(const struct sampler *s, uint32_t event)
{
	return s->stands_for[event] != event;
}

bool sampler_rests(const struct sampler *s, uint32_t event)
{
	bool has_spare = event + 1 < s->nr_attr && s->stands_for[event + 1] == event;

	return s->spares ? has_spare : is_spare(s, event);
}

/* First the others begin, which tell who there is: nothing of that may be missed. */
static void set_spares(struct sampler *s, bool spares)
{
	s->spares = spares;
	sampler_start(s);
	for (size_t i = 0; i < s->nr_fd; i++)
		if (sampler_rests(s, s->fd[i].event))
			ioctl(s->fd[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void sampler_reach(struct sampler *s, uint64_t bytes)
{
	bool shallow = bytes <= STACK_SHALLOW;

	if (!s->has_spare || !s->on)
		return;
	if (s->spares) {
		/* Once is enough: a program that went deep will do so again. */
		s->has_spare = bytes != SAMPLER_CUT;
		if (!s->has_spare)
			set_spares(s, false);
		return;
	}
	s->has_spare = shallow;
	if (shallow && ++s->nr_shallow >= SPARE_AFTER)
		set_spares(s, true);
}
