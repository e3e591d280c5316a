#include "base/strbuf.h"
#include "capture/capturing.h"
#include "capture/shortfall.h"

struct used {
	uint64_t user, kernel; /* ns */
	uint64_t nr_switch;    /* context switches of tasks */
};

/* The CPU time of the target; 0: unknown. */
static struct used used_time(const struct capturing *g)
{
	const struct launch *l = &g->c->launch;
	struct used used = { 0 };

	if (!g->o->sampling.on_exec && g->usage.known) {
		struct usage_time sum = usage_sum(&g->usage);

		used = (struct used){ sum.user, sum.kernel,
				      g->nr_switch + switches_sum(&g->switches) };
	} else if (g->o->sampling.on_exec && !l->pid) {
		used = (struct used){ l->user_time, l->kernel_time, l->switches };
	}
	return used;
}

static bool is_cycles(const struct attr *a)
{
	return a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES;
}

/*
 * Compares the number of samples with the number that the CPU time of the target should have given.  There may be
 * fewer, because each thread has its own clock, and one that exits before its first tick has no samples.
 */
static void compare_time(const struct capturing *g, struct capture *c)
{
	const struct sampling *what = &g->o->sampling;
	size_t sampled = sampler_find_sampled(&g->sampler);
	/* NULL: the event was refused. */
	const struct attr *a =
		sampled < g->sampler.attrs.nr ? &g->sampler.attrs.attr[sampled] : NULL;
	struct used used = used_time(g);
	struct sampled_time t;
	struct shortfall missing;

	c->expected = c->unseen = c->switching = 0;
	c->share_of = a && a->exclude_kernel ? "user time"
		      : a && a->exclude_user ? "system time"
					     : "CPU time";
	c->kernel_time = a && a->exclude_kernel ? used.kernel : 0;
	if (what->nr_event != 1 || what->nr_cpu || g->o->delay || g->o->by_signal || !a ||
	    !a->freq || (!attr_is_clock(a) && !is_cycles(a)))
		return;
	t = (struct sampled_time){ .user = used.user,
				   .kernel = used.kernel,
				   .nr_switch = g->o->wide ? 0 : used.nr_switch,
				   .no_user = a->exclude_user,
				   .no_kernel = a->exclude_kernel,
				   .by_cpu = c->wide || what->cgroup >= 0,
				   .frequency = (double)a->period,
				   .samples = (double)(g->nr_sample + g->nr_lost),
				   .nr_start = c->nr_start,
				   .least = attr_is_clock(a) && !g->sampler.trace ? 0.05 : 0.25 };
	missing = shortfall_of(&t);
	c->expected = missing.expected;
	c->unseen = missing.unseen;
	c->switching = missing.switching;
}

/* Adds facts about how the target was sampled, which wick diff compares. */
static void inform_sampling(const struct capturing *g, struct capture *c)
{
	const char *how = g->sampler.trace   ? "by ptrace"
			  : !g->what.nr_task ? "per CPU"
			  : g->sampler.wide  ? "per thread, then per CPU"
					     : "per thread";
	struct strbuf share = { 0 };

	profile_inform(&c->p, SPAN(FACT_SAMPLING), span_of(how));
	strbuf_addf(&share, "%.0f %% of the %s", c->unseen * 100, c->share_of);
	if (c->unseen > 0)
		profile_inform(&c->p, SPAN(FACT_NOT_SAMPLED), strbuf_peek(&share));
	strbuf_release(&share);
}

/*
 * CPU time that no switch record shows, because threads ran while they started or exited: much if there are
 * thousands.  ns; 0: little, or unknown.
 */
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

/* Did stack copies have the maximum size in the end? */
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
	to->nr_wait += from->nr_wait;
	to->nr_seen += from->nr_seen;
	to->nr_waker += from->nr_waker;
}

/* How long --delay lasted: ns. */
static uint64_t delayed_time(const struct session *s)
{
	uint64_t until = s->started && s->started < s->end ? s->started : s->end;

	return s->delay && until > s->begin ? until - s->begin : 0;
}

void capture_result(struct capturing *g)
{
	struct capture *c = g->c;

	c->nr_sample += g->nr_sample;
	c->nr_lost += g->nr_lost;
	/* Pauses in recording waits have their own note. */
	if (g->session.nr_switch_lost && !g->watcher.nr_stop)
		notes_add(&c->p.notes, NOTE_SWITCHES_LOST, g->session.nr_switch_lost, 0, SPAN(""));
	if (g->session.end) {
		c->time += g->session.end - g->session.begin;
		c->delayed += delayed_time(&g->session);
	}
	c->interrupted = g->session.interrupted;
	add_sums(&c->waits, &g->ingest.waits.sums);
	c->waits_time += g->watcher.recorded;
	for (size_t i = 0; i < NR_BLOCKED_STATES; i++)
		if (g->watcher.nr_refused[i])
			c->refused = (enum blocked_state)i;
	/*
	 * Threads that existed at the beginning count, too: each has its first sample after one period, and of
	 * thousands, many may run only once.
	 */
	c->nr_start = g->nr_start + (g->o->sampling.nr_task > 1 ? g->o->sampling.nr_task : 0);
	c->nr_hidden = g->hidden.nr;
	c->wide = g->family.process && g->sampler.wide;
	compare_time(g, c);
	inform_sampling(g, c);
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
