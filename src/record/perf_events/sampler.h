/*
 * Perf events that take samples: opened for some tasks or for all, on each CPU, with one ring
 * buffer for each CPU.
 *
 * If the machine refuses something, the sampler retries without it, step by step: kernel code,
 * hardware counters, large ring buffers.  Its fields say what was given up.  If events are refused
 * altogether, it falls back to ptrace sampling (trace.h), with the same interface.
 */
#ifndef WICK_RECORD_PERF_EVENTS_SAMPLER_H
#define WICK_RECORD_PERF_EVENTS_SAMPLER_H

#include "base/error.h"
#include "perf/attrs.h"
#include "perf/wait_record.h"
#include "record/perf_events/ring.h"

#include <stdbool.h>
#include <sys/types.h>

/* One event to sample, as requested. */
struct sampled {
	const char *name; /* as on the command line; NULL: use attr_name() */
	uint32_t type;	  /* this and the next line: as in perf_event_attr */
	uint64_t config, config1, config2;
	uint64_t count;	   /* the period: events per sample; 0: by the frequency */
	bool or_clock;	   /* fall back to the CPU clock if the machine has no such counter */
	bool no_user;	   /* only the kernel's code (:k) */
	bool no_kernel;	   /* only the program's own code (:u) */
	bool needs_kernel; /* it is useless without kernel code, so that is not given up */
	bool is_probe; /* a uprobe for which events_make_probes() has not created a tracepoint yet */
	unsigned precise; /* precise_ip: 0 to 3 (:p, :pp, :ppp) */
};

/* How the callers of a sample are found. */
enum call_graph {
	CALLS_AUTO, /* wick unwinds a stack copy; the kernel's frame pointers help where it ends */
	CALLS_COPY, /* wick unwinds a stack copy, and requests nothing else */
	CALLS_FRAME_POINTERS, /* the kernel unwinds by frame pointers */
	CALLS_BRANCHES,	      /* the CPU stores its last few calls (LBR) */
};

/*
 * What is sampled together with a task: nothing, the threads that it starts, or also its children.
 */
enum follow { FOLLOW_NONE, FOLLOW_THREADS, FOLLOW_ALL };

/* ANYHOW: by perf events, or by ptrace if events are refused or need more files or memory than there are. */
enum sampling_by { SAMPLE_ANYHOW, SAMPLE_BY_EVENTS, SAMPLE_BY_PTRACE };

/* The target, and what to record. */
struct sampling {
	const struct sampled *event;
	size_t nr_event;
	unsigned frequency; /* sampling rate in Hz, for events without a count */
	bool usual;	    /* the default rate: ptrace sampling uses a lower one */
	enum sampling_by by;
	enum call_graph calls;
	uint32_t copy_size; /* how much of the stack the kernel copies: bytes */
	/*
	 * CALLS_AUTO: the program switches stacks when it calls; only frame pointers lead to the
	 * callers.
	 */
	bool linked;
	/* The target: */
	const pid_t *task; /* threads, by tid; none: the whole machine */
	size_t nr_task;
	enum follow follow;
	const int *cpu; /* none: all CPUs */
	size_t nr_cpu;
	int cgroup;	  /* a descriptor of its directory, or -1 */
	bool on_exec;	  /* the task is a command held before its exec, which starts the events */
	bool held;	  /* no sample is taken before sampler_start() */
	bool switches;	  /* also record switches to and from the tasks, unless that is refused */
	bool tracepoints; /* … with tracepoints of the scheduler, unless these are refused */
	struct sched_bpf *bpf; /* … or by these programs; NULL: there are none */
};

