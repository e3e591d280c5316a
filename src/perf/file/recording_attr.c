/* The perf_event_attr of an event after its stacks were unwound. */
#include "perf/file/recording.h"

/* Offsets in perf_event_attr, which is shorter for older kernels. */
enum {
	AT_SIZE = 4,
	AT_SAMPLE_TYPE = 24,
	AT_FLAGS = 40,
	AT_BRANCH_SAMPLE_TYPE = 72,
	AT_REGS_USER = 80,
	AT_STACK_USER = 88,
	AT_AUX_SAMPLE_SIZE = 112,
};

enum { FLAG_EXCLUDE_CALLCHAIN_USER = 22, FLAG_DEFER_CALLCHAIN = 38 };

uint64_t attr_finished_type(const struct attr *a)
{
	const uint64_t copies = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_AUX;
	uint64_t type = a->sample_type & ~copies;

	if (a->sample_type & PERF_SAMPLE_STACK_USER)
		type |= PERF_SAMPLE_CALLCHAIN;
	/* A call stack from the CPU (LBR) is part of the call chain by now. */
	if (type & PERF_SAMPLE_BRANCH_STACK && type & PERF_SAMPLE_CALLCHAIN &&
	    a->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)
		type &= ~(uint64_t)PERF_SAMPLE_BRANCH_STACK;
	return type;
}

static uint64_t flag(unsigned bit, enum byte_order order)
{
	return UINT64_C(1) << (order == ORDER_BIG ? 63 - bit : bit);
}

static void zero(char *to, size_t size, size_t at, size_t field)
{
	if (size >= at + field)
		memset(to + at, 0, field);
}

void attr_finish(struct span from, char *to, enum byte_order order)
{
	uint64_t flags = load_u64(from.at + AT_FLAGS, order);
	uint64_t type;
	struct attr a;

	attr_parse(&a, from, order);
	type = attr_finished_type(&a);
	memcpy(to, from.at, from.size);
	store_u64(to + AT_SAMPLE_TYPE, type, order);
	if (type & PERF_SAMPLE_CALLCHAIN)
		flags &= ~(flag(FLAG_EXCLUDE_CALLCHAIN_USER, order) |
			   flag(FLAG_DEFER_CALLCHAIN, order));
	store_u64(to + AT_FLAGS, flags, order);
	zero(to, from.size, AT_REGS_USER, 8);
	zero(to, from.size, AT_STACK_USER, 4);
	zero(to, from.size, AT_AUX_SAMPLE_SIZE, 4);
	if (!(type & PERF_SAMPLE_BRANCH_STACK))
		zero(to, from.size, AT_BRANCH_SAMPLE_TYPE, 8);
}
