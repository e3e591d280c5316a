/* Events by the names that the kernel's own tools give them. */
#include "base/alloc.h"
#include "record/events.h"

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
	{ "cycles", HW(CPU_CYCLES), false, "cycles of the processor while it works" },
	{ "cpu-cycles", HW(CPU_CYCLES), false, NULL },
	{ "instructions", HW(INSTRUCTIONS), false, "instructions that were carried out" },
	{ "cache-references", HW(CACHE_REFERENCES), false,
	  "reads and writes that reached the last cache" },
	{ "cache-misses", HW(CACHE_MISSES), false, "reads and writes that no cache had" },
	{ "branches", HW(BRANCH_INSTRUCTIONS), false, "jumps, calls and returns" },
	{ "branch-instructions", HW(BRANCH_INSTRUCTIONS), false, NULL },
	{ "branch-misses", HW(BRANCH_MISSES), false, "branches that were guessed wrong" },
	{ "bus-cycles", HW(BUS_CYCLES), false, "cycles of the bus to memory" },
	{ "stalled-cycles-frontend", HW(STALLED_CYCLES_FRONTEND), false,
	  "cycles without an instruction to begin" },
	{ "stalled-cycles-backend", HW(STALLED_CYCLES_BACKEND), false,
	  "cycles in which instructions waited" },
	{ "ref-cycles", HW(REF_CPU_CYCLES), false, "cycles of a clock whose pace never changes" },
	{ "cpu-clock", SW(CPU_CLOCK), false, "time on a processor" },
	{ "task-clock", SW(TASK_CLOCK), false, "time on a processor, by each task's own clock" },
	{ "page-faults", SW(PAGE_FAULTS), false, "pages that were not there when they were used" },
	{ "faults", SW(PAGE_FAULTS), false, NULL },
	{ "minor-faults", SW(PAGE_FAULTS_MIN), false, "page faults without reading from a disk" },
	{ "major-faults", SW(PAGE_FAULTS_MAJ), false, "page faults that read from a disk" },
	{ "context-switches", SW(CONTEXT_SWITCHES), true, "a task made place for another" },
	{ "cs", SW(CONTEXT_SWITCHES), true, NULL },
	{ "cpu-migrations", SW(CPU_MIGRATIONS), true, "a task went on on another processor" },
	{ "migrations", SW(CPU_MIGRATIONS), true, NULL },
	{ "alignment-faults", SW(ALIGNMENT_FAULTS), false,
	  "reads and writes that the kernel had to mend" },
	{ "emulation-faults", SW(EMULATION_FAULTS), false,
	  "instructions that the kernel had to play" },
	{ "cgroup-switches", SW(CGROUP_SWITCHES), true,
	  "a task made place for one of another group" },
};

/* Operations of a cache, as bits: bit o is the kernel's PERF_COUNT_HW_CACHE_OP_ number o. */
enum { LOAD = 1, STORE = 2, PREFETCH = 4 };

/* In the order of the kernel's PERF_COUNT_HW_CACHE_ numbers. */
static const struct cache {
	const char *name;
	unsigned operations; /* those that make sense for it */
	const char *about;
} caches[] = {
	{ "L1-dcache", LOAD | STORE | PREFETCH, "the first cache, for data" },
	{ "L1-icache", LOAD | PREFETCH, "the first cache, for instructions" },
	{ "LLC", LOAD | STORE | PREFETCH, "the last cache" },
	{ "dTLB", LOAD | STORE | PREFETCH, "addresses of data" },
	{ "iTLB", LOAD, "addresses of instructions" },
	{ "branch", LOAD, "where branches lead to" },
	{ "node", LOAD | STORE | PREFETCH, "memory that is near" },
};

static const struct operation {
	const char *all, *missing, *about;
} operations[] = {
	{ "loads", "load-misses", "reads" },
	{ "stores", "store-misses", "writes" },
	{ "prefetches", "prefetch-misses", "reads ahead" },
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

static bool tell_cache(void *arg, const struct cache *cache, const char *operation, uint64_t config)
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
	char same[64];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct event_name *n = &names[i];
		const char *about = n->about;

		if (!about)
			snprintf(same, sizeof(same), "another name of %s", names[i - 1].name);
		visit(arg,
		      &(struct event_row){ .kind = n->type == PERF_TYPE_HARDWARE ? EVENT_HARDWARE
										 : EVENT_SOFTWARE,
					   .name = n->name,
					   .about = about ? about : same,
					   .event = { .type = n->type,
						      .config = n->config,
						      .needs_kernel = n->in_kernel } });
	}
	caches_each(tell_cache, &(struct visitor){ visit, arg });
}
