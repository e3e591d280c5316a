/*
 * Samples one blocked thread: where it waits, why, and which thread holds its lock.  It is read from
 * outside, with its user's permissions, and without stopping it or sending it a signal: a stopped
 * write() or recv() could return early.  The sources:
 *
 *	/proc/TID/syscall	number and arguments of its system call, stack pointer and pc
 *	process_vm_readv()	a copy of its stack from there on
 *	/proc/TID/wchan		the kernel function that put it to sleep
 *	/proc/TID/schedstat	how often it has run, to detect that it ran while it was read
 *
 * Of its registers, only pc and stack pointer are known: if an unwind row needs the frame pointer,
 * unwind/ searches for it, or reports that the stack is truncated.
 *
 * A sample takes a few µs.  It neither waits for a page that is not in memory, nor changes the
 * thread's state.
 */
#ifndef WICK_RECORD_WAITS_BLOCKED_H
#define WICK_RECORD_WAITS_BLOCKED_H

#include "base/span.h"
#include "perf/wait_reason.h"

#include <sys/types.h>

enum {
	BLOCKED_ARGS = 6,
	BLOCKED_WCHAN_MAX = 64,
	/* Threads whose files in /proc stay open; those of others are opened for each sample. */
	BLOCKED_THREADS = 64,
};

/* The result of a sample. */
enum blocked_state {
	BLOCKED_SEEN,	 /* it stayed blocked while it was read */
	BLOCKED_RUNNING, /* it runs, waits for a CPU, or did so while it was read */
	/* It cannot be read; wchan and reason are set if they are known: */
	BLOCKED_GONE,	      /* the thread has exited */
	BLOCKED_OTHER_USER,   /* it belongs to another user */
	BLOCKED_NOT_DUMPABLE, /* setuid, or prctl(PR_SET_DUMPABLE) */
	BLOCKED_YAMA,	      /* kernel.yama.ptrace_scope permits only its ancestors */
	BLOCKED_NO_FILES,     /* wick has reached its limit of open files */
	BLOCKED_REFUSED, /* for another reason: capabilities, a security module, no such file */
	NR_BLOCKED_STATES,
};

/* Why it cannot be read, as a clause: "the target belongs to another user". */
const char *blocked_state_text(enum blocked_state state);

struct blocked {
	pid_t pid, tid;
	enum blocked_state state;
	uint64_t pc, sp;	    /* 0: a kernel thread, which has no user stack */
	int64_t nr;		    /* the system call; -1: none, as in a page fault */
	uint64_t arg[BLOCKED_ARGS]; /* its arguments */
	bool is_32bit;		    /* a 32-bit process: nr is a number of that ABI */
	struct span
		stack; /* from sp up; may be shorter than stack_max; valid until the next sample */
	char wchan[BLOCKED_WCHAN_MAX]; /* "": unknown */
	enum wait_reason reason;
	uint64_t lock; /* the address of the futex that it waits for; 0: none */
	/*
	 * The thread that holds that lock, or is joined.  Set only if it is proved: the thread is a
	 * live one of the process, and the lock has the layout of a glibc mutex or read-write lock
	 * that is held.  0: unknown.
	 */
	pid_t holder;
};

struct blocked_reader {
	char *stack;
	size_t stack_max;
	int keep_below; /* files with higher descriptors do not stay open */
	struct blocked_files {
		pid_t tid; /* 0: free */
		int syscall, wchan, schedstat;
	} files[BLOCKED_THREADS]; /* by tid */
};

/* stack_max: the maximum size of a stack copy. */
void blocked_reader_init(struct blocked_reader *r, size_t stack_max);
void blocked_reader_release(struct blocked_reader *r);

/*
 * Samples a thread of a process.  0: it was blocked, and *out is complete; 1: it runs; -1: it cannot
 * be read, and out->state says why.  out->stack is valid until the next call.
 */
int blocked_read(struct blocked_reader *r, pid_t pid, pid_t tid, struct blocked *out);

/* Reads only the lock and its holder, in half the time: no stack, and no wchan. */
int blocked_read_lock(struct blocked_reader *r, pid_t pid, pid_t tid, struct blocked *out);

/* Closes the files of a thread: it has exited, and its ID may be reused. */
void blocked_forget(struct blocked_reader *r, pid_t tid);

/*
 * Parses the text of /proc/TID/syscall into nr, arg, sp and pc.  False: it is "running", or
 * malformed.
 */
bool blocked_parse(struct span text, struct blocked *out);

#endif
