/* Fills in perf_event_attr. */
#include "record/perf_events/sampler.h"

#include <time.h>

/* The registers that unwind rows use, as a mask of the kernel's perf_regs numbers. */
#if defined(__x86_64__)
/* ax bx cx dx si di bp sp ip, r8 to r15 */
#define REGISTERS	  UINT64_C(0xff01ff)
#define REGISTERS_BLOCKED UINT64_C(0x1a0) /* di, sp, ip */
#elif defined(__aarch64__)
/* x0 to x30, sp, pc */
#define REGISTERS	  UINT64_C(0x1ffffffff)
#define REGISTERS_BLOCKED UINT64_C(0x180000000) /* sp, pc */
#else
#define REGISTERS_BLOCKED UINT64_C(0)
#define REGISTERS	  UINT64_C(0)
#endif

static void set_calls(struct perf_event_attr *a, const struct sampling *what)
{
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (what->calls == CALLS_BRANCHES) {
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
					PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_NO_FLAGS;
	}
	if ((what->calls != CALLS_COPY && what->calls != CALLS_AUTO) || !REGISTERS)
		return;
	/* wick unwinds the user part itself; CALLS_AUTO also uses the kernel's user chain. */
	a->exclude_callchain_user = what->calls == CALLS_COPY;
	a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	a->sample_regs_user = REGISTERS;
	a->sample_stack_user = what->copy_size;
}

void attribute_init(struct perf_event_attr *a, const struct sampling *what,
		    const struct sampled *event)
{
	*a = (struct perf_event_attr){
		.size = sizeof(*a),
		.type = event->type,
		.config = event->config,
		.config1 = event->config1,
		.config2 = event->config2,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD,
		.exclude_user = event->no_user,
		.exclude_kernel = event->no_kernel,
		.exclude_hv = event->no_kernel,
		.precise_ip = event->precise & 3,
		.sample_id_all = 1,
		.disabled = 1,
		/* If the whole machine is sampled, idle CPUs are left out. */
		.exclude_idle = !what->nr_task,
		.enable_on_exec = what->on_exec && !what->held,
		.inherit = what->nr_task && what->follow != FOLLOW_NONE,
		.inherit_thread = what->nr_task && what->follow == FOLLOW_THREADS,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
	};
	if (event->count) {
		a->sample_period = event->count;
		/*
		 * With PERF_SAMPLE_PERIOD, the kernel ignores the period of software events and tracepoints, and
		 * writes a sample for each event.  The period is in the attr, too.
		 */
		if (event->count > 1)
			a->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	} else {
		a->freq = 1;
		a->sample_freq = what->frequency < FREQUENCY_MAX ? what->frequency : FREQUENCY_MAX;
	}
	set_calls(a, what);
}

void attribute_init_switches(struct perf_event_attr *a, const struct sampling *what)
{
	const struct sampled dummy = { .type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_DUMMY,
				       .count = 1,
				       .no_kernel = true };
	struct sampling calls = *what;

	calls.calls = CALLS_COPY;
	calls.copy_size = STACK_COPY_MAX;
	attribute_init(a, &calls, &dummy);
	a->context_switch = 1;
	/* Of a blocked thread, no other registers are known. */
	if (a->sample_type & PERF_SAMPLE_REGS_USER)
		a->sample_regs_user = REGISTERS_BLOCKED;
	a->sample_type |= PERF_SAMPLE_RAW;
}

void attribute_init_tracepoint(struct perf_event_attr *a, const struct sampling *what,
			       const struct sampled *event)
{
	struct sampling calls = *what;

	calls.calls = CALLS_COPY;
	if (calls.copy_size > WAIT_COPY_MAX || !calls.copy_size)
		calls.copy_size = WAIT_COPY_MAX;
	attribute_init(a, &calls, event);
	a->exclude_callchain_user = !what->linked;
	a->sample_type |= PERF_SAMPLE_RAW;
}

void attribute_widen(struct perf_event_attr *a)
{
	a->inherit = a->inherit_thread = a->enable_on_exec = 0;
	a->exclude_idle = 1;
}
