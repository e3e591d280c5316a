#include "capture/shortfall.h"

#include <math.h>

/* The kernel splits CPU time into user and system time by timer ticks: 250 per second, or more. */
static const double TICKS = 250;

/* The CPU time that is sampled: ns. */
static double sampled_ns(const struct sampled_time *t)
{
	return (t->no_user ? 0 : (double)t->user) + (t->no_kernel ? 0 : (double)t->kernel);
}

/* The system time, plus three standard deviations: what ticks may have missed of it by chance. */
static double most_kernel_ns(const struct sampled_time *t)
{
	double tick = 1e9 / TICKS, nr = fmax((double)t->kernel / tick, 1);

	return (double)t->kernel + fmin(3 * sqrt(nr) * tick, (double)t->user);
}

/*
 * The duration of context switches, including the switching of events: each 4 to 18 µs on virtual machines, all of
 * it system time.
 */
static double switching_ns(const struct sampled_time *t)
{
	const double most = 18000;

	return t->no_kernel ? 0 : fmin(most * (double)t->nr_switch, most_kernel_ns(t));
}

/* Were only CPUs sampled?  Then no thread is too short-lived to be sampled. */
static bool only_cpus(const struct sampled_time *t)
{
	return t->by_cpu && !t->nr_switch;
}

/*
 * If only user time is sampled and nothing else explains missing samples: how much of it may have no samples, or
 * may really be system time: ns.  A timer that is armed at a switch may be late by a microsecond or two.  Ticks may
 * be in step with threads that sleep by timers, so that the system time of switches is accounted as user time.
 * So is all CPU time of a process that exits before its first tick.
 */
static double doubtful_ns(const struct sampled_time *t)
{
	const double late = 2000, late_max = 0.25, switching = 30000, most = 0.9;
	double nr = (double)t->nr_switch, user = (double)t->user;

	if (only_cpus(t))
		return fmin(1e9 / TICKS * (double)t->nr_start, most * user);
	return fmax(fmin(late * nr, late_max * user),
		    fmin(switching * nr - (double)t->kernel, most * user));
}

/* How many samples may be missing by chance: three standard deviations. */
static double chance(const struct sampled_time *t, double expected)
{
	double all = (double)(t->user + t->kernel) + 1e9 / TICKS, sum = 0;

	if (t->by_cpu)
		sum += 3 * sqrt(expected);
	if (t->no_user || t->no_kernel)
		sum += 3 * sqrt(t->frequency / TICKS * expected * (1 - sampled_ns(t) / all));
	return sum;
}

struct shortfall shortfall_of(const struct sampled_time *t)
{
	double per_ns = t->frequency / 1e9, all = sampled_ns(t) * per_ns;
	double lost = all - t->samples, switches = switching_ns(t) * per_ns, enough, rest;
	bool doubts = t->no_kernel && (only_cpus(t) || !starts_explain(lost, t->nr_start));
	double doubtful = doubts ? doubtful_ns(t) * per_ns : 0;
	struct shortfall s = { .expected = all - switches - doubtful };

	enough = fmax(chance(t, s.expected), all * t->least);
	if (lost <= enough + doubtful)
		return s;
	switches = fmin(switches, lost);
	rest = lost - switches;
	/* A part too small to be reported alone is added to the other. */
	if (rest <= enough && switches >= rest)
		switches = lost;
	else if (switches <= enough)
		switches = 0;
	s.switching = switches / all;
	s.unseen = (lost - switches) / all;
	return s;
}

bool starts_explain(double lost, uint64_t nr_start)
{
	return lost < 4 * (double)nr_start;
}
