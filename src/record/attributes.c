/* What the kernel is asked for: perf_event_attr. */
#include "record/sampler.h"

#include <time.h>

/* The registers that frames are described by; which are those of the kernel's own numbering. */
#if defined(__x86_64__)
/* ax bx cx dx si di bp sp ip, r8 to r15 */
#define REGISTERS UINT64_C(0xff01ff)
#elif defined(__aarch64__)
/* x0 to x30, sp, pc */
#define REGISTERS UINT64_C(0x1ffffffff)
#else
#define REGISTERS UINT64_C(0)
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
	/* The kernel's own frames are its business, the program's are ours. */
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
		/* A processor that has nothing to do is nobody's. */
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
		/* Who asks how many a sample stands for is given one each time by the kernel's own events. */
		if (event->count > 1)
			a->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	} else {
		a->freq = 1;
		a->sample_freq = what->frequency;
	}
	set_calls(a, what);
}
