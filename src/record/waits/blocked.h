/*
 * One blocked thread: where it waits, for what, and who holds what it waits for.  Read from outside,
 * as its own user, and without stopping it or sending it a signal: a stopped write() or recv() could
 * return early.  What comes out:
 *
 *	/proc/TID/syscall	number and arguments of its system call, stack pointer and pc
 *	process_vm_readv()	a copy of its stack from there on
 *	/proc/TID/wchan		the kernel function that put it to sleep
 *	/proc/TID/schedstat	how often it has run: that it did not run while it was read
 *
 * Only pc and stack pointer are known of its registers: unwind/ finds the frame pointer where a row
 * needs it, or says that the stack is truncated.
 *
 * A look takes a few µs.  It neither waits for a page of the thread that is not in memory, nor
 * changes anything of the thread.
 */
#ifndef WICK_RECORD_WAITS_BLOCKED_H
#define WICK_RECORD_WAITS_BLOCKED_H

#include "base/span.h"
#include "perf/wait_reason.h"

#include <sys/types.h>

enum {
	BLOCKED_ARGS = 6,
	BLOCKED_WCHAN_MAX = 64,
	/* Threads whose files stay open, with BLOCKED_FILES each; others are opened for each look. */
	BLOCKED_THREADS = 64,
};

/* What became of a look. */
enum blocked_state {
	BLOCKED_SEEN,	 /* it was blocked all the time */
	BLOCKED_RUNNING, /* it runs, waits for a CPU, or did so while it was read */
	/* It cannot be read; wchan and reason are filled as far as they are known: */
	BLOCKED_GONE,	      /* the thread has exited */
	BLOCKED_OTHER_USER,   /* it is another user's */
	BLOCKED_NOT_DUMPABLE, /* setuid, or it has asked for that: prctl(PR_SET_DUMPABLE) */
	BLOCKED_YAMA,	      /* kernel.yama.ptrace_scope lets only ancestors read it */
	BLOCKED_REFUSED,      /* by something else: capabilities, a security module, no such file */
	NR_BLOCKED_STATES,
};

/* Why it cannot be read, as a clause: "it belongs to another user". */
const char *blocked_state_text(enum blocked_state state);

struct blocked {
	pid_t pid, tid;
	enum blocked_state state;
	uint64_t pc, sp;	    /* 0: a kernel thread, which has no user part */
	int64_t nr;		    /* the system call; -1: none, as in a page fault */
	uint64_t arg[BLOCKED_ARGS]; /* of that */
	bool is_32bit;		    /* the process is of 32 bits: nr has that ABI's numbers */
	struct span
		stack; /* from sp up; may be shorter than wanted; the reader's until the next look */
	char wchan[BLOCKED_WCHAN_MAX]; /* "" where it is not known */
	enum wait_reason reason;
	uint64_t lock; /* the address of the futex that it waits for; 0: none */
	/*
	 * Who holds that lock, or the thread that is joined.  Only where it is proved: a live thread of
	 * the process, and the lock looks as glibc's mutexes and read-write locks do while they are
	 * held.  0: unknown.
	 */
	pid_t holder;
};

struct blocked_reader {
	char *stack;
	size_t stack_max;
	struct blocked_files {
		pid_t tid; /* 0: free */
		int syscall, wchan, schedstat;
	} files[BLOCKED_THREADS]; /* by tid */
};

/* stack_max: at most so many bytes of a stack are copied. */
void blocked_reader_init(struct blocked_reader *r, size_t stack_max);
void blocked_reader_release(struct blocked_reader *r);

/*
 * Looks at a thread of a process.  0: it was blocked, and *out tells all; 1: it runs; -1: it cannot
 * be read, and out->state says why.  out->stack is good until the next look.
 */
int blocked_look(struct blocked_reader *r, pid_t pid, pid_t tid, struct blocked *out);

/* The threads of a process are gone, or their numbers may be used again: closes its files. */
void blocked_forget(struct blocked_reader *r, pid_t tid);

/*
 * Parses the text of /proc/TID/syscall into nr, arg, sp and pc.  False: it is "running", or
 * malformed.
 */
bool blocked_parse(struct span text, struct blocked *out);

#endif
