/* What the thread knows that stops others: for trace*.c alone. */
#ifndef WICK_RECORD_TRACER_H
#define WICK_RECORD_TRACER_H

#include "record/trace.h"

#include <sys/resource.h>

/* How long a thread was on processors, and how long it waited for one: ns; and how often it got one. */
struct used {
	uint64_t time, waited, turns;
};

/* One thread of those that are followed. */
struct traced {
	struct traced *next; /* of its bucket */
	pid_t tid;
	struct space *space;
	char comm[16];	  /* as it was last told */
	int schedstat;	  /* a descriptor; -1: it is opened each time */
	struct used seen; /* at the last look */
	uint64_t let_go;  /* after so many turns it last stopped for us */
	int64_t paid;	  /* how much of its time samples stand for */
	uint64_t asked;	  /* when it was asked to stop; 0: it was not */
	bool below;	  /* … it was on our processor, which it cannot have had then */
	bool ran;	  /* at the last look */
	bool fresh;	  /* it was just made, and has not stopped for us for the first time */
	bool unmet;	  /* no sample is of it yet */
	bool waits;	  /* in front of the exec that begins all */
};

/* The code of one process, as it was last told. */
struct space {
	struct space *next;
	pid_t pid;
	size_t nr_thread;
	struct code {
		uint64_t begin, end, what; /* a hash of what is there */
	} * code, *before;
	size_t nr, cap, nr_before;
	uint64_t size;		     /* of all its memory, when it was read: pages */
	uint64_t read_at, read_cost; /* ns */
	unsigned nr_read;	     /* since its program began */
};

enum { TRACER_BUCKETS = 1024 };

struct tracer {
	/* Set at the beginning. */
	const struct sampling *what;
	const struct attr *attr;
	uint64_t period; /* of the time on processors that one sample stands for: ns */
	pid_t launched;	 /* the command, if it is what is followed; or 0 */
	/* Its own. */
	struct traced *task[TRACER_BUCKETS];
	struct space *space[TRACER_BUCKETS];
	size_t nr_task;
	size_t max_open; /* so many of them have a descriptor */
	unsigned nr_look;
	uint64_t looked, apart;	   /* when that was, and how long after the one before: ns */
	struct strbuf out, record; /* records that nobody has yet; the one that is made */
	char *stack;		   /* room for a copy */
	uint64_t nr_lost;
	bool sampling, full;
	uint64_t rest_until; /* looks are to take a tenth of our time */
	uint64_t
		woke; /* what we had worked when we last began to; … in the turn of the last look */
	uint64_t woke_to_look;
	bool ended;
	int status;
	struct rusage used;
	struct trace_sum sum;
};

/* trace_tasks.c */
struct traced *tracer_find(const struct tracer *t, pid_t tid);
struct traced *tracer_add(struct tracer *t, pid_t tid, pid_t pid);
/* One that nobody has told of yet. */
struct traced *tracer_add_found(struct tracer *t, pid_t tid);
void tracer_remove(struct tracer *t, pid_t tid);
/* After an exec there is one thread, with the number of the process. */
struct traced *tracer_become(struct tracer *t, pid_t pid);
void tracer_release(struct tracer *t);
/* Is it one of those that stop for us, known or not?  No longer when its end was told. */
bool tracer_follows(pid_t tid);
/* 0 or what errno says; one that is gone is none of ours. */
int tracer_seize(struct tracer *t, pid_t tid);
int tracer_seize_all(struct tracer *t);

/* trace_cpu.c: a file of the thread below /proc; -1 when it is not there. */
int thread_open(pid_t pid, pid_t tid, const char *name);
/* False when it is not told. */
bool traced_used(const struct traced *k, struct used *used);
/* It goes on, as far as we are concerned, with a signal or 0. */
void traced_go_on(struct traced *k, int signal);
/* What it has used until now is nobody's. */
void traced_begin(struct traced *k);
/* "R", "S", … as the kernel has it, 0: it is gone; and the processor that it has, or had last. */
struct thread_now {
	char state;
	uint64_t cpu;
};
struct thread_now thread_now(pid_t pid, pid_t tid);
/* Our own time on processors: what something costs, however long others kept us from it. */
uint64_t tracer_worked(void);
/* Asks all to stop that run. */
void tracer_look(struct tracer *t);

/* trace_stops.c: answers those that have stopped or ended; true when there may be more. */
bool tracer_answer(struct tracer *t);

/* trace_sample.c: takes one of a thread that is stopped, and lets it run again. */
void tracer_sample(struct tracer *t, struct traced *k);

/* trace_tell.c: records of who there is and what is where. */
void tracer_tell(struct tracer *t, struct record *r);
void tracer_tell_comm(struct tracer *t, struct traced *k, bool exec);
void tracer_tell_fork(struct tracer *t, const struct traced *k, pid_t parent);
void tracer_tell_exit(struct tracer *t, const struct traced *k);
void tracer_tell_code(struct tracer *t, const struct traced *k, uint64_t pc);
void space_forget(struct space *s);

#endif
