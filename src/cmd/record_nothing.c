/* A recording without samples: why that is, and what to do about it. */
#include "base/strbuf.h"
#include "cmd/record_tell.h"
#include "record/events.h"
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

/* The smallest period of all events: 1 is a sample each time, 0 goes by frequency. */
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

/* Did it take so much processor time that there should be samples?  Then its threads were short. */
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
		strbuf_addf(text, " and %zu others", s->nr_event - NAMED_MAX);
	strbuf_addf(text, " %s", least_count(s) == 1 ? "did not happen" : "hardly happened");
}

static void add_reason(struct strbuf *text, const struct capture *c, const struct capture_opts *o)
{
	const char *why = "what was recorded hardly ran";

	if (c->left.pid) {
		strbuf_addf(text, "the command ended, and %s, which it started, runs on",
			    c->left.name);
		return;
	}
	/* Among them those that tell whose the others are. */
	if (c->nr_lost) {
		strbuf_addf(text, "%llu were lost", (unsigned long long)c->nr_lost);
		return;
	}
	if (o->delay && c->time <= o->delay)
		why = "all was over before --delay was";
	else if (o->by_signal)
		why = "no SIGUSR2 began it, or nothing ran until the next";
	else if (!is_any_steady(&o->sampling)) {
		add_never(text, &o->sampling);
		return;
	} else if (is_kernel_only(&o->sampling))
		why = "nothing of it ran in the kernel for long";
	else if (is_too_short(c) && o->wide)
		why = "something else ran whenever it was looked";
	else if (is_too_short(c))
		why = c->traced
			      ? "what ran were threads too short to be met"
			      : "what ran were threads too short to be met, or a program with other rights than its user's (setuid)";
	else if (!o->sampling.on_exec)
		why = "all that time it waited";
	else if (c->user_only)
		why = "its own code hardly ran, and the kernel's may not be recorded";
	strbuf_addf(text, "%s", why);
}

/* The hint that takes more samples of what runs too shortly, or is too rare. */
static int hint_more(const struct capture_opts *o, bool can_repeat, struct error *e)
{
	const struct sampling *s = &o->sampling;

	if (least_count(s) > 1 || !is_any_steady(s))
		return least_count(s) == 1 ? -1 : error_hint(e, "-c 1 takes a sample each time");
	if (!s->on_exec)
		return o->command
			       ? -1
			       : error_hint(
					 e,
					 "with a command behind the options, it is recorded while that keeps it busy");
	if (!can_repeat)
		return s->frequency < MANY_SAMPLES
			       ? error_hint(e, "-F %d takes more samples a second", MANY_SAMPLES)
			       : -1;
	/* The clock begins anew in each run, so that runs alone may not help: more samples do. */
	if (s->frequency < MANY_SAMPLES)
		return error_hint(e,
				  "-F %d --runs 100 takes more samples a second, of a hundred runs",
				  MANY_SAMPLES);
	return error_hint(e, "--runs 100 adds up a hundred runs");
}

int record_nothing(const struct capture *c, const struct capture_opts *o, bool can_repeat,
		   struct error *e)
{
	struct strbuf text = { 0 };

	number_add_count(&text, (double)c->time, SPAN("ns"));
	strbuf_add(&text, SPAN(": "));
	add_reason(&text, c, o);
	error_set(e, ERROR_INPUT, "no samples in %s; nothing was written", text.at);
	strbuf_release(&text);
	if (c->left.pid)
		return error_hint(e, "`wick record -p %u` records it", c->left.pid);
	if (c->nr_lost)
		return error_hint(e, "-F 99 takes fewer samples a second");
	if (o->delay || o->by_signal)
		return -1;
	/* What comes back as often as a tick does may always be there first. */
	if (is_too_short(c) && o->wide)
		return error_hint(e, "-F with another number looks at other times");
	if (is_too_short(c) && !c->traced && is_any_steady(&o->sampling) &&
	    !is_kernel_only(&o->sampling))
		return error_hint(
			e, "`%swick record --wide %s%s` meets both%s", geteuid() ? "sudo " : "",
			o->command[0], o->command[1] ? " …" : "",
			geteuid() ? "; -F 20000 meets threads that are not quite as short" : "");
	return hint_more(o, can_repeat, e);
}
