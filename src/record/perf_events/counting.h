/* Events that are counted, not sampled. */
#ifndef WICK_RECORD_PERF_EVENTS_COUNTING_H
#define WICK_RECORD_PERF_EVENTS_COUNTING_H

#include "record/perf_events/sampler.h"

/* The target. */
struct counted {
	const pid_t *task; /* threads, by tid; none: the CPUs */
	size_t nr_task;
	enum follow follow; /* also count the threads, or all processes, that these start */
	const int *cpu;	    /* all CPUs, if there is no task */
	size_t nr_cpu;
	bool on_exec; /* the task is a command held before its exec, which starts the counter */
};

struct counter {
	int *fd; /* one for each task or CPU; NULL: it is not open */
	size_t nr_fd;
	int why;	/* perf_event_open() failed with this errno; 0: it did not */
	bool user_only; /* the kernel's part was refused */
	uint64_t value; /* when it was closed; extrapolated if share is less than 1 */
	double share;	/* share of the time in which the CPU had a free counter for it: 0 to 1 */
};

/* Counts from the exec on, or from counter_start().  Tasks that have already ended are skipped. */
void counter_open(struct counter *c, const struct sampled *event, const struct counted *target);
void counter_start(const struct counter *c);

/* The current value; `running` is less than `enabled` if events are multiplexed. */
struct counter_reading {
	uint64_t value, enabled, running;
};

struct counter_reading counter_read(const struct counter *c);

/* Stops, reads the value, and closes it. */
void counter_close(struct counter *c);

/* 0 if the event can be counted here, else errno. */
int counter_try(const struct sampled *event);

/* Does the CPU have counters at all (most virtual machines do not)? */
bool counter_has_pmu(void);

#endif
