/* Events by the names that the kernel's own tools give them. */
#include "base/alloc.h"
#include "record/events.h"

#define HW(name) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##name
#define SW(name) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##name

static const struct event_name {
	const char *name;
	uint32_t type;
	uint64_t config;
	bool in_kernel; /* it happens only there */
} names[] = {
	{ "cycles", HW(CPU_CYCLES), false },
	{ "cpu-cycles", HW(CPU_CYCLES), false },
	{ "instructions", HW(INSTRUCTIONS), false },
	{ "cache-references", HW(CACHE_REFERENCES), false },
	{ "cache-misses", HW(CACHE_MISSES), false },
	{ "branches", HW(BRANCH_INSTRUCTIONS), false },
	{ "branch-instructions", HW(BRANCH_INSTRUCTIONS), false },
	{ "branch-misses", HW(BRANCH_MISSES), false },
	{ "bus-cycles", HW(BUS_CYCLES), false },
	{ "stalled-cycles-frontend", HW(STALLED_CYCLES_FRONTEND), false },
	{ "stalled-cycles-backend", HW(STALLED_CYCLES_BACKEND), false },
	{ "ref-cycles", HW(REF_CPU_CYCLES), false },
	{ "cpu-clock", SW(CPU_CLOCK), false },
	{ "task-clock", SW(TASK_CLOCK), false },
	{ "page-faults", SW(PAGE_FAULTS), false },
	{ "faults", SW(PAGE_FAULTS), false },
	{ "minor-faults", SW(PAGE_FAULTS_MIN), false },
	{ "major-faults", SW(PAGE_FAULTS_MAJ), false },
	{ "context-switches", SW(CONTEXT_SWITCHES), true },
	{ "cs", SW(CONTEXT_SWITCHES), true },
	{ "cpu-migrations", SW(CPU_MIGRATIONS), true },
	{ "migrations", SW(CPU_MIGRATIONS), true },
	{ "alignment-faults", SW(ALIGNMENT_FAULTS), false },
	{ "emulation-faults", SW(EMULATION_FAULTS), false },
	{ "cgroup-switches", SW(CGROUP_SWITCHES), true },
};

/* In the kernel's order. */
static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
				      "iTLB",	   "branch",	"node" };
static const char *const operations[] = { "load", "store", "prefetch" };

/* "L1-dcache-loads", "LLC-store-misses" */
static bool find_cache(struct span name, uint64_t *config)
{
	for (uint64_t c = 0; c < ARRAY_SIZE(caches); c++) {
		struct span rest = span_from(name, strlen(caches[c]));

		if (!span_starts(name, caches[c]) || !span_starts(rest, "-"))
			continue;
		rest = span_from(rest, 1);
		for (uint64_t o = 0; o < ARRAY_SIZE(operations); o++) {
			struct span what = span_from(rest, strlen(operations[o]));
			bool misses = span_is(what, "-misses");

			if (!span_starts(rest, operations[o]) ||
			    (!misses && !span_is(what, "s") && !span_is(what, "es")))
				continue;
			*config = c | o << 8 | (uint64_t)misses << 16;
			return true;
		}
	}
	return false;
}

bool event_find_name(struct span name, struct sampled *event)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (span_is(name, names[i].name)) {
			event->type = names[i].type;
			event->config = names[i].config;
			event->needs_kernel = names[i].in_kernel;
			return true;
		}
	if (find_cache(name, &event->config)) {
		event->type = PERF_TYPE_HW_CACHE;
		return true;
	}
	if (name.size > 1 && name.at[0] == 'r' && span_hex(span_from(name, 1), &event->config)) {
		event->type = PERF_TYPE_RAW;
		return true;
	}
	return false;
}

static void name_caches(events_sink *sink, void *arg)
{
	struct strbuf name = { 0 };

	for (uint64_t c = 0; c < ARRAY_SIZE(caches); c++)
		for (uint64_t o = 0; o < ARRAY_SIZE(operations); o++)
			for (uint64_t misses = 0; misses < 2; misses++) {
				struct sampled event = { .type = PERF_TYPE_HW_CACHE,
							 .config = c | o << 8 | misses << 16 };

				strbuf_reset(&name);
				event_name(&name, &event);
				sink(arg, "cache", name.at, &event);
			}
	strbuf_release(&name);
}

void event_names(events_sink *sink, void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct sampled event = { .type = names[i].type,
					 .config = names[i].config,
					 .no_kernel = !names[i].in_kernel };

		sink(arg, names[i].type == PERF_TYPE_HARDWARE ? "hardware" : "software",
		     names[i].name, &event);
	}
	name_caches(sink, arg);
}
