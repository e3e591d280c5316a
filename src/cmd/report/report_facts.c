#include "cmd/report/report_facts.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/legible.h"
#include "base/utf8.h"
#include "fold/sums.h"
#include "render/number.h"

static weight_sum weight_of(const struct report *r, const struct count *c)
{
	return r->c->samples ? (weight_sum)c->nr : tree_weight(r->p, c->event, c->weight, r->scale);
}

void report_facts_find(struct report *r)
{
	const struct profile *p = r->p;

	r->unit = chosen_unit(p, r->c);
	r->scale = r->c->samples ? 0 : tree_scale(p, r->in);
	for (size_t i = 0; i < p->nr_count; i++) {
		const struct count *c = &p->count[i];

		if (!r->in[c->event])
			continue;
		r->nr_sample += c->nr;
		r->all += weight_of(r, c);
		if (!p->frame[p->stack[c->stack.i].frame.i].nr_line)
			r->unnamed += weight_of(r, c);
	}
}

double report_share(const struct report *r, weight_sum sum)
{
	return r->all > 0 ? (double)sum / (double)r->all : 0;
}

void report_add_percent(struct strbuf *out, double share)
{
	strbuf_addf(out, "%.2f %%", 100 * share);
}

void report_write_more(const struct report *r, size_t nr, struct strbuf *out)
{
	if (r->most && nr > r->most)
		strbuf_addf(out, "%sand %zu more (-n 0 shows all)\n",
			    r->format == REPORT_MARKDOWN ? "\n" : "", nr - r->most);
}

/* Facts */

/* Is the number of lost samples known?  Only in recordings of the kernel's records. */
static bool knows_lost(const struct report *r)
{
	return r->p->notes.count[NOTE_LOST] || r->counts_lost;
}

static void add_events(const struct report *r, struct strbuf *out)
{
	const struct profile *p = r->p;
	const char *between = "";

	for (size_t i = 0; i < p->nr_event; i++) {
		if (!r->in[i])
			continue;
		strbuf_add(out, span_of(between));
		strbuf_add(out, profile_peek(p, p->event[i].name));
		between = ", ";
	}
}

/* "1,234 samples, 56 of them lost while recording" */
static void add_amount(const struct report *r, struct strbuf *out)
{
	if (!span_is(r->unit, "samples")) {
		number_add_count(out, sum_value(r->all, r->scale), r->unit);
		strbuf_add(out, SPAN(" in "));
	}
	number_add_count(out, (double)r->nr_sample, SPAN("samples"));
}

static void add_lost(const struct report *r, struct strbuf *out)
{
	if (knows_lost(r))
		number_add_count(out, (double)r->p->notes.count[NOTE_LOST], SPAN("samples"));
}

static void add_unnamed(const struct report *r, struct strbuf *out)
{
	number_add_share(out, report_share(r, r->unnamed));
}

enum { KEY_WIDTH = 11 };

/* The value, truncated to the terminal's width. */
static void add_value(const struct report *r, struct span value, struct strbuf *out)
{
	bool cuts = r->format == REPORT_TEXT && r->term.width;
	size_t room = cuts ? r->term.width - KEY_WIDTH - 1 : SIZE_MAX;
	struct strbuf shown = { 0 };

	legible_add(&shown, value);
	value = strbuf_peek(&shown);
	if (utf8_length(value) <= room) {
		strbuf_add(out, value);
	} else {
		strbuf_add(out, span_upto(value, utf8_bytes(value, room - 1)));
		strbuf_add(out, SPAN("…"));
	}
	strbuf_release(&shown);
}

static void write_fact(const struct report *r, const char *key, struct span value,
		       struct strbuf *out)
{
	struct strbuf shown = { 0 };

	if (!value.size)
		return;
	if (r->format == REPORT_MARKDOWN)
		strbuf_addf(&shown, "- %s: ", key);
	else
		strbuf_addf(&shown, "%-*s ", KEY_WIDTH, key);
	term_add(out, &r->term, STYLE_DIM, strbuf_peek(&shown));
	add_value(r, value, out);
	strbuf_addch(out, '\n');
	strbuf_release(&shown);
}

/* Facts of the profile that are shown. */
static const char *const known[] = { "command", "captured", "input" };

static void write_text(const struct report *r, struct strbuf *out)
{
	static const struct {
		const char *key;
		void (*add)(const struct report *r, struct strbuf *out);
	} facts[] = {
		{ "event", add_events },
		{ "recorded", add_amount },
		{ "lost", add_lost },
		{ "unresolved", add_unnamed },
	};
	const struct profile *p = r->p;
	struct strbuf value = { 0 };

	for (size_t k = 0; k < ARRAY_SIZE(known); k++)
		for (size_t i = 0; i < p->nr_info; i++)
			if (span_is(profile_peek(p, p->info[i].key), known[k]))
				write_fact(r, known[k], profile_peek(p, p->info[i].value), out);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		strbuf_reset(&value);
		facts[i].add(r, &value);
		write_fact(r, facts[i].key, strbuf_peek(&value), out);
	}
	strbuf_addch(out, '\n');
	strbuf_release(&value);
}

/* JSON */

/* All values of a key: there may be several. */
static void write_values(const struct profile *p, const char *key, struct strbuf *out)
{
	const char *between = "";

	strbuf_addf(out, "    \"%s\": [", key);
	for (size_t i = 0; i < p->nr_info; i++) {
		if (!span_is(profile_peek(p, p->info[i].key), key))
			continue;
		strbuf_add(out, span_of(between));
		json_add_string(out, profile_peek(p, p->info[i].value));
		between = ", ";
	}
	strbuf_add(out, SPAN("],\n"));
}

static void write_json(const struct report *r, struct strbuf *out)
{
	const struct profile *p = r->p;
	const char *between = "";

	strbuf_add(out, SPAN("  \"summary\": {\n"));
	for (size_t k = 0; k < ARRAY_SIZE(known); k++)
		write_values(p, known[k], out);
	strbuf_add(out, SPAN("    \"event\": ["));
	for (size_t i = 0; i < p->nr_event; i++) {
		if (!r->in[i])
			continue;
		strbuf_add(out, span_of(between));
		json_add_string(out, profile_peek(p, p->event[i].name));
		between = ", ";
	}
	strbuf_add(out, SPAN("],\n    \"unit\": "));
	json_add_string(out, r->unit);
	strbuf_add(out, SPAN(",\n    \"total\": "));
	sum_add_digits(out, r->all, r->scale);
	strbuf_addf(out,
		    ",\n    \"samples\": %llu,\n    \"lost\": ", (unsigned long long)r->nr_sample);
	if (knows_lost(r))
		strbuf_addf(out, "%llu", (unsigned long long)p->notes.count[NOTE_LOST]);
	else
		strbuf_add(out, SPAN("null"));
	strbuf_add(out, SPAN(",\n    \"unnamed\": "));
	sum_add_digits(out, r->unnamed, r->scale);
	strbuf_add(out, SPAN("\n  },\n"));
}

void report_facts_write(const struct report *r, struct strbuf *out)
{
	if (r->format == REPORT_JSON)
		write_json(r, out);
	else
		write_text(r, out);
}
