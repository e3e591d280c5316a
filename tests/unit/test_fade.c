/* What is older counts less. */
#include "fold/fade.h"

#include "stacks.h"
#include "tap.h"

static const char *const events[] = { "samples", NULL };

static void add(struct profile *p, const char *path, uint64_t time, int64_t weight)
{
	struct tick t = { .stack = stack_of(p, path), .time = time, .weight = weight };

	profile_add(p, &t);
}

static int64_t weight_of(struct profile *p, const char *path)
{
	const struct count *c =
		profile_find_count(p, &(struct count){ .stack = stack_of(p, path) });

	return c ? c->weight : 0;
}

static void make(struct profile *p)
{
	init_profile(p, events);
	profile_keep_ticks(p, 100);
	p->timed = true;
	add(p, "old", 1000, 8);
	add(p, "half", 2900, 8);
	add(p, "twice", 2800, 4);
	add(p, "twice", 3000, 4);
	add(p, "new", 3000, 1);
}

static void check_fading(void)
{
	struct profile p;

	make(&p);
	ok(fade_apply(&p, 100), "there are times");
	is_int(p.event[0].scale, -3, "weights are in thousandths");
	is_int(weight_of(&p, "new"), 1000, "the newest counts as it did");
	is_int(weight_of(&p, "half"), 4000, "one half-life before, it is half");
	is_int(weight_of(&p, "twice"), 5000, "a quarter, and all of the other");
	is_int(weight_of(&p, "old"), 0, "and what is long ago is gone");
	is_int((intmax_t)p.nr_tick, 4, "with its times");
	is_str(profile_check(&p) ? profile_check(&p) : "", "", "it is a profile");
	profile_release(&p);
}

static void check_forgetting(void)
{
	struct profile p;

	make(&p);
	fade_forget(&p, 1000);
	is_int((intmax_t)p.nr_tick, 5, "all of it still counts something");
	fade_forget(&p, 100);
	is_int(weight_of(&p, "old"), 0, "what counts nothing is forgotten");
	is_int(weight_of(&p, "half"), 8, "the rest is as it was");
	profile_release(&p);
}

static void check_without_times(void)
{
	struct profile p;

	make(&p);
	p.timed = false;
	ok(!fade_apply(&p, 100), "without times, nothing is older");
	fade_forget(&p, 100);
	is_int(weight_of(&p, "old"), 8, "and all counts as it did");
	profile_release(&p);
	make(&p);
	ok(fade_apply(&p, UINT64_MAX), "a half-life may be as long as one likes");
	is_int(weight_of(&p, "old"), 8000, "then nothing is forgotten");
	profile_release(&p);
}

int main(void)
{
	check_fading();
	check_forgetting();
	check_without_times();
	return done();
}
