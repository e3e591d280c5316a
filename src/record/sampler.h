/*
 * Perf events that take samples: opened for some tasks or for all, on each
 * processor, with one ring buffer for each processor.
 *
 * What the machine refuses is given up step by step, by trying: the kernel's
 * own code, hardware counters, large ring buffers.  What was given up stands in
 * the sampler afterwards.  Where events are refused altogether, threads are
 * stopped instead (trace.h), and the sampler looks the same to its users.
 */
#ifndef WICK_RECORD_SAMPLER_H
#define WICK_RECORD_SAMPLER_H

#include "base/error.h"
#include "event/attrs.h"
#include "record/ring.h"

#include <stdbool.h>
#include <sys/types.h>

/* One event to take samples of, as it was asked for. */
struct sampled {
	const char *name; /* as people write it; NULL: attr_name() knows it */
	uint32_t type;	  /* this and the next line: as in perf_event_attr */
	uint64_t config, config1, config2;
	uint64_t count;	   /* the period: a sample every so many events; 0: by the frequency */
	bool or_clock;	   /* if the machine has no such counter, the CPU clock will do */
	bool no_user;	   /* only the kernel's code (:k) */
	bool no_kernel;	   /* only the program's own code (:u) */
	bool needs_kernel; /* without the kernel's code it makes no sense, so that is not given up */
	bool is_probe;	   /* a uprobe that events_make_probes() has not made a tracepoint yet */
	unsigned precise;  /* precise_ip: 0 to 3 (:p, :pp, :ppp) */
};

/* How the callers of a sample are found. */
enum call_graph {
	CALLS_AUTO, /* we unwind a copy of the stack; the kernel's frame pointers help where it ends */
	CALLS_COPY,	      /* we unwind a copy of the stack, and ask for nothing else */
	CALLS_FRAME_POINTERS, /* the kernel follows frame pointers */
	CALLS_BRANCHES,	      /* the processor remembers its last few calls (LBR) */
};

/* What is sampled together with a task: nothing, the threads that it makes, or its children too. */
enum follow { FOLLOW_NONE, FOLLOW_THREADS, FOLLOW_ALL };

/* What is recorded, of whom, and how. */
struct sampling {
	const struct sampled *event;
	size_t nr_event;
	unsigned frequency; /* samples a second, for events without a count */
	bool usual; /* nobody asked for that frequency: where threads are stopped it is lower */
	enum call_graph calls;
	uint32_t copy_size; /* how much of the stack the kernel copies: bytes */
	/* Of whom: */
	const pid_t *task; /* threads, by tid; none: the whole machine */
	size_t nr_task;
	enum follow follow;
	const int *cpu; /* none: all processors */
	size_t nr_cpu;
	int cgroup;   /* a descriptor of its folder, or -1 */
	bool on_exec; /* the task is a command held in front of its exec, which starts the events */
	bool held;    /* no sample is taken before sampler_start() */
};

enum {
	STACK_COPY_DEFAULT = 32 * 1024,
	STACK_COPY_MAX = 65528, /* the kernel's: a record has less than 64 kB */
	/* A prime, so that samples do not keep step with what a program does 100 times a second. */
	FREQUENCY_DEFAULT = 997,
	/*
	 * The ring buffer of one processor has room for the samples of half a second, at least
	 * ENOUGH and at most MAX; all of them together have at most RINGS_SIZE_MAX, unless ENOUGH
	 * for each is more.  If the kernel refuses that much locked memory, they are halved, down
	 * to MIN, which holds a few stacks.
	 */
	RING_SIZE_MIN = 256 * 1024,
	RING_SIZE_ENOUGH = 2 * 1024 * 1024,
	RING_SIZE_MAX = 64 * 1024 * 1024,
	RINGS_SIZE_MAX = 256 * 1024 * 1024,
	/* With more descriptors than this, no event is opened once more for other sizes of copies. */
	REACH_EVENTS_MAX = 320,
};

/* How much of the stack is copied with a sample, see sampler_reach.c. */
enum sampler_reach {
	REACH_ONLY,  /* the event has one size of copies */
	REACH_USUAL, /* what was asked for */
	REACH_SHORT, /* less, for programs whose stacks are small */
	REACH_LONG,  /* more, and with the kernel's walk of frame pointers */
};

