/* perf_event_attr of any size and byte order → struct attr. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "perf/event.h"

#include <time.h>

/* The size of the first version of perf_event_attr; later ones are larger. */
enum { ATTR_SIZE_MIN = 64 };

/* Bits of the attr's flags. */
enum {
	FLAG_INHERIT = 1,
	FLAG_EXCLUDE_USER = 4,
	FLAG_EXCLUDE_KERNEL = 5,
	FLAG_EXCLUDE_HV = 6,
	FLAG_FREQ = 10,
	FLAG_PRECISE = 15, /* two bits */
	FLAG_SAMPLE_ID_ALL = 18,
	FLAG_EXCLUDE_GUEST = 20,
	FLAG_EXCLUDE_CALLCHAIN_USER = 22,
	FLAG_USE_CLOCKID = 25,
	FLAG_CONTEXT_SWITCH = 26,
	FLAG_BUILD_ID = 34,
};

/* Compilers for big-endian machines allocate bit fields from the most significant bit. */
static bool flag(uint64_t flags, unsigned bit, enum byte_order order)
{
	return flags >> (order == ORDER_BIG ? 63 - bit : bit) & 1;
}

static void set_flags(struct attr *a, uint64_t flags, enum byte_order order)
{
	unsigned high = order == ORDER_BIG ? 0 : 1;

	a->inherit = flag(flags, FLAG_INHERIT, order);
	a->freq = flag(flags, FLAG_FREQ, order);
	a->sample_id_all = flag(flags, FLAG_SAMPLE_ID_ALL, order);
	a->exclude_user = flag(flags, FLAG_EXCLUDE_USER, order);
	a->exclude_kernel = flag(flags, FLAG_EXCLUDE_KERNEL, order);
	a->exclude_hv = flag(flags, FLAG_EXCLUDE_HV, order);
	a->exclude_guest = flag(flags, FLAG_EXCLUDE_GUEST, order);
	a->exclude_callchain_user = flag(flags, FLAG_EXCLUDE_CALLCHAIN_USER, order);
	a->build_id = flag(flags, FLAG_BUILD_ID, order);
	a->switches = flag(flags, FLAG_CONTEXT_SWITCH, order);
	a->monotonic = flag(flags, FLAG_USE_CLOCKID, order);
	a->precise = flag(flags, FLAG_PRECISE + high, order) * 2U +
		     flag(flags, FLAG_PRECISE + !high, order);
}

bool attr_parse(struct attr *a, struct span bytes, enum byte_order order)
{
	struct fields f = fields_over(bytes, order);

	*a = (struct attr){ 0 };
	if (bytes.size < ATTR_SIZE_MIN)
		return false;
	a->type = fields_u32(&f);
	fields_take(&f, 4); /* size: the caller knows it */
	a->config = fields_u64(&f);
	a->period = fields_u64(&f);
	a->sample_type = fields_u64(&f);
	a->read_format = fields_u64(&f);
	set_flags(a, fields_u64(&f), order);
	fields_take(&f, 24); /* wakeup_events, bp_type, config1, config2 */
	/* From here on, fields that an older kernel lacks read as 0. */
	a->branch_sample_type = fields_u64(&f);
	a->regs_user = fields_u64(&f);
	a->stack_user = fields_u32(&f);
	a->monotonic &= fields_u32(&f) == CLOCK_MONOTONIC;
	a->regs_intr = fields_u64(&f);
	return true;
}

static const char *const hardware[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software[] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
};

static void add_cache_name(struct strbuf *out, uint64_t config)
{
	static const char *const cache[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
					     "iTLB",	  "branch",    "node" };
	static const char *const op[] = { "load", "store", "prefetch" };
	uint64_t c = config & 0xff, o = config >> 8 & 0xff, miss = config >> 16 & 0xff;

	if (c >= ARRAY_SIZE(cache) || o >= ARRAY_SIZE(op) || miss > 1)
		strbuf_addf(out, "cache 0x%llx", (unsigned long long)config);
	else
		strbuf_addf(out, "%s-%s%s", cache[c], op[o],
			    miss	      ? "-misses"
			    : op[o][0] == 'p' ? "es"
					      : "s");
}

static void add_base_name(struct strbuf *out, const struct attr *a)
{
	unsigned long long config = a->config;

	if (a->type == PERF_TYPE_HARDWARE && config < ARRAY_SIZE(hardware))
		strbuf_add(out, span_of(hardware[config]));
	else if (a->type == PERF_TYPE_SOFTWARE && config < ARRAY_SIZE(software))
		strbuf_add(out, span_of(software[config]));
	else if (a->type == PERF_TYPE_HW_CACHE)
		add_cache_name(out, config);
	else if (a->type == PERF_TYPE_TRACEPOINT)
		strbuf_addf(out, "tracepoint %llu", config);
	else if (a->type == PERF_TYPE_BREAKPOINT)
		strbuf_addf(out, "breakpoint");
	else
		strbuf_addf(out, "raw 0x%llx", config);
}

void attr_name(struct strbuf *out, const struct attr *a)
{
	add_base_name(out, a);
	if (!a->exclude_user && !a->exclude_kernel && !a->precise)
		return;
	strbuf_addch(out, ':');
	if (a->exclude_user || a->exclude_kernel) {
		if (!a->exclude_user)
			strbuf_addch(out, 'u');
		if (!a->exclude_kernel)
			strbuf_addch(out, 'k');
	}
	for (unsigned i = 0; i < a->precise; i++)
		strbuf_addch(out, 'p');
}
