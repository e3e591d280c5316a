/* Which of an event's copies is asked for: the usual one, a short one, or one for stacks that are longer. */
#include "record/perf_events/sampler.h"
#include "tap.h"

#include <stdlib.h>

enum { USUAL, SHORT, LONG, NR_EACH };

static const struct sampled clock_event = { .type = PERF_TYPE_SOFTWARE,
					    .config = PERF_COUNT_SW_CPU_CLOCK };

/* A sampler of so many events, as sampler_open() has them before they are opened. */
static void add_events(struct sampler *s, const struct sampling *what)
{
	*s = (struct sampler){ .nr_cpu = 2, .on = true };
	for (size_t i = 0; i < what->nr_event; i++) {
		size_t n = sampler_new_event(s);
		struct attr a = { 0 };

		attribute_init(&s->attr[n], what, &what->event[i]);
		attrs_add(&s->attrs, &a);
		sampler_add_reaches(s, what);
	}
}

static void release(struct sampler *s)
{
	/* Nothing was opened. */
	s->nr_cpu = 0;
	sampler_close(s);
}

/* Of each event that one is at work, and no other. */
static bool only_works(const struct sampler *s, unsigned which)
{
	bool ok = true;

	for (uint32_t i = 0; i < s->nr_attr; i++)
		ok &= sampler_rests(s, i) == (i % NR_EACH != which);
	return ok;
}

static void see(struct sampler *s, uint32_t event, unsigned nr, bool is_cut, uint64_t need)
{
	for (unsigned i = 0; i < nr; i++)
		sampler_see(s, event, is_cut, need);
}

static void test_events(struct sampling what)
{
	struct sampler s;

	add_events(&s, &what);
	is_int((intmax_t)s.nr_attr, 2 * NR_EACH,
	       "each event has a twin with short and one with long copies");
	is_int(s.event[SHORT].stands_for, 0, "an event with short copies stands for the usual one");
	is_int(s.event[LONG].stands_for, 0, "an event with long copies stands for the usual one");
	is_int(s.event[NR_EACH + LONG].stands_for, NR_EACH,
	       "an event with long copies stands for the usual one of its own kind");
	ok(s.event[SHORT].is_sampled, "an event with short copies is sampled");
	ok(s.attr[USUAL].exclude_callchain_user && s.attr[SHORT].exclude_callchain_user,
	   "usual and short copies leave out call chains by frame pointers");
	ok(!s.attr[LONG].exclude_callchain_user,
	   "long copies come with call chains by frame pointers");
	ok(s.attr[USUAL].enable_on_exec, "an exec enables the usual event");
	ok(!s.attr[SHORT].enable_on_exec && !s.attr[LONG].enable_on_exec,
	   "an exec does not enable the twins");
	ok(only_works(&s, USUAL), "twins with other copy sizes start disabled");
	ok(s.attr[USUAL].sample_stack_user == STACK_COPY_DEFAULT &&
		   s.attr[SHORT].sample_stack_user < STACK_COPY_DEFAULT,
	   "short copies are shorter than usual ones");
	sampler_size_long(&s, true);
	is_int(s.attr[LONG].sample_stack_user, STACK_COPY_MAX,
	       "long copies have the maximum size if ring buffers have room for it");
	sampler_size_long(&s, false);
	is_int(s.attr[LONG].sample_stack_user, STACK_COPY_DEFAULT,
	       "long copies have the default size if ring buffers are too small");
	release(&s);
}

static void test_long(struct sampling what)
{
	struct sampler s;

	add_events(&s, &what);
	see(&s, USUAL, 1, true, 30000);
	ok(only_works(&s, LONG), "a truncated stack enables long copies");
	see(&s, LONG, 2000, false, 100);
	see(&s, USUAL, 2000, false, 100);
	ok(only_works(&s, LONG) && !sampler_may_need_more(&s),
	   "long copies stay enabled once a stack was truncated");
	release(&s);
}