struct sampler {
	/* By event: those that were asked for, their twins of other sizes, and maybe a tracker. */
	struct perf_event_attr *attr; /* as the kernel accepted it */
	struct sampler_event {
		bool is_sampled;     /* false: it only tracks processes and mappings */
		uint32_t stands_for; /* itself, or the event whose twin it is */
		enum sampler_reach reach;
	} * event;
	size_t nr_attr;
	struct attrs attrs; /* the same events as records are decoded by them, with their ids */
	/* By processor: */
	int *cpu;
	struct ring *ring;
	int *ring_fd; /* the event that the ring buffer was mapped of, to poll; -1: none */
	size_t nr_cpu;
	/* By event, processor and task: */
	struct sampler_fd {
		int fd;
		uint32_t event;
		uint64_t id; /* in the records that it writes */
	} * fd;
	size_t nr_fd, cap_fd;
	size_t ring_size; /* of each ring buffer: bytes */
	bool no_room;	  /* the kernel refused a ring buffer of that size */
	bool on;	  /* samples are taken */
	uint64_t nr_lost; /* records lost by events that are closed by now */
	/* For sampler_reach.c: */
	enum sampler_reach reach; /* of the twins that are enabled; REACH_ONLY: there are none */
	bool no_short;		  /* there are no short twins, or none any more */
	unsigned nr_small;	  /* walks in a row that needed little of the copy */
	unsigned nr_start;	  /* threads and processes that started */
	/* What was given up: */
	bool user_only;	     /* the kernel's code */
	bool clock_only;     /* the hardware counter, for the CPU clock */
	unsigned frequency;  /* lowered to this, the kernel's maximum; 0: as it was asked for */
	size_t nr_gone;	     /* tasks that ended before they had events */
	bool refused;	     /* events: not even the least of them was allowed */
	struct trace *trace; /* … so that threads are stopped instead; NULL: there are events */
	char better[sizeof(((struct error *)0)->hint)]; /* what would allow events; or "" */
};

/* To be closed in any case.  Events begin to work at once, unless what->on_exec or what->held. */
int sampler_open(struct sampler *s, const struct sampling *what, struct error *e);
void sampler_close(struct sampler *s);

/* The error when each task of `what` was gone before it had an event.  Always -1. */
int sampler_none_left(const struct sampling *what, struct error *e);

/* Takes samples from here on. */
void sampler_start(struct sampler *s);

/* Takes none; where what->held was set, processes and mappings are still tracked. */
void sampler_pause(struct sampler *s);

/* Takes none, and tracks nothing any more: no further records come. */
void sampler_stop(struct sampler *s);

/*
 * How many records the ring buffers had no room for so far.  The kernel writes a record of that only
 * in front of the next one that fits, so that the last of them are known only to who asks.  0 on
 * kernels before 6.0.
 */
uint64_t sampler_lost(const struct sampler *s);

/* Closes one of its events early, and keeps count of what that lost. */
void sampler_drop(struct sampler *s, int fd);

/* Makes room for one more event, and returns its number; its attr is the caller's to fill. */
size_t sampler_new_event(struct sampler *s);

/* Adds the event's attr, now that it is known what the kernel accepts, to those of records. */
void sampler_add_attr(struct sampler *s, size_t event);

/*
 * sampler_reach.c: gives the newest event twins with shorter and longer copies, if the size is
 * ours to choose.  They are opened with it, but not enabled.
 */
void sampler_add_reaches(struct sampler *s, const struct sampling *what);

/* Sets how much the long twins copy: the most there is, if ring buffers have their full size. */
void sampler_size_long(struct sampler *s, bool has_room);

/* Is the event not to be enabled, as a twin of it is? */
bool sampler_rests(const struct sampler *s, uint32_t event);

/*
 * A copy of that event was unwound: was it too short (is_cut), and how many bytes of it were
 * needed?  May enable a twin in the event's place.
 */
void sampler_see(struct sampler *s, uint32_t event, bool is_cut, uint64_t need);

/* A thread or a process started. */
void sampler_see_start(struct sampler *s);

/* May a walk that was cut off still change to a twin that copies more? */
bool sampler_may_need_more(const struct sampler *s);

/*
 * sampler_trace.c: stops threads instead, after events were refused.  The error is that refusal:
 * it is cleared if this works, and told the reason if it does not.
 */
int sampler_open_trace(struct sampler *s, const struct sampling *what, struct error *e);

/* processors.c: a list like "0-3,5" as an array, which the caller frees. */
int processors_parse(struct span list, int **cpu, size_t *nr, struct error *e);

/* The same; an error if one of them is not online. */
int processors_choose(struct span list, int **cpu, size_t *nr, struct error *e);
int processors_online(int **cpu, size_t *nr, struct error *e);

/* attributes.c: the perf_event_attr of an event. */
void attribute_init(struct perf_event_attr *a, const struct sampling *what,
		    const struct sampled *event);

#endif