enum {
	STACK_COPY_DEFAULT = 32 * 1024,
	STACK_COPY_MAX = 65528, /* the kernel's limit: a record has less than 64 kB */
	/* A prime, so that samples are not in step with a program that works at 100 Hz. */
	FREQUENCY_DEFAULT = 997,
	/* A sample takes about 15 µs: at twice this rate the target would make no progress. */
	FREQUENCY_MAX = 30000,
	/*
	 * The ring buffer of a CPU holds the samples of half a second, at least ENOUGH and at most
	 * MAX; all of them together have at most RINGS_SIZE_MAX, unless ENOUGH for each is more.
	 * If the kernel refuses that much locked memory, they are halved, down to MIN, which holds
	 * a few stacks.
	 */
	RING_SIZE_MIN = 256 * 1024,
	RING_SIZE_ENOUGH = 2 * 1024 * 1024,
	RING_SIZE_MAX = 64 * 1024 * 1024,
	RINGS_SIZE_MAX = 256 * 1024 * 1024,
	/* Limit of records that are read early; further ones stay in the ring buffers, or are lost. */
	EARLY_SIZE_MAX = 256 * 1024 * 1024,
	/* With more descriptors than this, events get no twins with other copy sizes. */
	REACH_EVENTS_MAX = 320,
	/* With many CPUs, ring buffers for tracking and tracepoints are shrunk down to this size. */
	RING_SIZE_TRACKING = 512 * 1024,
	/* The ring buffer of a CPU for the scheduler's tracepoints: a thousand stacks. */
	RING_SIZE_WAITS = 16 * 1024 * 1024,
	/* The maximum stack copy of a waiting thread; half of that for a waker. */
	WAIT_COPY_MAX = 16 * 1024,
};

/* How much of the stack is copied with a sample, see copy_size.c. */
enum sampler_reach {
	REACH_ONLY,  /* the event has one copy size */
	REACH_USUAL, /* the requested size */
	REACH_SHORT, /* less, for programs with small stacks */
	REACH_LONG,  /* more, and with the kernel's frame-pointer chain */
};

/* A resource that may run out although events are permitted. */
enum sampler_scarce { SCARCE_NOTHING, SCARCE_FILES, SCARCE_MEMORY };

/* What a ring buffer is for.  Each CPU has one of each kind for which there are events. */
enum ring_kind {
	RING_SAMPLES,
	RING_TRACKING, /* processes, mappings and switches, which samples depend on */
	RING_WAITS,    /* tracepoints of the scheduler */
	NR_RING_KINDS,
};

