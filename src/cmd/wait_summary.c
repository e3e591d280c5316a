#include "cmd/wait_summary.h"

#include "fold/sums.h"
#include "read/perf_script/script_header.h"
#include "render/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FACT_ELAPSED  "elapsed"
#define FACT_RECORDED "waits recorded"
#define FACT_RUNNING  "CPU time"
#define FACT_THREADS  "threads"

uint64_t wait_sums_blocked(const struct wait_sums *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < NR_WAIT_REASONS; i++)
		sum += i == WAIT_CPU ? 0 : s->off[i];
	return sum;
}

static void add_time(struct strbuf *text, uint64_t ns)
{
	number_add_count(text, (double)ns, SPAN("ns"));
}

/* " (4.2 s lock, 1.7 s disk)": the largest first, without those of 1 % or less. */
static void add_reasons(struct strbuf *text, const struct wait_sums *s)
{
	const double little = 0.01;
	uint64_t all = wait_sums_blocked(s), left[NR_WAIT_REASONS];
	bool any = false;

	memcpy(left, s->off, sizeof(left));
	left[WAIT_CPU] = 0;
	for (;;) {
		size_t most = 0;

		for (size_t i = 0; i < NR_WAIT_REASONS; i++)
			if (left[i] > left[most])
				most = i;
		if ((double)left[most] <= (double)all * little)
			break;
		strbuf_add(text, any ? SPAN(", ") : SPAN(" ("));
		add_time(text, left[most]);
		strbuf_addf(text, " %s", wait_reason_name((enum wait_reason)most));
		left[most] = 0;
		any = true;
	}
	strbuf_add(text, any ? SPAN(")") : SPAN(""));
}

/* "10.0 s, 8 threads: " */
static void add_scope(struct strbuf *text, const struct wait_summary *s)
{
	if (!s->elapsed)
		return;
	/* Waits were not recorded from the beginning, or with pauses. */
	if (s->recorded < s->elapsed - s->elapsed / 100) {
		add_time(text, s->recorded);
		strbuf_add(text, SPAN(" of "));
	}
	add_time(text, s->elapsed);
	if (s->sums.nr_thread > 1) {
		strbuf_add(text, SPAN(", "));
		number_add_count(text, (double)s->sums.nr_thread, SPAN("threads"));
	}
	strbuf_add(text, SPAN(": "));
}

void wait_summary_add(struct strbuf *text, const struct wait_summary *s)
{
	add_scope(text, s);
	if (s->knows_running) {
		add_time(text, s->sums.running);
		strbuf_add(text, SPAN(" CPU, "));
	}
	add_time(text, wait_sums_blocked(&s->sums));
	strbuf_add(text, SPAN(" waiting"));
	add_reasons(text, &s->sums);
	strbuf_add(text, SPAN(", "));
	add_time(text, s->sums.off[WAIT_CPU]);
	strbuf_add(text, SPAN(" waiting for a CPU"));
}

/* Facts, which the page shows, too */

static void inform_seconds(struct profile *p, const char *key, uint64_t ns)
{
	struct strbuf value = { 0 };

	strbuf_addf(&value, "%.6f s", (double)ns / 1e9);
	profile_inform(p, span_of(key), strbuf_peek(&value));
	strbuf_release(&value);
}

void wait_summary_inform(struct profile *p, const struct wait_summary *s)
{
	struct strbuf nr = { 0 };

	if (!s->sums.nr_thread)
		return;
	inform_seconds(p, FACT_ELAPSED, s->elapsed);
	if (s->recorded < s->elapsed)
		inform_seconds(p, FACT_RECORDED, s->recorded);
	inform_seconds(p, FACT_RUNNING, s->sums.running);
	strbuf_addf(&nr, "%llu", (unsigned long long)s->sums.nr_thread);
	profile_inform(p, SPAN(FACT_THREADS), strbuf_peek(&nr));
	strbuf_release(&nr);
}

/* The number that a fact begins with; -1: there is none, or several inputs have the fact. */
static double find_fact(const struct profile *p, const char *key)
{
	const double most = 1e10;
	double value, found = -1;

	for (size_t i = 0; i < p->nr_info; i++) {
		struct span text = profile_peek(p, p->info[i].value);

		if (!span_is(profile_peek(p, p->info[i].key), key))
			continue;
		if (found >= 0 || !span_double(span_word(&text), &value) ||
		    !(value >= 0 && value < most))
			return -1;
		found = value;
	}
	return found;
}

static bool find_ns(const struct profile *p, const char *key, uint64_t *ns)
{
	double seconds = find_fact(p, key);

	if (seconds < 0)
		return false;
	*ns = (uint64_t)llround(seconds * 1e9);
	return true;
}

static enum wait_reason reason_of(const struct profile *p, const struct count *c)
{
	struct span name = profile_peek(p, sum_label(p, c->labels, "reason"));

	for (unsigned i = 0; i < NR_WAIT_REASONS; i++)
		if (span_is(name, wait_reason_name((enum wait_reason)i)))
			return (enum wait_reason)i;
	return WAIT_OTHER;
}

bool wait_summary_find(struct wait_summary *s, const struct profile *p)
{
	double nr_thread = find_fact(p, FACT_THREADS);
	bool any = false;

	*s = (struct wait_summary){ 0 };
	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];
		struct span name = profile_peek(p, p->event[c->event].name);

		if (!span_is(profile_peek(p, p->event[c->event].unit), "ns") || c->weight <= 0 ||
		    p->event[c->event].scale)
			continue;
		if (span_is(name, OFF_CPU)) {
			s->sums.off[reason_of(p, c)] += (uint64_t)c->weight;
			any = true;
		} else if (perf_event_is_clock(name) || span_is(name, UNSAMPLED)) {
			s->sums.running += (uint64_t)c->weight;
			s->knows_running = true;
		}
	}
	if (find_ns(p, FACT_RUNNING, &s->sums.running))
		s->knows_running = true;
	if (find_ns(p, FACT_ELAPSED, &s->elapsed) && !find_ns(p, FACT_RECORDED, &s->recorded))
		s->recorded = s->elapsed;
	s->sums.nr_thread = nr_thread > 0 ? (uint64_t)nr_thread : 0;
	return any;
}
