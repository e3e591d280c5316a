#include "read/perf_script/script_facts.h"

#include "base/alloc.h"

/* perf's name of a fact, and wick's key for it, which is the same for all formats. */
static const struct {
	const char *written, *key;
} facts[] = {
	{ "captured on", "captured" }, { "hostname", "host" },
	{ "os release", "kernel" },    { "arch", "arch" },
	{ "cpudesc", "cpu" },	       { "nrcpus online", "cpus" },
	{ "cmdline", "command" },      { "perf version", "perf" },
};

/* "# os release : 6.1.0" */
static void split_fact(struct span line, struct span *name, struct span *value)
{
	struct span rest = span_from(line, 1);
	size_t colon = span_find(rest, ':');

	*name = span_trim(span_upto(rest, colon));
	*value = span_trim(span_from(rest, colon + 1));
}

void perf_facts(struct profile *p, struct span head)
{
	while (span_starts(head, "#")) {
		struct span name, value;

		split_fact(span_line(&head), &name, &value);
		for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
			if (value.size && span_is(name, facts[i].written))
				profile_inform(p, span_of(facts[i].key), value);
	}
}

void perf_facts_sources(struct profile *p, struct span head)
{
	while (span_starts(head, "#")) {
		struct span name, value;

		split_fact(span_line(&head), &name, &value);
		for (size_t i = 0; i < p->nr_event && span_is(name, "measured event"); i++)
			if (span_eq(profile_peek(p, p->event[i].name), value))
				p->event[i].source = SOURCE_MEASURED;
	}
}