struct sampler {
	/* By event: the requested ones, their twins with other copy sizes, and maybe a tracker. */
	struct perf_event_attr *attr; /* as the kernel accepted it */
	struct sampler_event {
		bool is_sampled;  /* false: it only tracks processes and mappings */
		bool is_switches; /* off-cpu: it records switches, and no samples */
		/*
		 * A tracepoint of the scheduler, and what its samples become: WAIT_RECORD_OUT or WAIT_RECORD_WAKE.
		 * It has its own ring buffers, so that too many samples cannot cause lost switches: times matter
		 * more than stacks.
		 */
		bool is_tracepoint;
		enum wait_record_kind says;
		/* … of all tasks, because any of them may wake one of the target's; without stack copies. */
		bool is_wide;
		bool is_stopped; /* … stopped by sampler_stop_tracepoint() */
		bool is_bpf; /* its records come from BPF programs: the kernel has no such event */
		uint32_t stands_for; /* itself, or the event whose twin or tracker it is */
		enum sampler_reach reach;
	} * event;
	size_t nr_attr;
	struct attrs attrs; /* the same events for decoding records, with their IDs */
	/*
	 * By CPU: the first nr_sampled_cpu are sampled; on the others, processes and mappings are
	 * tracked (a program that starts there may continue on a sampled one).
	 */
	int *cpu;
	size_t nr_sampled_cpu;
	size_t nr_cpu;
	/* By enum ring_kind and CPU. */
	struct ring *ring;
	int *ring_fd; /* the event that the ring buffer was mapped from, to poll; -1: none */
	size_t nr_ring;
	/* By event, CPU and task: */
	struct sampler_fd {
		int fd; /* -1: is_bpf */
		uint32_t event;
		uint64_t id; /* in the records that it writes */
		/* Replaced by another event, and only kept for its ring buffer. */
		bool is_replaced;
	} * fd;
	size_t nr_fd, cap_fd;
	size_t ring_size; /* of each ring buffer: bytes */
	bool no_room;	  /* the kernel refused a ring buffer of that size */
	bool on;	  /* sampling is enabled */
	bool no_switches; /* sampler_stop_switches() was called */
	size_t nr_wide;	  /* CPUs on which the events of all tasks (is_wide) have been opened */
	/* Records that were lost because ring buffers were full, of events that are closed by now. */
	struct sampler_lost {
		uint64_t samples, switches;
	} lost;
	/* records that were read while events were opened, see sampler_early.c */
	struct strbuf early;
	/* For copy_size.c: */
	enum sampler_reach reach; /* of the twins that are enabled; REACH_ONLY: there are none */
	bool no_short;		  /* there are no short twins, or none any more */
	unsigned nr_small;	  /* consecutive unwindings that needed little of the copy */
	unsigned nr_start;	  /* threads and processes that started */
	/* For sampler_makers.c: threads that start others. */
	struct sampler_maker {
		pid_t tid;
		unsigned nr_made;
		int fd; /* prevents its events from being swapped with those of its children; -1: none */
	} * maker;
	size_t nr_maker, cap_maker;
	bool wide; /* all tasks are sampled, see sampler_widen() */
	/* What was given up: */
	bool user_only;	 /* kernel code */
	bool clock_only; /* the hardware counter: the CPU clock instead */
	bool no_waits;	 /* switches, because a resource ran out (enum sampler_scarce) */
	/* Lowered to this, the kernel's maximum or FREQUENCY_MAX; 0: as requested */
	unsigned frequency;
	size_t nr_gone;		    /* tasks that exited before their events were opened */
	bool refused;		    /* events: not even the minimum was permitted */
	enum sampler_scarce scarce; /* … or this resource ran out */
	/* The caller's BPF programs, which record switches and wakeups (sched_bpf.h); NULL: events do. */
	struct sched_bpf *bpf;
	struct trace *trace; /* ptrace sampling, if events were refused; NULL: there are events */
	/* A hint: what would permit events, or all of them; or "". */
	char better[sizeof(((struct error *)0)->hint)];
};

/* Must be closed in any case.  Events are enabled at once, unless what->on_exec or what->held. */
int sampler_open(struct sampler *s, const struct sampling *what, struct error *e);
void sampler_close(struct sampler *s);

/* Raises the limit of descriptors to that many, if permitted. */
void sampler_raise_limit(size_t nr);

/* The error if every task of `what` exited before it had an event.  Always -1. */
int sampler_none_left(const struct sampling *what, struct error *e);

/*
 * Samples all tasks from now on, instead of those of `what`: this catches short-lived threads, and context switches
 * cost nothing.  The caller must drop the records of other processes.  After -1 (it may be refused), nothing has
 * changed.
 */
int sampler_widen(struct sampler *s, const struct sampling *what, struct error *e);

/* The first event that is sampled; SIZE_MAX: none. */
size_t sampler_find_sampled(const struct sampler *s);

/* Enables sampling. */
void sampler_start(struct sampler *s);

/* Disables sampling; if what->held was set, processes and mappings are still tracked. */
void sampler_pause(struct sampler *s);

/* The event that records switches (perf/wait_record.h), and one of its IDs; SIZE_MAX: none. */
size_t sampler_find_switches(const struct sampler *s, uint64_t *id);

/* Stops recording switches, because there are too many; and resumes it. */
void sampler_stop_switches(struct sampler *s);
void sampler_resume_switches(struct sampler *s);

/* The tracepoints of the scheduler: of the target's tasks, and of all. */
enum sampler_whose { WHOSE_TARGET, WHOSE_ALL };

/* Is there such a tracepoint that was not stopped? */
bool sampler_has_tracepoint(const struct sampler *s, enum wait_record_kind says,
			    enum sampler_whose whose);

