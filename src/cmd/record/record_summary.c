#include "cmd/record/record_summary.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "capture/shortfall.h"
#include "cli/messages.h"
#include "render/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void add_samples(struct strbuf *text, uint64_t nr)
{
	number_add_count(text, (double)nr, nr == 1 ? SPAN("sample") : SPAN("samples"));
}

static bool is_waiting(const struct session *s)
{
	return (s->by_signal || s->delay) && !s->sampling;
}

/* Sampling is paused: appends what will start it. */
static void add_waiting(struct strbuf *text, const struct session *s, uint64_t now)
{
	uint64_t begin = s->begin + s->delay;

	if (s->by_signal)
		strbuf_addf(text, "%s: `kill -USR2 %d` %s", s->nr_sample ? "paused" : "waiting",
			    (int)getpid(), s->nr_sample ? "resumes" : "starts");
	else
		strbuf_addf(text, "waiting: starts in %.1f s",
			    begin > now ? (double)(begin - now) / 1e9 : 0.0);
}

static void add_recording(struct strbuf *text, const struct record_line *l, const struct session *s,
			  uint64_t now)
{
	double rate = (double)(s->nr_sample - l->nr) * 1e9 / (double)(now - l->last);

	strbuf_addf(text, "recording for %.1f s: ", (double)(now - s->begin - s->delay) / 1e9);
	add_samples(text, s->nr_sample);
	strbuf_addf(text, ", %.0f per second", rate);
	if (s->nr_lost)
		strbuf_addf(text, ", %llu lost", (unsigned long long)s->nr_lost);
}

void record_line_show(void *line, const struct session *s)
{
	enum { EVERY_NS = 200000000 };
	struct record_line *l = line;
	struct strbuf text = { 0 };
	uint64_t now;

	if (!l->on)
		return;
	now = session_now();
	if (!l->last)
		l->last = now;
	if (now - l->last < EVERY_NS)
		return;
	if (is_waiting(s))
		add_waiting(&text, s, now);
	else
		add_recording(&text, l, s, now);
	l->last = now;
	l->nr = s->nr_sample;
	l->shown = true;
	strbuf_add(&text, SPAN(" (Ctrl-C to stop)"));
	fprintf(stderr, "\r\033[K%s", text.at);
	fflush(stderr);
	strbuf_release(&text);
}

void record_line_end(struct record_line *l)
{
	if (l->shown)
		fputs("\r\033[K", stderr);
	l->shown = false;
}

static void separate(struct strbuf *text)
{
	if (text->size)
		strbuf_add(text, SPAN("; "));
}

/* Why perf events were not used. */
static const char *why_traced(enum sampler_scarce scarce)
{
	switch (scarce) {
	case SCARCE_FILES:
		return "too few open files for perf events";
	case SCARCE_MEMORY:
		return "no locked memory left for perf events";
	case SCARCE_NOTHING:
		break;
	}
	return "perf events are not permitted";
}

/* Were threads stopped less often than intended?  A difference of a tenth is not reported. */
static bool is_traced_slowly(const struct capture *c)
{
	return c->traced && trace_rate(&c->trace, c->trace_frequency) < c->trace_frequency / 10 * 9;
}

/* How often threads were stopped, and how long that took. */
static void add_traced(struct strbuf *text, const struct capture *c)
{
	bool slow = is_traced_slowly(c);

	strbuf_addf(text, "%s; ptrace sampling at %u Hz", why_traced(c->scarce),
		    slow ? trace_rate(&c->trace, c->trace_frequency) : c->trace_frequency);
	if (slow)
		strbuf_addf(text, " instead of %u Hz", c->trace_frequency);
	if (c->trace.nr_taken)
		strbuf_addf(text, ", each stop under %u µs", trace_typical(&c->trace));
}

/* Appends when sampling was paused. */
static void add_pauses(struct strbuf *text, const struct capture_opts *o)
{
	if (o->by_signal)
		strbuf_add(text, SPAN(", paused by SIGUSR2"));
	if (!o->delay)
		return;
	strbuf_add(text, SPAN(", after a delay of "));
	number_add_count(text, (double)o->delay, SPAN("ns"));
}

