/*
 * The state of the tracer: the thread of wick that stops others.  For trace*.c only.
 *
 *	trace.c          starts and ends the thread, and hands its records over
 *	trace_tasks.c    the threads that it traces
 *	trace_cpu.c      which of them run: those are asked to stop
 *	trace_stops.c    the stops that the kernel reports, requested or not
 *	trace_sample.c   a stopped thread as a sample
 *	trace_calls.c    what stops make system calls return, and how that is hidden from the program
 *	trace_waits.c    what they do between sampling points, as switch records
 *	trace_records.c  records of processes, threads and mappings
 */
#ifndef WICK_RECORD_PTRACE_TRACER_H
#define WICK_RECORD_PTRACE_TRACER_H

#include "record/ptrace/trace.h"
#include <sys/resource.h>

/* What /proc/…/schedstat says about a thread. */
struct used {
	uint64_t time;	 /* CPU time: ns */
	uint64_t waited; /* in run queues, waiting for a CPU: ns */
	uint64_t turns;	 /* how often it was given a CPU */
};

enum traced_state { TRACED_UNKNOWN, TRACED_RUNNING, TRACED_READY, TRACED_BLOCKED };

/* What the thread's switch records cover, since sampling was enabled. */
struct traced_emitted {
	enum traced_state state; /* the last one */
	uint64_t until;		 /* session_now() */
	struct used used;	 /* the part of the kernel's accounting that they contain */
	uint64_t stopped;	 /* how long wick has stopped it since then: ns */
};

/* A traced thread. */
struct traced {
	struct traced *next; /* in its bucket */
	pid_t tid;
	struct space *space;
	char comm[16];	    /* the name in its last COMM record */
	int schedstat;	    /* an open descriptor; -1: the file is opened each time */
	struct used seen;   /* at the last sampling point */
	uint64_t last_turn; /* used.turns when it was last continued */
	int64_t paid;	    /* how much of used.time its samples account for: ns */
	uint64_t asked;	    /* session_now() when it was asked to stop; 0: it was not */
	bool on_our_cpu; /* when it was asked, the tracer ran on its CPU: wick has preempted it */
	bool ran;	 /* it was runnable at the last sampling point */
	bool fresh;	 /* new: its first stop, which every tracee makes, was not reported yet */
	bool unmet;	 /* it has no sample yet */
	bool waits;	 /* it is the command, held before its exec */
	bool is_leaving; /* it is exiting, and its EXIT record was written */
	bool alone;	 /* it is not asked to stop until its system call has returned */
	struct traced_emitted emitted;
};

/* The address space of one process: the mappings of code in the records so far. */
struct space {
	struct space *next; /* in its bucket */
	pid_t pid;
	size_t nr_thread;
	/* Sorted by address; `before`: at the previous reading. */
	struct code {
		uint64_t begin, end;
		uint64_t what; /* a hash of path and offset */
	} * code, *before;
	size_t nr, cap, nr_before;
	uint64_t size;	    /* of all its memory when they were read: pages */
	uint64_t read_at;   /* session_now() then */
	uint64_t read_cost; /* CPU time that reading took: ns */
	unsigned nr_read;   /* how often it was read since its exec */
	uint64_t finisher;  /* for trace_calls.c: 0 after an exec */
};

enum { TRACER_BUCKETS = 1024 };

struct tracer {
	/* Set when it starts: */
	const struct sampling *what;
	const struct attr *attr;     /* of its records */
	const struct attr *switches; /* … of its switch records; NULL: none are wanted */
	uint64_t period;	     /* the CPU time that one sample stands for: ns */
	pid_t launched;		     /* the command, if that is traced; or 0 */
	size_t max_open;	     /* maximum number of threads whose schedstat stays open */
	/* Hash tables by tid and pid: */
	struct traced *task[TRACER_BUCKETS];
	struct space *space[TRACER_BUCKETS];
	size_t nr_task;
	/* Sampling points: */
	bool sampling; /* sampling is enabled */
	unsigned nr_round;
	uint64_t round_at;    /* session_now() of the last one */
	uint64_t since_round; /* … and how long that was after the one before: ns */
	/* All switch records before this time were written; 0: there are none. */
	uint64_t emitted_until;
	/* No sampling point before this time: they may take a tenth of wick's time. */
	uint64_t rest_until;
	uint64_t worked_at_wakeup; /* tracer_worked() when poll() last returned */
	uint64_t worked_at_round;  /* … at the last sample */
	/* Records: */
	struct strbuf out;    /* not handed over yet */
	struct strbuf record; /* the one being built */
	char *stack;	      /* room for a stack copy */
	bool full; /* too many were not taken yet: samples are lost, and counted in nr_lost */
	uint64_t nr_lost;
	/* The command: */
	bool ended;
	int status;
	struct rusage used;
	struct trace_sum sum;
};

