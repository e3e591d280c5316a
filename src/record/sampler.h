/*
 * Events of the kernel, opened for some tasks or all, on each processor, with a
 * ring each.  What the machine refuses is given up step by step, by trying:
 * the kernel's own code, hardware counters, large rings; what was given up
 * can be told.
 */
#ifndef WICK_RECORD_SAMPLER_H
#define WICK_RECORD_SAMPLER_H

#include "base/error.h"
#include "event/attrs.h"
#include "record/ring.h"

#include <stdbool.h>
#include <sys/types.h>

/* One event to take samples of. */
struct sampled {
	const char *name; /* as people write it, without modifiers; NULL: as attr_name() has it */
	uint32_t type;
	uint64_t config, config1, config2;
	uint64_t count;	   /* a sample each so many; 0: by the frequency */
	bool or_clock;	   /* where there is no such counter, a clock will do */
	bool no_user;	   /* only the kernel's code */
	bool no_kernel;	   /* only the program's own */
	bool needs_kernel; /* the kernel's code was asked for: without it, it is refused */
	bool is_probe;	   /* of a program's function, which the kernel has not been told of */
	unsigned precise;
};

/* How the callers are found. */
enum call_graph {
	CALLS_AUTO, /* from a copy of the stack, by us; what that lacks, by frame pointers */
	CALLS_COPY, /* from the copy alone */
	CALLS_FRAME_POINTERS, /* by the kernel, as far as frame pointers go */
	CALLS_BRANCHES,	      /* by the processor, which remembers the last few calls */
};

/* What comes with a task. */
enum follow { FOLLOW_NONE, FOLLOW_THREADS, FOLLOW_ALL };

struct sampling {
	const struct sampled *event;
	size_t nr_event;
	unsigned frequency; /* samples a second */
	bool usual;	    /* … which nobody has asked for */
	enum call_graph calls;
	uint32_t copy_size; /* of a stack: bytes */
	/* Of whom: */
	const pid_t *task; /* none: of everybody */
	size_t nr_task;
	enum follow follow;
	const int *cpu; /* none: all */
	size_t nr_cpu;
	int cgroup;   /* a descriptor of its folder, or -1 */
	bool on_exec; /* the tasks wait in front of an exec, and all begins there */
	bool held;    /* samples begin with sampler_start(), not before */
};

enum {
	STACK_COPY_DEFAULT = 32 * 1024,
	STACK_COPY_MAX = 65528,
	FREQUENCY_DEFAULT = 997,
	/* A ring is not made smaller: it has to hold a few stacks. */
	RING_SIZE_MIN = 256 * 1024,
	/* It holds half a second, or what comes to this. */
	RING_SIZE_MAX = 64 * 1024 * 1024,
	/* All together, as long as each has 2 MB. */
	RINGS_SIZE_MAX = 256 * 1024 * 1024,
	RING_SIZE_ENOUGH = 2 * 1024 * 1024,
	/* Where there are more events than that, each is opened only once. */
	REACH_EVENTS_MAX = 320,
};

/* How much of a stack comes with a sample, see sampler_reach.c. */
enum sampler_reach {
	REACH_ONLY, /* there is no choice */
	REACH_USUAL,
	REACH_SHORT, /* for programs whose stacks are small */
	REACH_LONG,  /* with the kernel's walk of frame pointers */
};

struct sampler {
	struct perf_event_attr *attr; /* by event, as the kernel took it */
	struct attrs attrs;	      /* the same as records need it, with ids */
	struct sampler_event {
		bool is_sampled;     /* it is one that was asked for */
		uint32_t stands_for; /* … and which one: itself, or the one that it may replace */
		enum sampler_reach reach;
	} * event; /* by event, too */
	size_t nr_attr;
	int *cpu;
	size_t nr_cpu;
	struct ring *ring; /* by cpu */
	int *ring_fd;	   /* whose each is: what can be waited for */
	struct sampler_fd {
		int fd;
		uint32_t event;
		uint64_t id; /* of its records */
	} * fd;
	size_t nr_fd, cap_fd;
	size_t ring_size;
	bool no_room; /* for rings of that size */
	enum sampler_reach
		reach;	   /* of the events that are at work; REACH_ONLY: there are no others */
	bool no_short;	   /* short copies were not enough, or are none */
	unsigned nr_small; /* samples in a row that needed little */
	unsigned nr_start; /* of threads and processes */
	bool on;	   /* samples are taken */
	uint64_t nr_lost;  /* of events that are closed by now */
	/* What was given up. */
	bool user_only, clock_only;
	unsigned frequency; /* lowered to what the kernel allows; 0: it was not */
	size_t nr_gone;	    /* tasks that ended before */
	bool refused;	    /* not even the least was allowed */
	/* … or all: threads are stopped and looked at instead. */
	struct trace *trace;
	char better[sizeof(((struct error *)0)->hint)]; /* what would allow events; or "" */
};

int sampler_open(struct sampler *s, const struct sampling *what, struct error *e);
void sampler_close(struct sampler *s);

/* Samples are taken from here on, … */
void sampler_start(struct sampler *s);
/* … until here: who there is, is still told, if the sampling was held at first … */
void sampler_pause(struct sampler *s);
/* … or nothing is any more. */
void sampler_stop(struct sampler *s);

/*
 * Records that rings had no room for, of all so far.  The kernel tells of them with the next one that has room, and of
 * the last ones only to who asks; one that is too old for that (before 6.0) says 0.
 */
uint64_t sampler_lost(const struct sampler *s);

/* One of its events is closed early. */
void sampler_drop(struct sampler *s, int fd);

/* Room for one more event, which stands for itself; its number. */
size_t sampler_new_event(struct sampler *s);

/* sampler_reach.c: others with shorter and longer copies for the last one, if the choice is ours; they rest at first. */
void sampler_add_reaches(struct sampler *s, const struct sampling *what);

/* How much the long ones copy: more than is usual, if rings are as large as they should be. */
void sampler_size_long(struct sampler *s, bool has_room);

/* Another one is asked in place of this event. */
bool sampler_rests(const struct sampler *s, uint32_t event);

/* A sample of that event was followed: was its copy too short, and how many bytes of it were needed? */
void sampler_see(struct sampler *s, uint32_t event, bool is_cut, uint64_t need);

/* A thread or a process started. */
void sampler_see_start(struct sampler *s);

/* Is there anything that sampler_see() could change? */
bool sampler_may_need_more(const struct sampler *s);

/* sampler_trace.c: the same without events, after these were refused: the error says so, and stays when this is, too. */
int sampler_open_trace(struct sampler *s, const struct sampling *what, struct error *e);

/* processors.c: those that a list like "0-3,5" names, as an array of the caller's. */
int processors_parse(struct span list, int **cpu, size_t *nr, struct error *e);

/* The same, of those that are there. */
int processors_choose(struct span list, int **cpu, size_t *nr, struct error *e);
int processors_online(int **cpu, size_t *nr, struct error *e);

/* attributes.c: what the kernel is asked for. */
void attribute_init(struct perf_event_attr *a, const struct sampling *what,
		    const struct sampled *event);

#endif
