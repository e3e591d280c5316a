/*
 * A trial before switching from sampling tasks to sampling CPUs.  The clock of a CPU may run in step with a program that
 * sleeps by timers: its tick wakes the program early, which then sleeps again at the next tick and gets hardly any
 * samples (decision 9).  So both kinds of samples are counted for a while, and wick switches only if they agree.
 */
#ifndef WICK_RECORD_WIDE_TRIAL_H
#define WICK_RECORD_WIDE_TRIAL_H

#include "record/targets/family.h"

enum trial_verdict { TRIAL_GOES_ON, TRIAL_GOOD, TRIAL_BAD };

struct wide_trial {
	struct trial_cpu {
		int fd;
		struct ring ring;
	} * cpu; /* NULL: it does not run */
	size_t nr_cpu;
	uint64_t nr_of_cpus;  /* samples of the target so far by per-CPU clocks */
	uint64_t nr_of_tasks; /* the target's samples when the trial began */
	bool refused;	      /* per-CPU clocks are not permitted, or had too few samples */
};

/* nr: the target's samples so far.  No effect if the trial is running, or was refused. */
void wide_trial_open(struct wide_trial *t, const struct sampler *s, uint64_t nr);
void wide_trial_close(struct wide_trial *t);

/* Counts the samples since the last call. */
enum trial_verdict wide_trial_check(struct wide_trial *t, const struct family *f, uint64_t nr);

#endif