/* trace_tasks.c: the traced thread of that tid, or NULL. */
struct traced *tracer_find(const struct tracer *t, pid_t tid);

/* Adds a thread of a process, as `fresh`. */
struct traced *tracer_add(struct tracer *t, pid_t tid, pid_t pid);

/* Adds a thread that stopped before its creator reported it; writes its FORK record. */
struct traced *tracer_add_found(struct tracer *t, pid_t tid);

void tracer_remove(struct tracer *t, pid_t tid);

/* After an exec: drops all other threads of the process, and returns the one that has its pid. */
struct traced *tracer_become(struct tracer *t, pid_t pid);

void tracer_release(struct tracer *t);

/* Is the thread a tracee of wick whose exit was not reported yet, according to the kernel? */
bool tracer_follows(pid_t tid);

/* Begins to trace one thread, or all that what->task and what->follow select.  0, or an errno. */
int tracer_seize(struct tracer *t, pid_t tid);
int tracer_seize_all(struct tracer *t);

/* trace_cpu.c: opens a file in /proc/PID/task/TID; -1 if it does not exist. */
int thread_open(pid_t pid, pid_t tid, const char *name);

/* Reads schedstat; false if the kernel does not have it. */
bool traced_used(const struct traced *k, struct used *used);

/* Continues a stopped thread, with a signal to deliver, or 0. */
void traced_go_on(struct traced *k, int signal);

/* Sets `paid` to its CPU time so far: samples only account for what follows. */
void traced_begin(struct traced *k);

/* What /proc/…/stat says. */
struct thread_now {
	char state;   /* "R", "S", …; 0: the thread is gone */
	uint64_t cpu; /* the CPU that it runs on, or ran on last */
};
struct thread_now thread_now(pid_t pid, pid_t tid);

/* The CPU time of the tracer itself, without the time that it had to wait. */
uint64_t tracer_worked(void);

/* Asks all running threads to stop, unless it is too early for another sampling point. */
void tracer_round(struct tracer *t);

/*
 * trace_calls.c: to be called when the thread has stopped as requested, or for a signal that would not be delivered
 * if it were not traced.  If that has interrupted a system call, the call continues with the thread.
 */
void traced_hide_stop(struct traced *k);
void traced_hide_signal(struct traced *k, int signal);

/* trace_stops.c: handles the stops and ends that the kernel reports; true: there may be more. */
bool tracer_answer(struct tracer *t);

/* Continues a thread, after a sample if it was asked to stop for one. */
void tracer_sample_and_go_on(struct tracer *t, struct traced *k);

/* trace_sample.c: takes a sample of a stopped thread, and continues it. */
void tracer_sample(struct tracer *t, struct traced *k);

/* trace_records.c: appends a record to t->out; sets its id and time. */
void tracer_emit(struct tracer *t, struct record *r);

/* The thread's name, if it has changed, or after an exec. */
void tracer_emit_comm(struct tracer *t, struct traced *k, bool exec);

void tracer_emit_fork(struct tracer *t, const struct traced *k, pid_t parent);
void tracer_emit_exit(struct tracer *t, const struct traced *k);

/* Writes new mappings of code in its process, if there may be some; pc: an address that it executed, or 0. */
void tracer_emit_code(struct tracer *t, const struct traced *k, uint64_t pc);

/* After an exec: reads the mappings again. */
void space_forget(struct space *s);

/*
 * trace_waits.c: traced_emit() writes switch records for what the thread did until now, by its accounting.
 * traced_emit_from() begins with that, see traced_begin(); traced_emit_last() is for a thread that exits.
 */
enum traced_now {
	NOW_BLOCKED,
	NOW_RUNNABLE,
	NOW_STOPPED /* stopped; it ran or waited for a CPU before */
};
void traced_emit(struct tracer *t, struct traced *k, const struct used *used, enum traced_now how);
void traced_emit_from(struct traced *k);
void traced_emit_last(struct tracer *t, struct traced *k);

#endif
