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
	ok(fade_apply(&p, 100), "fade_apply() succeeds if samples have times");
	is_int(p.event[0].scale, -3, "faded weights are in thousandths");
	is_int(weight_of(&p, "new"), 1000, "the newest sample keeps its weight");
	is_int(weight_of(&p, "half"), 4000,
	       "a sample that is one half-life old has half its weight");
	is_int(weight_of(&p, "twice"), 5000,
	       "a stack has the sum of its samples, each faded by its age");
	is_int(weight_of(&p, "old"), 0,
	       "a sample that is more than FADE_LIVES half-lives old has no weight");
	is_int((intmax_t)p.nr_tick, 4, "ticks without weight are removed");
	is_str(profile_check(&p) ? profile_check(&p) : "", "",
	       "a faded profile passes profile_check()");
	profile_release(&p);
}

static void check_forgetting(void)
{
	struct profile p;

	make(&p);
	fade_forget(&p, 1000);
	is_int((intmax_t)p.nr_tick, 5, "fade_forget() keeps all samples that still have weight");
	fade_forget(&p, 100);
	is_int(weight_of(&p, "old"), 0, "fade_forget() removes samples without weight");
	is_int(weight_of(&p, "half"), 8, "fade_forget() keeps the weights of other samples");
	profile_release(&p);
}

static void check_without_times(void)
{
	struct profile p;

	make(&p);
	p.timed = false;
	ok(!fade_apply(&p, 100), "fade_apply() fails if samples have no times");
	fade_forget(&p, 100);
	is_int(weight_of(&p, "old"), 8, "fade_forget() removes nothing if samples have no times");
	profile_release(&p);
	make(&p);
	ok(fade_apply(&p, UINT64_MAX), "fade_apply() accepts the longest half-life");
	is_int(weight_of(&p, "old"), 8000, "the longest half-life keeps all weights");
	profile_release(&p);
}

int main(void)
{
	check_fading();
	check_forgetting();
	check_without_times();
	return done();
}
