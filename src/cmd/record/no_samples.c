/* A recording without samples: why that is, and what to do about it. */
#include "base/strbuf.h"
#include "cmd/record/record_summary.h"
#include "record/launch/executable.h"
#include "record/perf_events/events.h"
#include "render/number.h"

#include <unistd.h>

/* Is it an event that any code causes all the time, such as a clock or cycles? */
static bool is_steady(const struct sampled *event)
{
	switch (event->type) {
	case PERF_TYPE_SOFTWARE:
		return event->config == PERF_COUNT_SW_CPU_CLOCK ||
		       event->config == PERF_COUNT_SW_TASK_CLOCK;
	case PERF_TYPE_TRACEPOINT:
		return false;
	}
	return !event->is_probe;
}

static bool is_any_steady(const struct sampling *s)
{
	for (size_t i = 0; i < s->nr_event; i++)
		if (is_steady(&s->event[i]))
			return true;
	return false;
}

/* The smallest period of all events; 1: a sample for each event, 0: sampled by frequency. */
static uint64_t least_count(const struct sampling *s)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < s->nr_event; i++)
		if (s->event[i].count < least)
			least = s->event[i].count;
	return s->nr_event ? least : 0;
}

static bool is_kernel_only(const struct sampling *s)
{
	for (size_t i = 0; i < s->nr_event; i++)
		if (!s->event[i].no_user)
			return false;
	return s->nr_event > 0;
}

/* Did the target use so much CPU time that there should be samples?  Then its threads were short-lived. */
static bool is_too_short(const struct capture *c)
{
	return c->expected > FEW_SAMPLES;
}

static void add_never(struct strbuf *text, const struct sampling *s)
{
	for (size_t i = 0; i < s->nr_event && i < NAMED_MAX; i++) {
		strbuf_addf(text, "%s", i ? ", " : "");
		event_name(text, &s->event[i]);
	}
	if (s->nr_event > NAMED_MAX)
		strbuf_addf(text, " and %zu other%s", s->nr_event - NAMED_MAX,
			    s->nr_event - NAMED_MAX == 1 ? "" : "s");
	strbuf_addf(text, " %s", least_count(s) == 1 ? "did not occur" : "hardly occurred");
}

/* Is the file of the command unreadable?  The kernel does not record such a program from its exec on. */
static bool is_secret(const struct capture_opts *o)
{
	struct strbuf path = { 0 };
	bool found = !o->command || !o->sampling.on_exec || executable_find(&path, o->command[0]);

	strbuf_release(&path);
	return !found;
}

/* The time that threads waited, as recorded: for a CPU, and for something else. */
struct waited {
	uint64_t cpu, other;
};

static struct waited waited(const struct wait_sums *s)
{
	struct waited sum = { .cpu = s->off[WAIT_CPU] };

	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		sum.other += i == WAIT_CPU ? 0 : s->off[i];
	return sum;
}

static bool waits_for_cpu(const struct capture *c)
{
	struct waited w = waited(&c->waits);

	return w.cpu > w.other + c->waits.running;
}

static bool is_idle(const struct capture *c)
{
	struct waited w = waited(&c->waits);

	return w.other > w.cpu + c->waits.running;
}

/* Why there was CPU time, but none that could be sampled. */
static const char *why_too_short(const struct capture *c, const struct capture_opts *o)
{
	if (c->wide)
		return "other programs ran at each timer tick";
	if (c->traced || c->nr_start > FEW_SAMPLES)
		return "all threads were too short-lived to sample";
	/* The kernel closes the events of a command that executes a setuid program. */
	return o->sampling.on_exec ? "the target is a setuid program"
				   : "the threads of the target ended before their first sample";
}