/*
 * Appends the events that have samples, or those that have none, and returns their number.  Waits are measured, not
 * sampled: record_print_waits() reports them.
 */
static size_t add_events(struct strbuf *text, const struct profile *p, const bool *has, bool wanted)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_event; i++) {
		struct span event = profile_peek(p, p->event[i].name);

		if (has[i] == wanted && !span_is(event, OFF_CPU) && !span_is(event, UNSAMPLED) &&
		    nr++ < NAMED_MAX)
			strbuf_addf(text, "%s%.*s", nr > 1 ? ", " : "", (int)event.size, event.at);
	}
	if (nr > NAMED_MAX)
		strbuf_addf(text, " and %zu other%s", nr - NAMED_MAX,
			    nr - NAMED_MAX == 1 ? "" : "s");
	return nr;
}

static void add_all_events(struct strbuf *text, const struct profile *p)
{
	bool *has = xcalloc(p->nr_event, sizeof(*has));
	struct strbuf none = { 0 };
	size_t nr_none;

	for (size_t i = 0; i < p->nr_count; i++)
		has[p->count[i].event] = true;
	add_events(text, p, has, true);
	nr_none = add_events(&none, p, has, false);
	if (nr_none > NAMED_MAX)
		strbuf_addf(text, " (%zu more did not occur)", nr_none);
	else if (nr_none)
		strbuf_addf(text, " (no %s)", none.at);
	strbuf_release(&none);
	free(has);
}

/* Appends why there are no samples, or not the requested ones; may be empty. */
static void add_remarks(struct strbuf *text, const struct capture *c)
{
	if (!c->nr_sample)
		strbuf_addf(text, "%s",
			    c->user_only && c->waits.running > wait_sums_blocked(&c->waits)
				    ? "the target ran in the kernel, where you may not sample it"
				    : "the target was waiting");
	else if (c->clock_only)
		strbuf_add(text, SPAN("no hardware counters on this machine"));
	if (c->traced) {
		separate(text);
		add_traced(text, c);
	}
}

void record_print_samples(const struct capture *c, const struct capture_opts *o)
{
	struct strbuf text = { 0 }, remarks = { 0 };

	if (!o->sampling.nr_event)
		return;
	if (c->nr_sample) {
		add_samples(&text, c->nr_sample);
		strbuf_add(&text, SPAN(" of "));
		add_all_events(&text, &c->p);
	} else {
		strbuf_add(&text, SPAN("no CPU samples"));
	}
	strbuf_add(&text, SPAN(" in "));
	number_add_count(&text, (double)(c->time - c->delayed), SPAN("ns"));
	add_pauses(&text, o);
	add_remarks(&remarks, c);
	if (remarks.size)
		strbuf_addf(&text, " (%s)", remarks.at);
	message("%s", text.at);
	strbuf_release(&text);
	strbuf_release(&remarks);
}

/* Waits */

static void add_time(struct strbuf *text, uint64_t ns)
{
	number_add_count(text, (double)ns, SPAN("ns"));
}

struct wait_summary record_wait_summary(const struct capture *c)
{
	return (struct wait_summary){ .sums = c->waits,
				      .knows_running = true,
				      .elapsed = c->time - c->delayed,
				      .recorded = c->waits_time };
}

void record_print_waits(const struct capture *c, const char *shows)
{
	const struct wait_summary s = record_wait_summary(c);
	struct strbuf text = { 0 };

	if (!s.sums.nr_thread)
		return;
	wait_summary_add(&text, &s);
	if (shows && wait_sums_blocked(&s.sums))
		strbuf_addf(&text, "; see %s", shows);
	message("%s", text.at);
	strbuf_release(&text);
}

