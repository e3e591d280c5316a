#include "cmd/record_tell.h"

#include "base/strbuf.h"
#include "cli/messages.h"
#include "render/number.h"

#include <stdio.h>
#include <unistd.h>

static void add_samples(struct strbuf *text, uint64_t nr)
{
	number_add_count(text, (double)nr, nr == 1 ? SPAN("sample") : SPAN("samples"));
}

void record_line_show(void *line, const struct session *s)
{
	enum { EVERY_NS = 200000000 };
	struct record_line *l = line;
	struct strbuf text = { 0 };
	uint64_t now;
	double rate;

	if (!l->on)
		return;
	now = session_now();
	if (!l->last)
		l->last = now;
	if (now - l->last < EVERY_NS)
		return;
	rate = (double)(s->nr_sample - l->nr) * 1e9 / (double)(now - l->last);
	l->last = now;
	l->nr = s->nr_sample;
	l->shown = true;
	strbuf_addf(&text, "recording for %.1f s: ", (double)(now - s->begin) / 1e9);
	add_samples(&text, s->nr_sample);
	strbuf_addf(&text, ", %.0f a second", rate);
	if (s->nr_lost)
		strbuf_addf(&text, ", %llu lost", (unsigned long long)s->nr_lost);
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

/* What was done without events, and what that cost. */
static void add_traced(struct strbuf *text, const struct capture *c)
{
	unsigned rate = trace_rate(&c->trace, c->trace_frequency);
	/* A tenth is nobody's concern. */
	bool slow = rate < c->trace_frequency / 10 * 9;

	strbuf_addf(
		text,
		": events are refused here, so threads that run were stopped (ptrace) %u times a second",
		slow ? rate : c->trace_frequency);
	if (slow)
		strbuf_addf(text, " (not %u)", c->trace_frequency);
	strbuf_addf(text, ", for less than %u µs", trace_typical(&c->trace));
}

void record_tell_samples(const struct capture *c)
{
	struct strbuf text = { 0 };

	add_samples(&text, c->nr_sample);
	strbuf_add(&text, SPAN(" of "));
	for (size_t i = 0; i < c->p.nr_event; i++) {
		struct span event = profile_peek(&c->p, c->p.event[i].name);

		strbuf_addf(&text, "%s%.*s", i ? ", " : "", (int)event.size, event.at);
	}
	strbuf_add(&text, SPAN(" in "));
	number_add_count(&text, (double)c->time, SPAN("ns"));
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

/* What the machine refused, and what helps. */
static void add_given_up(struct strbuf *text, const struct capture *c)
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
	/* Half a sample is always missing, and time itself is counted by ticks. */
	if (c->unseen > 0.25 && (double)c->nr_sample * c->unseen / (1 - c->unseen) > 20) {
		separate(text);
		strbuf_addf(
			text,
			"%.0f %% of the time, in threads too short to be met or programs with other rights (setuid): -F 20000 meets more threads%s",
			c->unseen * 100, geteuid() ? "" : ", --wide all of both");
	}
	if (c->user_only) {
		separate(text);
		strbuf_add(
			text,
			SPAN("the kernel's part: only the program's own code may be recorded (both as root, or after `sudo sysctl kernel.perf_event_paranoid=1`)"));
	}
}

void record_tell_missing(const struct capture *c, enum tell how)
{
	struct strbuf text = { 0 }, notes = { 0 };

	add_given_up(&text, c);
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

/* Why is there nothing? */
static const char *reason(const struct capture *c, const struct capture_opts *o)
{
	if (o->delay && c->time <= o->delay)
		return "all was over before --delay was";
	if (o->by_signal)
		return "no SIGUSR2 began it, or nothing ran until the next";
	if (c->expected > 20)
		return "what ran were threads too short to be met, or a program with other rights than its user's (setuid)";
	if (c->user_only)
		return "its own code hardly ran, and the kernel's may not be recorded";
	return "what was recorded hardly ran";
}

int record_nothing(const struct capture *c, const struct capture_opts *o, bool can_repeat,
		   struct error *e)
{
	struct strbuf text = { 0 };

	number_add_count(&text, (double)c->time, SPAN("ns"));
	error_set(e, ERROR_INPUT, "no samples in %s: %s; nothing was written", text.at,
		  reason(c, o));
	strbuf_release(&text);
	if (o->delay || o->by_signal)
		return -1;
	if (c->expected > 20)
		return error_hint(
			e, "`%swick record --wide %s%s` meets both%s", geteuid() ? "sudo " : "",
			o->command[0], o->command[1] ? " …" : "",
			geteuid() ? "; -F 20000 meets threads that are not quite as short" : "");
	return error_hint(e, "-F 20000 takes more samples a second%s",
			  can_repeat && o->sampling.on_exec ? ", --runs 100 repeats a short command"
							    : "");
}
