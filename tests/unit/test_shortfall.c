/* How many samples are due for the CPU time of a target, and why some are missing. */
#include "capture/shortfall.h"

#include "tap.h"

#include <math.h>

#define MS 1000000ull

static bool is_about(double share, double want)
{
	return fabs(share - want) < 0.005;
}

/* Samples of user code only: switches take none of its time, however many they are. */
static void test_user(void)
{
	struct sampled_time t = { .user = 1260 * MS,
				  .kernel = 900 * MS,
				  .nr_switch = 80000,
				  .no_kernel = true,
				  .frequency = 997,
				  .samples = 9,
				  .nr_start = 4000,
				  .least = 0.05 };
	struct shortfall s = shortfall_of(&t);

	ok(fabs(s.expected - 1256) < 1,
	   "shortfall_of() expects samples of all user time, despite switches");
	ok(is_about(s.unseen, 0.99),
	   "shortfall_of() reports lost samples of user code, despite switches");
	ok(s.switching == 0, "switches are no reason for lost samples of user code");

	t.samples = 1200;
	s = shortfall_of(&t);
	ok(s.unseen == 0 && s.switching == 0, "shortfall_of() reports nothing below 5 %");

	t = (struct sampled_time){ .user = 547 * MS,
				   .kernel = 787 * MS,
				   .nr_switch = 25173,
				   .no_kernel = true,
				   .frequency = 20000,
				   .samples = 7987,
				   .nr_start = 1426,
				   .least = 0.05 };
	s = shortfall_of(&t);
	ok(is_about(s.unseen, 0.27),
	   "shortfall_of() reports lost samples of user code at a high rate");

	/* 8 %: a microsecond for each switch. */
	t = (struct sampled_time){ .user = 2252 * MS,
				   .kernel = 1244 * MS,
				   .nr_switch = 180153,
				   .no_kernel = true,
				   .frequency = 4999,
				   .samples = 10269,
				   .least = 0.05 };
	s = shortfall_of(&t);
	ok(s.unseen == 0 && s.switching == 0,
	   "shortfall_of() allows for a late timer with each switch");

	/* Ticks that keep step with a program that sleeps find it in user code too often. */
	t = (struct sampled_time){ .user = 339 * MS,
				   .kernel = 117 * MS,
				   .nr_switch = 15000,
				   .no_kernel = true,
				   .frequency = 997,
				   .samples = 152,
				   .nr_start = 1,
				   .least = 0.05 };
	s = shortfall_of(&t);
	ok(s.unseen == 0, "system time of switches that was accounted as user time has no samples");
	t.nr_switch = 1000000;
	t.samples = 9;
	s = shortfall_of(&t);
	ok(s.unseen > 0.9,
	   "shortfall_of() reports that nearly all samples are lost, despite many switches");
}

static void test_switches(void)
{
	/* Naps: 10 µs for each switch. */
	struct sampled_time t = { .user = 500 * MS,
				  .kernel = 500 * MS,
				  .nr_switch = 30000,
				  .frequency = 1000,
				  .samples = 700,
				  .least = 0.05 };
	struct shortfall s = shortfall_of(&t);

	ok(is_about(s.switching, 0.3) && s.unseen == 0,
	   "time in context switches is reported as such");

	/* 200 processes, with 1168 switches: 21 of 64 ms at most. */
	t = (struct sampled_time){ .user = 250 * MS,
				   .kernel = 300 * MS,
				   .nr_switch = 1168,
				   .frequency = 1000,
				   .samples = 486,
				   .least = 0.05 };
	s = shortfall_of(&t);
	ok(is_about(s.unseen, 64.0 / 550) && s.switching == 0,
	   "a shortfall that switches cannot have caused has another reason");

	/* 10 % by switches at most, 30 % otherwise. */
	t = (struct sampled_time){ .user = 500 * MS,
				   .kernel = 500 * MS,
				   .nr_switch = 5556,
				   .frequency = 1000,
				   .samples = 600,
				   .least = 0.05 };
	s = shortfall_of(&t);
	ok(is_about(s.switching, 0.1) && is_about(s.unseen, 0.3),
	   "shortfall_of() reports both reasons with their shares");

	/* 3 s, and 0.33 s by the chance of 750 ticks. */
	t.user = 7000 * MS;
	t.kernel = 3000 * MS;
	t.nr_switch = 1000000;
	t.samples = 4000;
	s = shortfall_of(&t);
	ok(is_about(s.switching, 0.333) && is_about(s.unseen, 0.267),
	   "switches take no more than the system time, with the chance of its ticks");

	/* A dozen ticks of system time: 10 µs for each nap would be 80 ms. */
	t = (struct sampled_time){ .user = 331 * MS,
				   .kernel = 50 * MS,
				   .nr_switch = 8000,
				   .frequency = 997,
				   .samples = 294,
				   .least = 0.05 };
	s = shortfall_of(&t);
	ok(is_about(s.switching, 0.226) && s.unseen == 0,
	   "switches explain what a few ticks of system time may have missed by chance");

	/* 4 % and 3 %: together, that is more than 5 %. */
	t = (struct sampled_time){ .user = 500 * MS,
				   .kernel = 500 * MS,
				   .nr_switch = 40000 / 18,
				   .frequency = 1000,
				   .least = 0.05 };
	t.samples = 930;
	s = shortfall_of(&t);
	ok(is_about(s.switching, 0.07) && s.unseen == 0,
	   "two small reasons are reported as the larger one");
}

/* By ticks of CPUs, the target is there or not. */
static void test_chance(void)
{
	struct sampled_time t = {
		.user = 100 * MS, .frequency = 1000, .samples = 75, .by_cpu = true, .least = 0.05
	};

	ok(shortfall_of(&t).unseen == 0, "shortfall_of() reports nothing that may be chance");
	t.samples = 60;
	ok(is_about(shortfall_of(&t).unseen, 0.4), "shortfall_of() reports what is hardly chance");

	/* Of 100 ticks, 30 were in user code: there may have been fewer. */
	t = (struct sampled_time){ .user = 120 * MS,
				   .kernel = 280 * MS,
				   .no_kernel = true,
				   .frequency = 1000,
				   .samples = 80,
				   .least = 0.05 };
	ok(shortfall_of(&t).unseen == 0,
	   "shortfall_of() allows for the error of user time that is known by ticks");
	t.samples = 20;
	ok(is_about(shortfall_of(&t).unseen, 100.0 / 120),
	   "shortfall_of() reports few samples of much user time");
}

/* The kernel takes all the time of a process that ends before its first tick for user time. */
static void test_short_processes(void)
{
	struct sampled_time t = { .user = 640 * MS,
				  .kernel = 340 * MS,
				  .no_kernel = true,
				  .by_cpu = true,
				  .frequency = 997,
				  .samples = 198,
				  .nr_start = 1073,
				  .least = 0.05 };

	ok(shortfall_of(&t).unseen == 0,
	   "shortfall_of() reports no user time of short processes that only ticks tell");
	t.samples = 5;
	ok(shortfall_of(&t).unseen > 0.9,
	   "shortfall_of() reports that nearly all samples of short processes are lost");
	t.samples = 198;
	t.nr_start = 10;
	ok(is_about(shortfall_of(&t).unseen, 1 - 198 / (0.64 * 997)),
	   "shortfall_of() reports lost user time of few processes");
}

int main(void)
{
	test_short_processes();
	test_user();
	test_switches();
	test_chance();
	return done();
}
