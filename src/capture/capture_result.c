#include "capture/capturing.h"

#include <math.h>

enum {
	/* What switching to a task and back takes at most, with its events: 4 to 18 µs on virtual machines. */
	SWITCH_NS = 30000,
};

struct used {
	uint64_t user, kernel; /* ns */
	uint64_t nr_switch;    /* context switches, by tasks rather than CPUs */
};

/* The CPU time of what was recorded; none: it is not known. */
static struct used used_time(const struct capturing *g)
{
	const struct launch *l = &g->c->launch;
	struct used used = { 0 };

	if (!g->o->sampling.on_exec && g->usage.known) {
		struct usage_time sum = usage_sum(&g->usage);

		used = (struct used){ sum.user, sum.kernel, switches_sum(&g->switches) };
	} else if (g->o->sampling.on_exec && !l->pid) {
		used = (struct used){ l->user_time, l->kernel_time, l->switches };
	}
	return used;
}

/* Is the event due so many times in a second of CPU time?  Counters are only nearly so. */
static bool is_clock(const struct attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE &&
	       (a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK);
}

static bool is_cycles(const struct attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES;
}

/*
 * Compares the samples with those that the CPU time of the target should have given.  The clock
 * begins anew in each thread, and a thread that ends before its first tick has none: so there may
 * be fewer.
 */
static void compare_time(const struct capturing *g, struct capture *c)
{
	const struct sampling *what = &g->o->sampling;
	const struct attr *a = g->sampler.attrs.nr ? &g->sampler.attrs.attr[0] : NULL;
	struct used used = used_time(g);
	double samples = (double)(g->nr_sample + g->nr_lost), time = 0, chance = 0, all, least;

	c->expected = c->unseen = c->switching = 0;
	c->kernel_time = a && a->exclude_kernel ? used.kernel : 0;
	if (what->nr_event != 1 || what->nr_cpu || g->o->delay || g->o->by_signal || !a ||
	    !a->freq || (!is_clock(a) && !is_cycles(a)))
		return;
	time += a->exclude_user ? 0 : (double)used.user;
	time += a->exclude_kernel ? 0 : (double)used.kernel;
	all = time / 1e9 * (double)a->period;
	/*
	 * The kernel charges a task for being switched to and from, when none of its own clocks runs.
	 * Which part of its time is the kernel's is known by ticks, which may keep step with who
	 * sleeps by timers.
	 */
	if (!g->o->wide)
		time = fmax(time - SWITCH_NS * (double)used.nr_switch, 0);
	c->expected = time / 1e9 * (double)a->period;
	/*
	 * What may be chance, three times the standard deviation: who samples CPUs finds the target
	 * there or not, and the kernel tells user from kernel time by ticks, 250 a second or more.
	 */
	if (c->wide || what->cgroup >= 0)
		chance += 3 * sqrt(c->expected);
	if (a->exclude_user || a->exclude_kernel)
		chance += 3 * sqrt((double)a->period / 250 * c->expected *
				   (1 - time / (double)(used.user + used.kernel + 1)));
	least = is_clock(a) && !g->sampler.trace ? 0.05 : 0.25;
	if (c->expected - samples > fmax(chance, c->expected * least))
		c->unseen = 1 - samples / c->expected;
	/* Otherwise it is what switching takes: it has no samples, either, and may be most of the time. */
	else if (!a->exclude_kernel && all - samples > fmax(chance, all * least))
		c->switching = 1 - samples / all;
}

/* What threads run as they start and exit is in no record of a switch: of thousands, that is much.  ns; 0: little, or unknown */
static uint64_t unrecorded_time(const struct capturing *g)
{
	enum { LITTLE_NS = 20 * 1000 * 1000 };
	const struct sampling *what = &g->o->sampling;
	struct used used = used_time(g);
	uint64_t all = used.user + used.kernel, running = g->ingest.waits.sums.running;

	if (!g->ingest.waits.sums.nr_thread || g->watcher.nr_stop || g->session.nr_switch_lost ||
	    g->o->delay || g->o->by_signal || what->nr_cpu ||
	    (what->on_exec && what->follow != FOLLOW_ALL))
		return 0;
	return all > running + all / 20 + LITTLE_NS ? all - running : 0;
}

/* Were copies as long as they can be, at the end? */
static bool copies_most(const struct sampler *s)
{
	for (uint32_t i = 0; i < s->nr_attr; i++)
		if (s->event[i].is_sampled && !s->event[i].is_switches &&
		    !s->event[i].is_tracepoint && !sampler_rests(s, i) &&
		    s->attr[i].sample_stack_user < STACK_COPY_MAX)
			return false;
	return s->nr_attr;
}

static void add_sums(struct wait_sums *to, const struct wait_sums *from)
{
	to->running += from->running;
	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		to->off[i] += from->off[i];
	to->nr_thread += from->nr_thread;
	to->nr_switch += from->nr_switch;
	to->nr_wait += from->nr_wait;
	to->nr_seen += from->nr_seen;
	to->nr_no_look += from->nr_no_look;
	to->nr_waker += from->nr_waker;
}

void capture_result(struct capturing *g)
{
	struct capture *c = g->c;

	c->nr_sample += g->nr_sample;
	c->nr_lost += g->nr_lost;
	/* Pauses in recording waits are a note of their own. */
	if (g->session.nr_switch_lost && !g->watcher.nr_stop)
		notes_add(&c->p.notes, NOTE_SWITCHES_LOST, g->session.nr_switch_lost, 0, SPAN(""));
	if (g->session.end)
		c->time += g->session.end - g->session.begin;
	c->interrupted = g->session.interrupted;
	add_sums(&c->waits, &g->ingest.waits.sums);
	c->waits_time += g->watcher.recorded;
	for (size_t i = 0; i < NR_BLOCKED_STATES; i++)
		if (g->watcher.nr_refused[i])
			c->refused = (enum blocked_state)i;
	/* The clock of a thread that runs has its first tick after a period: thousands may have run once. */
	c->nr_start = g->nr_start + (g->o->sampling.nr_task > 1 ? g->o->sampling.nr_task : 0);
	c->wide = g->family.process && g->sampler.wide;
	compare_time(g, c);
	c->unrecorded = unrecorded_time(g);
	c->traced = g->sampler.trace != NULL;
	if (c->traced) {
		c->trace_frequency = trace_frequency(&g->o->sampling);
		c->trace = trace_sum(g->sampler.trace);
		c->scarce = g->sampler.scarce;
	}
	c->copied_most = copies_most(&g->sampler);
	c->user_only = g->sampler.user_only;
	c->clock_only = g->sampler.clock_only;
	c->no_waits = g->sampler.no_waits;
	memcpy(c->better, g->sampler.better, sizeof(c->better));
	c->frequency = g->sampler.frequency;
	c->ring_size = g->sampler.ring_size;
}
