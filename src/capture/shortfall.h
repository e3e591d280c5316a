/*
 * How many samples the CPU time of a target should have given, and why there are fewer: context switches, during
 * which the clocks of a task do not run, or anything else.
 */
#ifndef WICK_CAPTURE_SHORTFALL_H
#define WICK_CAPTURE_SHORTFALL_H

#include <stdbool.h>
#include <stdint.h>

/* What was sampled, and the kernel's accounting. */
struct sampled_time {
	uint64_t user, kernel;	 /* CPU time of the target: ns */
	uint64_t nr_switch;	 /* its context switches; 0 if only CPUs are sampled */
	bool no_user, no_kernel; /* that part is not sampled */
	/* CPUs were sampled, at least in part: it is chance whether a tick hits the target. */
	bool by_cpu;
	double frequency; /* samples per second of CPU time */
	double samples;
	uint64_t nr_start; /* threads and processes that started */
	double least;	   /* the share that has to be missing to be reported */
};

struct shortfall {
	double expected;  /* samples, at least */
	double switching; /* the share of the CPU time in context switches; 0: little, or chance */
	double unseen;	  /* the share that is missing for another reason */
};

struct shortfall shortfall_of(const struct sampled_time *t);

/*
 * May this many samples be missing because this many threads were too short-lived?  A thread that exits loses one
 * sample at most, and so does the thread that started it; the expected number is only known to within ticks.
 */
bool starts_explain(double lost, uint64_t nr_start);

#endif
