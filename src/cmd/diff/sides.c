#include "cmd/diff/sides.h"

#include "fold/changes.h"

#define BEFORE "before: "
#define AFTER  "after: "

void sides_mark(struct profile *p, struct span side)
{
	struct strbuf key = { 0 };

	for (size_t i = 0; i < p->nr_info; i++) {
		strbuf_reset(&key);
		strbuf_add(&key, side);
		strbuf_add(&key, SPAN(": "));
		strbuf_add(&key, profile_peek(p, p->info[i].key));
		p->info[i].key = profile_string(p, strbuf_peek(&key));
	}
	strbuf_release(&key);
}

/* The index of the fact of `after` that equals this one of `before`, or nr_info. */
static size_t find_twin(const struct profile *p, const struct info *before)
{
	struct span key = profile_peek(p, before->key);
	size_t i = 0;

	if (!span_starts(key, BEFORE))
		return p->nr_info;
	key = span_from(key, strlen(BEFORE));
	for (; i < p->nr_info; i++) {
		struct span other = profile_peek(p, p->info[i].key);

		if (p->info[i].value.i == before->value.i && span_starts(other, AFTER) &&
		    span_eq(span_from(other, strlen(AFTER)), key))
			break;
	}
	return i;
}

static void remove_fact(struct profile *p, size_t at)
{
	p->nr_info--;
	memmove(&p->info[at], &p->info[at + 1], (p->nr_info - at) * sizeof(*p->info));
}

static bool has_fact(const struct profile *p, const char *key)
{
	for (size_t i = 0; i < p->nr_info; i++)
		if (span_is(profile_peek(p, p->info[i].key), key))
			return true;
	return false;
}

/* To be called after joining: an event that is left on one side has no twin on the other. */
static bool events_differ(const struct profile *p, bool named)
{
	return named && (has_fact(p, BEFORE EVENT_FACT) || has_fact(p, AFTER EVENT_FACT));
}

bool sides_join(struct profile *p)
{
	bool named = has_fact(p, BEFORE EVENT_FACT) && has_fact(p, AFTER EVENT_FACT);
	struct strbuf key = { 0 };

	for (size_t i = 0; i < p->nr_info; i++) {
		size_t twin = find_twin(p, &p->info[i]);

		if (twin == p->nr_info)
			continue;
		/* profile_string() may move the strings, so the key is copied first. */
		strbuf_reset(&key);
		strbuf_add(&key, span_from(profile_peek(p, p->info[i].key), strlen(BEFORE)));
		p->info[i].key = profile_string(p, strbuf_peek(&key));
		remove_fact(p, twin);
	}
	strbuf_release(&key);
	return events_differ(p, named);
}

/* The facts with a key of one side, or of both: "per thread and per CPU". */
static void list_values(const struct profile *p, const char *key, const char *both,
			struct strbuf *out)
{
	const char *before = "";

	for (size_t i = 0; i < p->nr_info; i++) {
		struct span own = profile_peek(p, p->info[i].key);

		if (!span_is(own, key) && !span_is(own, both))
			continue;
		strbuf_add(out, span_of(before));
		strbuf_add(out, profile_peek(p, p->info[i].value));
		before = " and ";
	}
}

void sides_list_events(const struct profile *p, struct strbuf *out)
{
	strbuf_add(out, SPAN("before has "));
	list_values(p, BEFORE EVENT_FACT, EVENT_FACT, out);
	strbuf_add(out, SPAN(", after has "));
	list_values(p, AFTER EVENT_FACT, EVENT_FACT, out);
}

bool sides_list_sampling(const struct profile *p, struct strbuf *out)
{
	bool differ;
	double missed = 100 * changes_missed(p, &differ);

	if (differ) {
		strbuf_add(out, SPAN("before was sampled "));
		list_values(p, BEFORE FACT_SAMPLING, FACT_SAMPLING, out);
		strbuf_add(out, SPAN(", after "));
		list_values(p, AFTER FACT_SAMPLING, FACT_SAMPLING, out);
		strbuf_add(out, SPAN("; "));
	}
	if (missed > 0)
		strbuf_addf(out,
			    "up to %.0f %% of the samples are missing, which may be any function: "
			    "smaller changes are not significant",
			    missed);
	return missed > 0;
}