/* Stops recording it, because it occurs too often. */
void sampler_stop_tracepoint(struct sampler *s, enum wait_record_kind says,
			     enum sampler_whose whose);

/* Disables everything, including tracking: no further records come. */
void sampler_stop(struct sampler *s);

/* PERF_FORMAT_LOST, which headers of older kernels do not have. */
enum { SAMPLER_FORMAT_LOST = 1 << 4 };

/*
 * sampler_lost.c: how many records were lost so far because ring buffers were full, without those of the
 * scheduler's tracepoints.  It reads the kernel's counters: LOST records do not say what was lost, and the last one
 * may be missing, because the kernel writes it before the next record that fits.
 */
struct sampler_lost sampler_lost(const struct sampler *s);

/* Does the kernel count losses by event (since 6.0)? */
bool sampler_counts_lost(const struct sampler *s);

/* Closes an event early, and keeps its count of lost records. */
void sampler_drop(struct sampler *s, const struct sampler_fd *fd);

/*
 * sampler_early.c: reads ring buffers that fill up before the main loop reads them, into `early`.
 */
void sampler_read_early(struct sampler *s);

/* Adds an event, and returns its number; the caller fills its attr. */
size_t sampler_new_event(struct sampler *s);

/* Adds the event's attr, now that the kernel has accepted it, to those for decoding records. */
void sampler_add_attr(struct sampler *s, size_t event);

/*
 * copy_size.c: gives the newest event twins with shorter and longer copies, if the size was not
 * requested.  They are opened with it, but disabled.
 */
void sampler_add_reaches(struct sampler *s, const struct sampling *what);

/* Sets the copy size of the long twins: the maximum, if ring buffers have their full size. */
void sampler_size_long(struct sampler *s, bool has_room);

/* Must the event stay disabled, because a twin of it is enabled? */
bool sampler_rests(const struct sampler *s, uint32_t event);

/*
 * Reports the unwinding of a copy of that event: was it too short (is_truncated), and how many bytes of
 * it were needed?  May enable a twin instead of the event.
 */
void sampler_see(struct sampler *s, uint32_t event, bool is_truncated, uint64_t need);

/* Reports a thread or a process that started and inherits the events: `r` is its FORK record. */
void sampler_see_start(struct sampler *s, const struct record *r);

/* sampler_makers.c: to be called when a thread has started another one, or has exited. */
void sampler_see_maker(struct sampler *s, pid_t maker);
void sampler_see_end(struct sampler *s, pid_t tid);
void sampler_forget_makers(struct sampler *s);

/* May a truncated stack still lead to a twin that copies more? */
bool sampler_may_need_more(const struct sampler *s);

/*
 * sampler_trace.c: falls back to ptrace sampling, after events were refused.  The error is that
 * refusal: it is cleared on success, and extended on failure.
 */
int sampler_open_trace(struct sampler *s, const struct sampling *what, struct error *e);

/* processors.c: a list like "0-3,5" as an array, which the caller frees. */
int processors_parse(struct span list, int **cpu, size_t *nr, struct error *e);

/* The same; an error if one of them is not online. */
int processors_choose(struct span list, int **cpu, size_t *nr, struct error *e);
int processors_online(int **cpu, size_t *nr, struct error *e);

/* event_attr.c: the perf_event_attr of an event. */
void attribute_init(struct perf_event_attr *a, const struct sampling *what,
		    const struct sampled *event);

/* The same for the event that records switches: its samples are those of perf/wait_record.h. */
void attribute_init_switches(struct perf_event_attr *a, const struct sampling *what);

/* The same for a tracepoint of the scheduler, whose samples can be written as that event's. */
void attribute_init_tracepoint(struct perf_event_attr *a, const struct sampling *what,
			       const struct sampled *event);

/* The same event for all tasks instead of some. */
void attribute_widen(struct perf_event_attr *a);

#endif
