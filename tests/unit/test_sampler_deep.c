/* Which of two events is asked: the one with copies alone, or the one for stacks that are longer. */
#include "record/sampler.h"
#include "tap.h"

#include <stdlib.h>

static const struct sampled clock_event = { .type = PERF_TYPE_SOFTWARE,
					    .config = PERF_COUNT_SW_CPU_CLOCK };

/* A sampler of so many events, as sampler_open() has them before they are opened. */
static void add_events(struct sampler *s, const struct sampling *what)
{
	*s = (struct sampler){ .nr_cpu = 2, .on = true };
	for (size_t i = 0; i < what->nr_event; i++) {
		size_t n = sampler_new_attr(s);
		struct attr a = { 0 };

		attribute_init(&s->attr[n], what, &what->event[i]);
		attrs_add(&s->attrs, &a);
		sampler_add_deep(s, what);
	}
}

static void release(struct sampler *s)
{
	/* Nothing was opened. */
	s->nr_cpu = 0;
	sampler_close(s);
}

static void test_pair(struct sampling what)
{
	struct sampler s;

	add_events(&s, &what);
	is_int((intmax_t)s.nr_attr, 4, "there are two of each");
	ok(s.stands_for[1] == 0 && s.stands_for[3] == 2 && s.is_sampled[1],
	   "the second for the first");
	ok(s.attr[0].exclude_callchain_user && !s.attr[1].exclude_callchain_user,
	   "frame pointers are followed by the second only");
	ok(s.attr[0].enable_on_exec && !s.attr[1].enable_on_exec, "which no exec turns on");
	ok(!sampler_rests(&s, 0) && sampler_rests(&s, 1) && !sampler_rests(&s, 2) &&
		   sampler_rests(&s, 3),
	   "and rests");
	sampler_size_deep(&s, true);
	ok(s.attr[0].sample_stack_user == STACK_COPY_DEFAULT &&
		   s.attr[1].sample_stack_user == STACK_COPY_MAX,
	   "it copies more");
	sampler_size_deep(&s, false);
	is_int(s.attr[1].sample_stack_user, STACK_COPY_DEFAULT, "unless rings are too small");
	s.on = false;
	sampler_go_deep(&s);
	ok(!sampler_rests(&s, 0), "while nothing is sampled, nothing changes");
	s.on = true;
	sampler_go_deep(&s);
	ok(sampler_rests(&s, 0) && !sampler_rests(&s, 1) && sampler_rests(&s, 2) &&
		   !sampler_rests(&s, 3),
	   "then they change places");
	release(&s);
}

static void is_alone(struct sampling what, const char *name)
{
	struct sampler s;

	add_events(&s, &what);
	ok(s.nr_attr == what.nr_event && !sampler_rests(&s, 0), name);
	sampler_go_deep(&s);
	ok(!sampler_rests(&s, 0), "and stays at work");
	release(&s);
}

int main(void)
{
	struct sampled two[] = { clock_event, clock_event }, counted[] = { clock_event };
	const pid_t many[DEEP_EVENTS_MAX] = { 0 };
	struct sampling what = { .event = two,
				 .nr_event = 2,
				 .frequency = 997,
				 .calls = CALLS_AUTO,
				 .copy_size = STACK_COPY_DEFAULT,
				 .cgroup = -1,
				 .on_exec = true };

	test_pair(what);
	what.calls = CALLS_COPY;
	is_alone(what, "copies were asked for: there is one of each");
	what.calls = CALLS_FRAME_POINTERS;
	is_alone(what, "frame pointers were: the same");
	what.calls = CALLS_AUTO;
	what.task = many;
	what.nr_task = DEEP_EVENTS_MAX;
	is_alone(what, "for very many tasks: the same");
	what.nr_task = 0;
	what.event = counted;
	what.nr_event = 1;
	counted[0].count = 1;
	is_alone(what, "where each was asked for: the same");
	return done();
}
