/* Counts events of a command, of running processes, or of all CPUs. */
#ifndef WICK_CMD_STAT_STAT_COUNT_H
#define WICK_CMD_STAT_STAT_COUNT_H

#include "record/launch/signals.h"
#include "record/perf_events/counting.h"
#include "record/perf_events/events.h"
#include "record/targets/targets.h"

struct stat_count {
	/* Set by the caller: */
	const struct events *events;
	const char *const *command; /* words, and NULL; NULL: none is run */
	const struct launch_user *user;
	struct targets targets; /* if there are any, or `all`, the command only bounds the time */
	bool all, children;
	/* The result of the last run: */
	struct counter *counter; /* by event */
	struct launch launch;	 /* the command's status and resource usage */
	uint64_t time;		 /* ns */
};

/* Are other targets counted, not the command? */
bool stat_count_is_of_others(const struct stat_count *c);

/* The targets, for the reason why the kernel refuses to count an event of them (access_refused()). */
struct sampling stat_count_wanted(const struct stat_count *c);

/* Takes the signals, which the caller ends (signals.h). */
int stat_count_prepare(const struct stat_count *c, struct launch_signals *before, struct error *e);

/* Counts until the command ends; without one, until all targets have, or a signal ends it. */
int stat_count_run(struct stat_count *c, const struct launch_signals *before, struct error *e);

#endif
