/*
 * The command that is recorded: forked, but held before its exec until all events are open.  Its
 * input, output, signals and limits are the same as without wick.
 *
 *	launch_open()    forks; the child waits for a byte in the pipe `go`
 *	launch_run()     writes that byte, and learns through `failed` if the exec failed
 *	launch_ended()   polls whether it has ended
 *	launch_close()   a child that still waits exits, without having become the command
 */
#ifndef WICK_RECORD_LAUNCH_LAUNCH_H
#define WICK_RECORD_LAUNCH_LAUNCH_H

#include "base/error.h"
#include "record/launch/signal_witness.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct launch {
	pid_t pid;  /* 0: nothing was started, or it has ended */
	int go;	    /* wick's end of the pipe that holds it; -1: it was released */
	int failed; /* a pipe that the exec closes; errno comes through it if that fails */
	/* When it has ended: */
	int status; /* as in a shell: its exit status, or 128 + the signal that killed it */
	int signal; /* the signal that killed it, or 0 */
	/* … and for it and all children that it waited for: */
	uint64_t memory; /* the largest resident set of one process: bytes */
	uint64_t switches, faults, major_faults; /* faults: minor ones */
	uint64_t user_time, kernel_time;	 /* ns, of all runs */
};

#define LAUNCH_INIT \
	{ \
		.go = -1, .failed = -1, .status = STATUS_OWN \
	}

/* Exit statuses as in env, nohup and shells: wick failed, no permission, no such command. */
enum { STATUS_OWN = 125, STATUS_NOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* Signals and limits before signals_take(): the command gets all of them back. */
struct launch_signals {
	sigset_t blocked;
	struct sigaction child, too_large, no_reader; /* of SIGCHLD, SIGXFSZ, SIGPIPE */
	struct rlimit files;			      /* RLIMIT_NOFILE */
	/* Since then: */
	sigset_t taken;		/* signals that wick blocks, and reads itself */
	struct witness witness; /* knows which of them were sent to wick's whole process group */
};

/* The user that the command runs as. */
struct launch_user {
	uid_t uid;
	gid_t gid;
	const char *name, *home, *shell; /* NULL: not known */
};

/*
 * Makes this process, a forked child, one of that user permanently.  False, with errno, if refused.
 */
bool launch_become(const struct launch_user *user);

/* The command's words end with NULL.  user NULL: wick's own; folder NULL: the current directory. */
int launch_open(struct launch *l, const char *const *command, const struct launch_user *user,
		const char *folder, const struct launch_signals *before, struct error *e);

/* Lets the command run; -1: the exec failed, and l->status is STATUS_NOT_RUN or STATUS_NOT_FOUND. */
int launch_run(struct launch *l, const char *name, struct error *e);

/* launch_errors.c: why the exec of a command failed with this errno, and a hint.  Always -1. */
int launch_not_run(const char *name, int why, struct error *e);

/* … or why it was refused to become the user.  Always -1. */
int launch_refused(const char *name, int why, struct error *e);

/* True if it has exited; then its status and times are set. */
bool launch_ended(struct launch *l);

/* Sets these for a caller that has waited for the command itself: the tracer (trace.h). */
void launch_reaped(struct launch *l, int status, const struct rusage *used);

/* If it is still held, it never runs. */
void launch_close(struct launch *l);

#endif
