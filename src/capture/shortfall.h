/*
 * How many samples the CPU time of a target should have given, and why there are fewer: context
 * switches, when none of a task's own clocks runs, or anything else.
 */
#ifndef WICK_CAPTURE_SHORTFALL_H
#define WICK_CAPTURE_SHORTFALL_H

#include <stdbool.h>
#include <stdint.h>

/* What was sampled, and what the kernel accounts. */
struct sampled_time {
	uint64_t user, kernel;	 /* CPU time of the target: ns */
	uint64_t nr_switch;	 /* its context switches; 0 if only CPUs are sampled */
	bool no_user, no_kernel; /* that part is not sampled */
	bool by_cpu;		 /* at least in part: whether a tick finds the target is chance */
	double frequency;	 /* samples per second of CPU time */
	double samples;
	uint64_t nr_start; /* threads and processes that started */
	double least;	   /* the share that has to be missing to be reported */
};

struct shortfall {
	double expected;  /* samples, at least */
	double switching; /* the share of the CPU time in context switches; 0: little, or chance */
	double unseen;	  /* … and that is missing for another reason */
};

struct shortfall shortfall_of(const struct sampled_time *t);

/*
 * May so many samples be missing because so many threads were too short?  One that ends loses a sample
 * at most, and so may the one that started it; and how many are due is only known by ticks.
 */
bool starts_explain(double lost, uint64_t nr_start);

#endif
