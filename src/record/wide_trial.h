/*
 * Would the samples of CPUs be as many as those of the tasks?  The clock of a CPU may keep step with a program that
 * sleeps by timers: its tick wakes the program early, which then sleeps at the next tick again, and has hardly a sample
 * (decision 9).  So both are counted for a while before the one takes the place of the other.
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
	uint64_t nr_of_cpus;  /* samples of the target so far, by the clocks of CPUs */
	uint64_t nr_of_tasks; /* the number of the target's samples when it began */
	bool refused;	      /* such clocks, or their samples were too few */
};

/* nr: of the target's samples so far.  Of no effect where it runs, or was refused. */
void wide_trial_open(struct wide_trial *t, const struct sampler *s, uint64_t nr);
void wide_trial_close(struct wide_trial *t);

/* Counts what came since the last call. */
enum trial_verdict wide_trial_look(struct wide_trial *t, const struct family *f, uint64_t nr);

#endif
