#include "cmd/record_tell.h"

#include "base/alloc.h"
#include "base/strbuf.h"
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

/* No samples are taken now: what will start them. */
static void add_waiting(struct strbuf *text, const struct session *s, uint64_t now)
{
	uint64_t begin = s->begin + s->delay;

	if (s->by_signal)
		strbuf_addf(text, "%s: `kill -USR2 %d` %s", s->nr_sample ? "paused" : "waiting",
			    (int)getpid(), s->nr_sample ? "goes on" : "begins");
	else
		strbuf_addf(text, "waiting: begins in %.1f s",
			    begin > now ? (double)(begin - now) / 1e9 : 0.0);
}

static void add_recording(struct strbuf *text, const struct record_line *l, const struct session *s,
			  uint64_t now)
{
	double rate = (double)(s->nr_sample - l->nr) * 1e9 / (double)(now - l->last);

	strbuf_addf(text, "recording for %.1f s: ", (double)(now - s->begin - s->delay) / 1e9);
	add_samples(text, s->nr_sample);
	strbuf_addf(text, ", %.0f a second", rate);
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
	strbuf_add(&text, SPAN(" (Ctrl-C ends it)"));
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

/* How often threads were stopped, and how long that took. */
static void add_traced(struct strbuf *text, const struct capture *c)
{
	unsigned rate = trace_rate(&c->trace, c->trace_frequency);
	/* A tenth less than was asked for is not worth a word. */
	bool slow = rate < c->trace_frequency / 10 * 9;

	strbuf_addf(
		text,
		": events are refused here, so threads that run were stopped (ptrace) %u times a second",
		slow ? rate : c->trace_frequency);
	if (slow)
		strbuf_addf(text, " (not %u)", c->trace_frequency);
	strbuf_addf(text, ", for less than %u µs", trace_typical(&c->trace));
}

/* When no samples were taken. */
static void add_pauses(struct strbuf *text, const struct capture_opts *o)
{
	if (o->by_signal)
		strbuf_add(text, SPAN(", by turns (SIGUSR2)"));
	if (!o->delay)
		return;
	strbuf_add(text, SPAN(", without the first "));
	number_add_count(text, (double)o->delay, SPAN("ns"));
}

/* The events that have samples, or those that have none, and how many they are. */
static size_t add_events(struct strbuf *text, const struct profile *p, const bool *has, bool wanted)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_event; i++) {
		struct span event = profile_peek(p, p->event[i].name);

		if (has[i] == wanted && nr++ < NAMED_MAX)
			strbuf_addf(text, "%s%.*s", nr > 1 ? ", " : "", (int)event.size, event.at);
	}
	if (nr > NAMED_MAX)
		strbuf_addf(text, " and %zu others", nr - NAMED_MAX);
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
		strbuf_addf(text, " (%zu more never happened)", nr_none);
	else if (nr_none)
		strbuf_addf(text, " (none of %s)", none.at);
	strbuf_release(&none);
	free(has);
}

void record_tell_samples(const struct capture *c, const struct capture_opts *o)
{
	struct strbuf text = { 0 };

	add_samples(&text, c->nr_sample);
	strbuf_add(&text, SPAN(" of "));
	add_all_events(&text, &c->p);
	strbuf_add(&text, SPAN(" in "));
	number_add_count(&text, (double)c->time, SPAN("ns"));
	add_pauses(&text, o);
	if (c->clock_only)
		strbuf_add(&text, SPAN(" (there is no counter of cycles here)"));
	if (c->traced)
		add_traced(&text, c);
	message("%s", text.at);
	strbuf_release(&text);
}

static void separate(struct strbuf *text)
{
	if (text->size)
		strbuf_add(text, SPAN("; "));
}

/* How much processor time no sample stands for, why, and what helps. */
static void add_unseen(struct strbuf *text, const struct capture *c, const struct capture_opts *o)
{
	const char *wide = geteuid() ? "`sudo wick record --wide …` meets all of both"
				     : "--wide meets all of both";

	strbuf_addf(text, "%.0f %% of the time, ", c->unseen * 100);
	if (c->traced) {
		/* A setuid program that is traced runs without its rights, and is seen.  --wide needs events. */
		strbuf_add(text, SPAN("in threads too short to be met"));
		if (c->trace_frequency < TRACE_FREQUENCY_MAX)
			strbuf_addf(text, ": -F %d meets more", TRACE_FREQUENCY_MAX);
		return;
	}
	/* At such a rate samples themselves take much of the time, and timers come late. */
	if (o->sampling.frequency > MANY_SAMPLES)
		strbuf_addf(text, "which so many samples a second do not tell of (-F %d does)",
			    MANY_SAMPLES);
	else if (o->wide)
		strbuf_add(
			text,
			SPAN("when something else ran whenever it was looked (-F with another number looks at other times)"));
	else
		strbuf_addf(
			text,
			"in threads too short to be met or programs with other rights (setuid): %s%s",
			o->sampling.frequency < MANY_SAMPLES ? "-F 20000 meets more threads, " : "",
			wide);
}

/* What the machine refused, and what helps. */
static void add_given_up(struct strbuf *text, const struct capture *c, const struct capture_opts *o)
{
	if (c->traced) {
		strbuf_add(text, SPAN("what was done in the kernel"));
		if (*c->better)
			strbuf_addf(text, " (better: %s)", c->better);
	}
	if (c->frequency) {
		separate(text);
		strbuf_addf(
			text,
			"more than %u samples a second: the kernel allows no more (sysctl kernel.perf_event_max_sample_rate)",
			c->frequency);
	}
	/* Each thread's last, begun period has no sample, and rusage counts in ticks: less is usual. */
	if (c->unseen > 0.25 && (double)c->nr_sample * c->unseen / (1 - c->unseen) > FEW_SAMPLES) {
		separate(text);
		add_unseen(text, c, o);
	}
	if (c->user_only) {
		separate(text);
		strbuf_add(
			text,
			SPAN("the kernel's part: only the program's own code may be recorded (both as root, or after `sudo sysctl kernel.perf_event_paranoid=1`)"));
	}
}

void record_tell_missing(const struct capture *c, const struct capture_opts *o, enum tell how)
{
	struct strbuf text = { 0 }, notes = { 0 };

	add_given_up(&text, c, o);
	tell_add_sum(&notes, &c->p, how);
	if (notes.size) {
		separate(&text);
		strbuf_add(&text, strbuf_peek(&notes));
	}
	if (tell_help(&c->p) && !c->copied_most) {
		separate(&text);
		strbuf_add(&text, span_of(tell_help(&c->p)));
	}
	message("missing: %s", text.size ? text.at : "nothing");
	strbuf_release(&text);
	strbuf_release(&notes);
}

void record_tell_full(const struct capture *c, size_t memory, const char *picture, const char *data,
		      bool spilled)
{
	struct strbuf text = { 0 };
	bool is_file = strcmp(picture, "-") != 0;

	strbuf_add(&text, SPAN("different stacks would take more than "));
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
		strbuf_addf(&text, "; `wick flame %s %s -o all.svg` draws both",
			    is_file ? picture : "PICTURE", data);
	} else {
		strbuf_addf(&text, ", %s all ", data);
		add_samples(&text, c->nr_sample);
		strbuf_addf(&text, "; `wick flame %s` draws them", data);
	}
	message("%s", text.at);
	strbuf_release(&text);
}
