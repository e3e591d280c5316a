#include "read/perf_script/script_facts.h"

#include "base/alloc.h"

/* What perf calls it, and what every format calls it here. */
static const struct {
	const char *written, *key;
} facts[] = {
	{ "captured on", "captured" }, { "hostname", "host" },
	{ "os release", "kernel" },    { "arch", "arch" },
	{ "cpudesc", "cpu" },	       { "nrcpus online", "cpus" },
	{ "cmdline", "command" },      { "perf version", "perf" },
};

/* "# os release : 6.1.0" */
static void add_fact(struct profile *p, struct span line)
{
	struct span rest = span_from(line, 1), name = span_upto(rest, span_find(rest, ':'));
	struct span value = span_trim(span_from(rest, name.size + 1));

	name = span_trim(name);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		if (value.size && span_is(name, facts[i].written))
			profile_inform(p, span_of(facts[i].key), value);
}

void perf_facts(struct profile *p, struct span head)
{
	while (span_starts(head, "#"))
		add_fact(p, span_line(&head));
}
