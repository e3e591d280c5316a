/*
 * System metrics during a recording, following the USE method (utilization, saturation, errors): how busy the
 * machine is, how much tasks wait for CPUs, disks and memory (pressure, PSI), how much memory is left, and which
 * errors occur; how much CPU time and memory the target uses, how much it waits for a CPU and for pages, and how
 * long its control group is throttled.
 *
 * They are read a few times a second, and less often if that would take more than 0.1 % of a CPU.  Values that the
 * kernel does not provide are omitted, and so are errors until there is one.
 */
#ifndef WICK_RECORD_SYSTEM_SYSTEM_H
#define WICK_RECORD_SYSTEM_SYSTEM_H

#include "base/strbuf.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The metrics: X(ID, name, unit, scope, digits after the decimal point) */
#define SYSTEM_VALUES(X) \
	X(CPU, "cpu", "%", "machine", 1) \
	X(IOWAIT, "cpu idle, disk busy", "%", "machine", 1) \
	X(STEAL, "cpu stolen", "%", "machine", 1) \
	X(RUNNABLE, "runnable threads", "threads", "machine", 0) \
	X(PRESSURE_CPU, "cpu pressure", "%", "machine", 1) \
	X(PRESSURE_IO, "disk pressure", "%", "machine", 1) \
	X(PRESSURE_MEMORY, "memory pressure", "%", "machine", 1) \
	X(AVAILABLE, "memory available", "bytes", "machine", 0) \
	X(NETWORK_ERRORS, "network errors", "per second", "machine", 1) \
	X(RETRANSMITS, "TCP retransmits", "per second", "machine", 1) \
	X(MEMORY_KILLS, "out-of-memory kills", "per second", "machine", 1) \
	X(USED, "cpu used", "%", "", 1) \
	X(DELAYED, "waiting for a cpu", "%", "", 1) \
	X(RESIDENT, "memory", "bytes", "", 0) \
	X(FAULTS, "major faults", "per second", "", 1) \
	X(THROTTLED, "cpu throttled", "%", "cgroup", 1)

enum system_value {
#define X(id, ...) SYSTEM_##id,
	SYSTEM_VALUES(X)
#undef X
		NR_SYSTEM_VALUES
};

struct system_value_row {
	const char *name, *unit;
	const char *scope; /* "": the target */
	int digits;	   /* values are in units of 10^-digits */
};
const struct system_value_row *system_value_row(enum system_value value);

enum { SYSTEM_GROUPS_MAX = 8, NR_PRESSURES = 3, NR_ERRORS = 3 };

/* The kernel's counters, which grow. */
struct system_counters {
	uint64_t all, busy, iowait, steal; /* ticks of all CPUs */
	uint64_t pressure[NR_PRESSURES];   /* µs */
	uint64_t error[NR_ERRORS];	   /* in the order of the values above */
	uint64_t faults, used;		   /* used: ticks */
	uint64_t delayed;		   /* ns, of all threads */
	uint64_t throttled;		   /* ns */
};

struct system {
	bool is_open;
	/* Descriptors; -1: there is no such file. */
	int stat, loadavg, meminfo, pressure[NR_PRESSURES], error[NR_ERRORS], process;
	DIR *threads; /* of the target; NULL: unknown */
	int group
		[SYSTEM_GROUPS_MAX]; /* cpu.stat of the target's control group, and those around it */
	size_t nr_group;
	int membership;	       /* the file that names the group, which may change; or -1 */
	struct strbuf members; /* its last contents */
	const char *root;
	struct system_counters last;
	bool has_rates;		/* there were two readings */
	bool failed[NR_ERRORS]; /* there was such an error */
	uint64_t at, due;	/* ns: of the last reading, and when the next one is due */
	uint64_t begun;		/* … and of the first one */
	size_t nr_thread;	/* of the target, at the last reading */
};

/*
 * pid: the target's process; 0: there is none.  root: the directory that contains /proc and /sys;
 * "": the usual one.
 */
void system_open(struct system *s, pid_t pid, const char *root);

/* The target is a control group: a descriptor of its directory. */
void system_open_group(struct system *s, int directory);

/* Also valid for a zeroed struct that was never opened. */
void system_close(struct system *s);

/*
 * Reads, if that is due, and returns a bit for each known value: rates from the second reading on.
 * now: ns, of any monotonic clock.
 */
uint32_t system_read(struct system *s, uint64_t now, int64_t value[static NR_SYSTEM_VALUES]);

/* What a command that has exited used since system_open(), with the children that it waited for. */
struct system_total {
	uint64_t cpu;	 /* ns */
	uint64_t faults; /* major ones */
	uint64_t memory; /* the largest resident set: bytes */
};

/*
 * Reads a last time, even if that is not due yet, unless the last reading was just now: so a recording shorter than
 * the time between two readings has rates, too.  total: or NULL.
 */
uint32_t system_read_last(struct system *s, uint64_t now, const struct system_total *total,
			  int64_t value[static NR_SYSTEM_VALUES]);

/*
 * The maximum of a value of the last reading; 0: there is none, or it is already enforced.  The kernel accounts the
 * time that a thread waits for a CPU, or is throttled, only when that ends: the next reading includes all of it,
 * and exceeds the maximum by the time that belongs to earlier readings.
 */
int64_t system_limit(const struct system *s, enum system_value value);

#endif