bool record_has_waited(const struct capture *c)
{
	/* Starting and exiting a process takes less. */
	enum { SOME_NS = 100000000 };
	uint64_t blocked = wait_sums_blocked(&c->waits);

	return blocked > SOME_NS && c->expected < FEW_SAMPLES && !c->left.pid && !c->nr_lost;
}

/* The number of samples that correspond to this share of the CPU time, in all runs. */
static double nr_missing(const struct capture *c, double share)
{
	return (double)c->nr_sample * share / (1 - c->unseen - c->switching);
}

static const char *wide_option(void)
{
	return geteuid() ? "`sudo wick record --wide`" : "--wide";
}

/* How much CPU time has no samples, why, and what helps. */
static void add_unseen(struct strbuf *text, const struct capture *c, const struct capture_opts *o)
{
	double missing = nr_missing(c, c->unseen);
	bool short_threads = starts_explain(missing, c->nr_start);
	/* Short-lived threads, and others that hardly run. */
	const char *which = "threads that ran for less than a sampling period";
	const char *wide = wide_option();

	strbuf_addf(text, "%.0f %% of the %s: ", c->unseen * 100, c->share_of);
	if (is_traced_slowly(c))
		strbuf_addf(text, "ptrace sampling did not reach %u Hz", c->trace_frequency);
	else if (c->traced && c->trace_frequency < TRACE_FREQUENCY_MAX)
		strbuf_addf(text, "%s (use -F %d)", which, TRACE_FREQUENCY_MAX);
	else if (c->traced)
		strbuf_addf(text, "%s", which);
	else if (o->sampling.frequency > MANY_SAMPLES)
		strbuf_addf(text, "timers cannot keep up with this rate (use -F %d)", MANY_SAMPLES);
	else if (c->wide && !o->wide && short_threads)
		strbuf_addf(text, "%s, at the start (use --wide)", which);
	else if (c->wide)
		strbuf_addf(text, "the program sleeps at each timer tick (%stry another -F)",
			    o->wide ? "omit --wide, or " : "");
	else if (!short_threads && o->sampling.cgroup >= 0)
		strbuf_add(
			text,
			SPAN("time in context switches, which clocks of a cgroup do not sample (use -a), or late timers"));
	else if (!short_threads)
		strbuf_addf(text, "%slate timers (use %s)",
			    c->nr_hidden ? "setuid programs, or " : "", wide);
	else if (o->sampling.cgroup >= 0) /* CPUs are already sampled */
		strbuf_addf(text, "%s (use -F %d)", which, MANY_SAMPLES);
	else if (o->sampling.frequency < MANY_SAMPLES)
		strbuf_addf(text, "%s (use -F %d, or %s)", which, MANY_SAMPLES, wide);
	else
		strbuf_addf(text, "%s (use %s)", which, wide);
}

/* Appends child processes that were not recorded: nothing else in the summary shows them. */
static void add_children(struct strbuf *text, const struct capture *c)
{
	if (c->more_children)
		strbuf_add(text, SPAN("child processes"));
	else
		number_add_count(text, (double)c->nr_child,
				 c->nr_child == 1 ? SPAN("child process")
						  : SPAN("child processes"));
	strbuf_add(text, SPAN(" (use --children)"));
}

/* Appends programs that were not recorded, neither their CPU time nor their waits. */
static void add_hidden(struct strbuf *text, const struct capture *c)
{
	number_add_count(text, (double)c->nr_hidden,
			 c->nr_hidden == 1 ? SPAN("setuid or unreadable program")
					   : SPAN("setuid or unreadable programs"));
	strbuf_addf(text, " (use %s)", wide_option());
}

