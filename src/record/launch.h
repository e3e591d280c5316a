/*
 * A command of the person's, started but held in front of its exec until all
 * that watches it is in place.  Its input, output, signals and limits are what
 * they would be without us.
 */
#ifndef WICK_RECORD_LAUNCH_H
#define WICK_RECORD_LAUNCH_H

#include "base/error.h"
#include "record/witness.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct launch {
	pid_t pid;	 /* 0: nothing was started, or it is gone */
	int go;		 /* a byte in here lets it run */
	int failed;	 /* tells why it could not be run */
	int status;	 /* what the shell would say of it: 128 + the signal that ended it */
	int signal;	 /* that one, or 0 */
	uint64_t memory; /* at most, in bytes: of one of them */
	uint64_t switches, faults, major_faults;
	uint64_t user_time,
		kernel_time; /* what it and those it waited for took of processors: ns */
};

#define LAUNCH_INIT \
	{ \
		.go = -1, .failed = -1, .status = STATUS_OWN \
	}

enum { STATUS_OWN = 125, STATUS_NOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* How signals, and the limit of open files, were before we changed any. */
struct launch_signals {
	sigset_t blocked;
	struct sigaction child, too_large, no_reader; /* of SIGCHLD, SIGXFSZ, SIGPIPE */
	sigset_t taken;				      /* those that are ours to answer since then */
	struct witness witness;			      /* of those that were not sent to us alone */
	struct rlimit files;
};

/* Who it runs as. */
struct launch_user {
	uid_t uid;
	gid_t gid;
	const char *name, *home, *shell; /* NULL: not known */
};

/* In a process of its own: becomes that user for good.  False when that may not be. */
bool launch_become(const struct launch_user *user);

/* The command ends with NULL.  user NULL: as we do; folder NULL: here. */
int launch_open(struct launch *l, const char *const *command, const struct launch_user *user,
		const char *folder, const struct launch_signals *before, struct error *e);

/* Lets it run; -1 when there is nothing to be run, and its status says which of the two it is. */
int launch_run(struct launch *l, const char *name, struct error *e);

/* launch_tell.c: why there is nothing to be run, from errno, and what helps.  Always -1. */
int launch_not_run(const char *name, int why, struct error *e);

/* True when it has ended, its status and times set. */
bool launch_ended(struct launch *l);

/* Somebody else was told of its end. */
void launch_reaped(struct launch *l, int status, const struct rusage *used);

/* One that does not run yet never will. */
void launch_close(struct launch *l);

#endif