static void add_reason(struct strbuf *text, const struct capture *c, const struct capture_opts *o)
{
	const char *why = "the target used hardly any CPU time";

	if (c->nr_hidden && !is_secret(o) && !c->left.pid && !c->nr_lost) {
		strbuf_add(
			text,
			SPAN("the kernel does not record setuid programs, nor programs whose files you may not read"));
		return;
	}
	if (!o->sampling.nr_event && !is_secret(o)) {
		strbuf_add(text,
			   c->waits.nr_thread
				   ? SPAN("the target did not wait")
				   : SPAN("recording context switches is not permitted here"));
		return;
	}
	if (c->left.pid) {
		strbuf_addf(text, "the command ended, but its child %s is still running",
			    c->left.name);
		return;
	}
	/* Records that identify the target of the others may be among them. */
	if (c->nr_lost) {
		strbuf_addf(text, "%llu were lost", (unsigned long long)c->nr_lost);
		return;
	}
	if (is_secret(o))
		why = "the kernel only records programs whose files you may read";
	else if (o->delay && c->time <= o->delay)
		why = "the target ended before --delay";
	else if (o->by_signal)
		why = "no SIGUSR2 started sampling, or nothing ran before the next one";
	else if (!is_any_steady(&o->sampling)) {
		add_never(text, &o->sampling);
		return;
	} else if (is_kernel_only(&o->sampling))
		why = "the target used hardly any CPU time in the kernel";
	else if (is_too_short(c))
		why = why_too_short(c, o);
	else if (c->nr_child || c->more_children)
		why = "the child processes of the target were not recorded";
	else if (c->no_waits)
		why = "the target used hardly any CPU time, and its waits could not be recorded";
	else if (!o->sampling.on_exec && waits_for_cpu(c))
		why = "the target was waiting for a CPU";
	else if (!o->sampling.on_exec && is_idle(c))
		why = "the target was waiting all the time";
	else if (c->user_only)
		why = "the target used hardly any CPU time in user code, and kernel samples are not permitted";
	strbuf_addf(text, "%s", why);
}

/* A hint how to get more samples of a target that runs too briefly, or of a rare event. */
static int hint_more(const struct capture *c, const struct capture_opts *o, bool can_repeat,
		     struct error *e)
{
	const struct sampling *s = &o->sampling;

	if (least_count(s) > 1 || !is_any_steady(s))
		return least_count(s) == 1 ? -1 : error_hint(e, "sample every event: -c 1");
	if (!s->on_exec && waits_for_cpu(c))
		return error_hint(e, "record for a longer time");
	if (!s->on_exec && is_idle(c))
		return o->command
			       ? -1
			       : error_hint(
					 e,
					 "add a command that keeps the target busy: wick samples while it runs");
	if (!can_repeat || !s->on_exec)
		return s->frequency < MANY_SAMPLES
			       ? error_hint(e, "increase the sampling rate: -F %d", MANY_SAMPLES)
			       : -1;
	/* The clock restarts with each run, so more runs alone may not help: a higher rate does. */
	if (s->frequency < MANY_SAMPLES)
		return error_hint(
			e, "increase the sampling rate and add up 100 runs: -F %d --runs 100",
			MANY_SAMPLES);
	return error_hint(e, "add up 100 runs: --runs 100");
}

int record_nothing(const struct capture *c, const struct capture_opts *o, bool can_repeat,
		   struct error *e)
{
	struct strbuf text = { 0 };

	number_add_count(&text, (double)(c->delayed < c->time ? c->time - c->delayed : c->time),
			 SPAN("ns"));
	strbuf_add(&text, SPAN(": "));
	add_reason(&text, c, o);
	error_set(e, ERROR_INPUT, "no samples in %s; nothing was written", text.at);
	strbuf_release(&text);
	if (c->left.pid)
		return error_hint(e, "record the child: wick record -p %u", c->left.pid);
	if (c->nr_lost)
		return error_hint(e, "lower the sampling rate: -F 99");
	if (is_secret(o))
		return error_hint(e, "record as root, or make it readable: chmod +r %s",
				  o->command[0]);
	if (c->nr_hidden)
		return error_hint(e, "sample per CPU: %swick record --wide",
				  geteuid() ? "sudo " : "");
	if (!o->sampling.nr_event)
		return c->waits.nr_thread ? -1
					  : error_hint(e, "`wick doctor` prints how to permit it");
	if (o->delay || o->by_signal)
		return -1;
	/* Another program that runs in step with the ticks may always be hit instead. */
	if (is_too_short(c) && c->wide)
		return error_hint(e, "try another sampling rate (-F)");
	if (is_too_short(c) && !c->traced && is_any_steady(&o->sampling) &&
	    !is_kernel_only(&o->sampling))
		return error_hint(e, "sample per CPU: %swick record --wide%s",
				  geteuid() ? "sudo " : "",
				  geteuid() && c->nr_start
					  ? "; or increase the sampling rate: -F 20000"
					  : "");
	if (c->nr_child || c->more_children)
		return error_hint(e, "record them, too: --children");
	if (c->no_waits)
		return error_hint(e, "%s", c->better);
	if (c->user_only && c->kernel_time > SOME_KERNEL_NS)
		return error_hint(
			e, "run wick as root, or show CPU time without samples as well: --wall");
	return hint_more(c, o, can_repeat, e);
}