static void test_short(struct sampling what)
{
	struct sampler s;

	add_events(&s, &what);
	see(&s, USUAL, 500, false, 6000);
	see(&s, USUAL, 1, false, 7000);
	see(&s, USUAL, 500, false, 6000);
	ok(only_works(&s, USUAL),
	   "short stacks with a longer one between them do not enable short copies");
	see(&s, USUAL, 20, false, 6000);
	ok(only_works(&s, SHORT), "many short stacks in a row enable short copies");
	see(&s, USUAL, 1, true, 30000);
	ok(only_works(&s, SHORT),
	   "a truncated usual copy from before the switch does not disable short copies");
	see(&s, SHORT, 100, false, 7000);
	ok(only_works(&s, SHORT), "short copies stay enabled while nearly all of them is needed");
	see(&s, SHORT, 1, false, 7500);
	ok(only_works(&s, USUAL),
	   "usual copies are enabled again before a short copy is too short");
	see(&s, SHORT, 1, true, 8000);
	see(&s, USUAL, 2000, false, 100);
	ok(only_works(&s, USUAL),
	   "usual copies stay enabled once a short copy was nearly too short");
	see(&s, USUAL, 1, true, 30000);
	ok(only_works(&s, LONG), "a truncated usual copy enables long copies after short ones");
	release(&s);
	add_events(&s, &what);
	see(&s, USUAL, 1000, false, 100);
	see(&s, SHORT, 1, true, 100);
	ok(only_works(&s, USUAL), "a truncated short copy enables usual copies again");
	release(&s);
	add_events(&s, &what);
	see(&s, USUAL, 1000, false, 100);
	for (int i = 0; i < 1000; i++)
		sampler_see_start(&s, &(struct record){ .kind = RECORD_FORK });
	ok(only_works(&s, USUAL), "the start of many threads enables usual copies again");
	see(&s, USUAL, 1000, false, 100);
	ok(only_works(&s, USUAL), "usual copies stay enabled after the start of many threads");
	release(&s);
	/* A small copy was asked for. */
	what.copy_size = 4096;
	add_events(&s, &what);
	is_int((intmax_t)s.nr_attr, 4, "a small copy size has no short twin");
	see(&s, 0, 1000, false, 100);
	ok(!sampler_rests(&s, 0) && sampler_rests(&s, 1),
	   "small copies stay enabled while they are not truncated");
	see(&s, 0, 1, true, 4000);
	ok(sampler_rests(&s, 0) && !sampler_rests(&s, 1),
	   "a truncated small copy enables long copies");
	release(&s);
}

static void is_alone(struct sampling what, const char *name)
{
	struct sampler s;

	add_events(&s, &what);
	ok(s.nr_attr == what.nr_event && !sampler_rests(&s, 0), name);
	see(&s, 0, 1000, false, 100);
	see(&s, 0, 1, true, 30000);
	ok(!sampler_rests(&s, 0), "an event without twins stays enabled when a stack is truncated");
	release(&s);
}

int main(void)
{
	struct sampled two[] = { clock_event, clock_event }, counted[] = { clock_event };
	const pid_t many[REACH_EVENTS_MAX] = { 0 };
	struct sampling what = { .event = two,
				 .nr_event = 2,
				 .frequency = 997,
				 .calls = CALLS_AUTO,
				 .copy_size = STACK_COPY_DEFAULT,
				 .cgroup = -1,
				 .on_exec = true };

	test_events(what);
	test_long(what);
	test_short(what);
	what.calls = CALLS_COPY;
	is_alone(what, "an event has no twins if stack copies are requested");
	what.calls = CALLS_FRAME_POINTERS;
	is_alone(what, "an event has no twins if frame pointers are requested");
	what.calls = CALLS_AUTO;
	what.task = many;
	what.nr_task = REACH_EVENTS_MAX;
	is_alone(what, "an event has no twins if there are very many tasks");
	what.nr_task = 0;
	what.event = counted;
	what.nr_event = 1;
	counted[0].count = 1;
	is_alone(what, "an event has no twins if each occurrence is sampled");
	return done();
}
