/* Events by the names that the kernel's own tools give them. */
#include "base/alloc.h"
#include "perf/wait_record.h"
#include "record/perf_events/events.h"

#include <stdio.h>

#define HW(name) PERF_COUNT_HW_##name, PERF_TYPE_HARDWARE
#define SW(name) PERF_COUNT_SW_##name, PERF_TYPE_SOFTWARE

static const struct event_name {
	const char *name;
	uint64_t config;
	uint32_t type;
	bool in_kernel;	   /* it happens only in the kernel */
	const char *about; /* NULL: another name for the row above */
} names[] = {
	{ "cycles", HW(CPU_CYCLES), false, "CPU cycles" },
	{ "cpu-cycles", HW(CPU_CYCLES), false, NULL },
	{ "instructions", HW(INSTRUCTIONS), false, "retired instructions" },
	{ "cache-references", HW(CACHE_REFERENCES), false, "last-level cache accesses" },
	{ "cache-misses", HW(CACHE_MISSES), false, "last-level cache misses" },
	{ "branches", HW(BRANCH_INSTRUCTIONS), false, "branch instructions" },
	{ "branch-instructions", HW(BRANCH_INSTRUCTIONS), false, NULL },
	{ "branch-misses", HW(BRANCH_MISSES), false, "mispredicted branches" },
	{ "bus-cycles", HW(BUS_CYCLES), false, "bus cycles" },
	{ "stalled-cycles-frontend", HW(STALLED_CYCLES_FRONTEND), false,
	  "cycles stalled in the frontend (fetch and decode)" },
	{ "stalled-cycles-backend", HW(STALLED_CYCLES_BACKEND), false,
	  "cycles stalled in the backend (execution and memory)" },
	{ "ref-cycles", HW(REF_CPU_CYCLES), false, "CPU cycles at a constant reference frequency" },
	{ "cpu-clock", SW(CPU_CLOCK), false, "CPU time" },
	{ "task-clock", SW(TASK_CLOCK), false, "CPU time, measured per task" },
	{ "page-faults", SW(PAGE_FAULTS), false, "page faults" },
	{ "faults", SW(PAGE_FAULTS), false, NULL },
	{ "minor-faults", SW(PAGE_FAULTS_MIN), false, "page faults without disk access" },
	{ "major-faults", SW(PAGE_FAULTS_MAJ), false, "page faults that read from disk" },
	{ "context-switches", SW(CONTEXT_SWITCHES), true, "context switches" },
	{ "cs", SW(CONTEXT_SWITCHES), true, NULL },
	{ "cpu-migrations", SW(CPU_MIGRATIONS), true, "migrations to another CPU" },
	{ "migrations", SW(CPU_MIGRATIONS), true, NULL },
	{ "alignment-faults", SW(ALIGNMENT_FAULTS), false,
	  "unaligned accesses handled by the kernel" },
	{ "emulation-faults", SW(EMULATION_FAULTS), false, "instructions emulated by the kernel" },
	{ "cgroup-switches", SW(CGROUP_SWITCHES), true, "context switches to another cgroup" },
};

/* Operations of a cache, as bits: bit o is the kernel's PERF_COUNT_HW_CACHE_OP_ number o. */
enum { LOAD = 1, STORE = 2, PREFETCH = 4 };

/* In the order of the kernel's PERF_COUNT_HW_CACHE_ numbers. */
static const struct cache {
	const char *name;
	unsigned operations; /* those that make sense for it */
	const char *about;
} caches[] = {
	{ "L1-dcache", LOAD | STORE | PREFETCH, "L1 data cache" },
	{ "L1-icache", LOAD | PREFETCH, "L1 instruction cache" },
	{ "LLC", LOAD | STORE | PREFETCH, "last-level cache" },
	{ "dTLB", LOAD | STORE | PREFETCH, "data TLB" },
	{ "iTLB", LOAD, "instruction TLB" },
	{ "branch", LOAD, "branch predictor" },
	{ "node", LOAD | STORE | PREFETCH, "local NUMA memory" },
};

static const struct operation {
	const char *all, *missing, *about;
} operations[] = {
	{ "loads", "load-misses", "loads" },
	{ "stores", "store-misses", "stores" },
	{ "prefetches", "prefetch-misses", "prefetches" },
};

typedef bool cache_visit(void *arg, const struct cache *cache, const char *operation,
			 uint64_t config);

/*
 * All events of caches, until one visit returns true.  The kernel's config of such an event is
 * cache | operation << 8 | result << 16, where result 0 is all accesses, and 1 those that missed.
 */
static bool caches_each(cache_visit *visit, void *arg)
{
	for (uint64_t c = 0; c < ARRAY_SIZE(caches); c++)
		for (uint64_t o = 0; o < ARRAY_SIZE(operations); o++) {
			uint64_t config = c | o << 8;

			if (!(caches[c].operations & 1U << o))
				continue;
			if (visit(arg, &caches[c], operations[o].all, config) ||
			    visit(arg, &caches[c], operations[o].missing, config | 1 << 16))
				return true;
		}
	return false;
}

struct cache_search {
	struct span name;
	uint64_t config;
};

/* "L1-dcache-loads", "LLC-store-misses" */
static bool is_cache(void *arg, const struct cache *cache, const char *operation, uint64_t config)
{
	struct cache_search *search = arg;
	size_t size = strlen(cache->name);

	if (!span_starts(search->name, cache->name) ||
	    !span_starts(span_from(search->name, size), "-") ||
	    !span_is(span_from(search->name, size + 1), operation))
		return false;
	search->config = config;
	return true;
}

static bool find_cache(struct span name, uint64_t *config)
{
	struct cache_search search = { .name = name };
	bool found = caches_each(is_cache, &search);

	if (found)
		*config = search.config;
	return found;
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

struct visitor {
	event_visit *visit;
	void *arg;
};

static bool visit_cache(void *arg, const struct cache *cache, const char *operation,
			uint64_t config)
{
	const struct visitor *v = arg;
	char name[64], about[128];

	snprintf(name, sizeof(name), "%s-%s", cache->name, operation);
	snprintf(about, sizeof(about), "%s: %s%s", cache->about,
		 operations[config >> 8 & 0xff].about, config >> 16 ? " that missed" : "");
	v->visit(v->arg,
		 &(struct event_row){ .kind = EVENT_CACHE,
				      .name = name,
				      .about = about,
				      .event = { .type = PERF_TYPE_HW_CACHE, .config = config } });
	return false;
}

void event_names_each(event_visit *visit, void *arg)
{
	static const struct event_row times[] = {
		{ .kind = EVENT_TIME,
		  .name = CPU_TIME,
		  .about = "time on CPU: cycles, or cpu-clock without such a counter" },
		{ .kind = EVENT_TIME,
		  .name = OFF_CPU,
		  .about = "time off CPU: where and why threads wait" },
	};
	char same[64];

	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		visit(arg, &times[i]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct event_name *n = &names[i];
		const char *about = n->about;

		if (!about)
			snprintf(same, sizeof(same), "alias of %s", names[i - 1].name);
		visit(arg,
		      &(struct event_row){ .kind = n->type == PERF_TYPE_HARDWARE ? EVENT_HARDWARE
										 : EVENT_SOFTWARE,
					   .name = n->name,
					   .about = about ? about : same,
					   .event = { .type = n->type,
						      .config = n->config,
						      .needs_kernel = n->in_kernel } });
	}
	caches_each(visit_cache, &(struct visitor){ visit, arg });
}