/* What the machine refused, and what helps. */
static void add_given_up(struct strbuf *text, const struct capture *c, const struct capture_opts *o)
{
	if (c->traced) {
		strbuf_add(text, SPAN("kernel stacks"));
		if (*c->better)
			strbuf_addf(text, " (fix: %s)", c->better);
	}
	if (c->frequency) {
		separate(text);
		strbuf_add(text, SPAN("samples beyond "));
		number_add_count(text, (double)c->frequency, SPAN("Hz"));
		strbuf_addf(text, ": %s",
			    c->frequency == FREQUENCY_MAX
				    ? "sampling faster would take most of the CPU"
				    : "limited by sysctl kernel.perf_event_max_sample_rate");
	}
	/*
	 * Fewer missing samples are normal: the last, incomplete period of each thread has none, and CPU time is
	 * accounted in ticks.
	 */
	if (c->unseen > 0 && nr_missing(c, c->unseen) > FEW_SAMPLES) {
		separate(text);
		add_unseen(text, c, o);
	}
	if (c->switching > 0 && nr_missing(c, c->switching) > FEW_SAMPLES) {
		separate(text);
		strbuf_addf(
			text,
			"%.0f %% of the %s: time in context switches, which per-thread clocks do not sample (use %s)",
			c->switching * 100, c->share_of, wide_option());
	}
	if (c->unrecorded) {
		separate(text);
		add_time(text, c->unrecorded);
		strbuf_add(
			text,
			SPAN(" of CPU time that threads used while starting and exiting (not in the sum above)"));
	}
	if (c->nr_hidden && !c->wide) {
		separate(text);
		add_hidden(text, c);
	}
	if (c->nr_child || c->more_children) {
		separate(text);
		add_children(text, c);
	}
	if (c->no_waits) {
		separate(text);
		strbuf_addf(text, "waits (fix: %s)", c->better);
	}
	if (c->refused != BLOCKED_SEEN) {
		separate(text);
		strbuf_addf(text, "stacks of waits: %s", blocked_state_text(c->refused));
	}
	if (c->user_only) {
		separate(text);
		strbuf_add(text, SPAN("kernel stacks: not permitted"));
		if (c->kernel_time > SOME_KERNEL_NS) {
			strbuf_add(text, SPAN(", "));
			add_time(text, c->kernel_time);
			strbuf_add(text, SPAN(" of CPU time"));
		}
		strbuf_add(text,
			   SPAN(" (run as root, or `sudo sysctl kernel.perf_event_paranoid=1`)"));
	}
}

void record_print_missing(const struct capture *c, const struct capture_opts *o,
			  enum note_detail how)
{
	struct strbuf text = { 0 }, notes = { 0 };

	add_given_up(&text, c, o);
	add_notes_sum(&notes, &c->p, how);
	if (notes.size) {
		separate(&text);
		strbuf_add(&text, strbuf_peek(&notes));
	}
	if (hint_of_notes(&c->p) && !c->copied_most) {
		separate(&text);
		strbuf_add(&text, span_of(hint_of_notes(&c->p)));
	}
	message("missing: %s", text.size ? text.at : "nothing");
	strbuf_release(&text);
	strbuf_release(&notes);
}

void record_print_full(const struct capture *c, size_t memory, const char *picture,
		       const char *data, bool spilled)
{
	struct strbuf text = { 0 };
	bool is_file = strcmp(picture, "-") != 0;

	strbuf_add(&text, SPAN("distinct stacks exceed "));
	number_add_count(&text, (double)memory, SPAN("bytes"));
	strbuf_addf(&text, " (--memory): %s has the first ", is_file ? picture : "the picture");
	add_samples(&text, c->nr_kept);
	if (c->not_spilled.kind) {
		strbuf_add(&text, SPAN(", and the other "));
		add_samples(&text, c->nr_sample - c->nr_kept);
		strbuf_addf(&text, " are lost (%s)", c->not_spilled.text);
	} else if (spilled) {
		strbuf_addf(&text, ", %s the other ", data);
		add_samples(&text, c->nr_sample - c->nr_kept);
		strbuf_addf(&text, "; draw both with `wick flame %s %s -o all.svg`",
			    is_file ? picture : "PICTURE", data);
	} else {
		strbuf_addf(&text, ", %s all ", data);
		add_samples(&text, c->nr_sample);
		strbuf_addf(&text, "; draw them with `wick flame %s`", data);
	}
	message("%s", text.at);
	strbuf_release(&text);
}
