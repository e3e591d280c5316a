/*
 * The interface between the BPF programs (sched_bpf_kernel.bpf.c) and their loader (sched_bpf.c): events in the
 * ring buffer, settings, and shared memory.
 */
#ifndef WICK_RECORD_WAITS_SCHED_BPF_EVENT_H
#define WICK_RECORD_WAITS_SCHED_BPF_EVENT_H

#include <stdint.h>

enum {
	/*
	 * Each stack is sent once; later events only have its key.  The lowest bits of a key select the slot that
	 * remembers it; ingest/ has the same slots (WAIT_SLOTS).
	 */
	SCHED_SLOTS = 1 << 16,
	/* Limit of stack copies per CPU and 100 ms: more would cost the target too much. */
	SCHED_COPIES_MAX = 500,
	SCHED_KERNEL_MAX = 64, /* frames of the kernel's call chain, … */
	SCHED_USER_MAX = 127,  /* … and of the target's, by frame pointers */
	/* Bytes of the stack: with the rest, a record has less than 64 KiB. */
	SCHED_COPY_MAX = 48 * 1024,
	/* The same if the end of the stack is unknown: memory beyond it would be copied, too. */
	SCHED_COPY_BLIND = 16 * 1024,
	SCHED_REGISTERS = 17, /* in the order of perf's numbers: ax to ip, r8 to r15 */
	/* Bytes of the ring buffer: half a second at 200,000 switches per second. */
	SCHED_RING_SIZE = 16 * 1024 * 1024,
	SCHED_TARGETS_MAX = 32 * 1024,
};

enum sched_kind {
	SCHED_IN,  /* a thread is switched in, … */
	SCHED_OUT, /* … or out, … */
	SCHED_WAKE /* … or wakes another one */
};

enum sched_flags {
	SCHED_PREEMPTED = 1, /* switched out while runnable */
	SCHED_INTERRUPT = 2, /* woken by an interrupt, not by the thread that it interrupted */
	SCHED_COPY = 4, /* a struct sched_copy, with the stack; other events only have its key */
	SCHED_32_BIT = 8,
};

#define SCHED_QUEUED_UNKNOWN UINT32_MAX

struct sched_event {
	uint64_t time; /* CLOCK_MONOTONIC: ns */
	uint64_t key;  /* of its stack; 0: unknown */
	uint32_t pid, tid;
	/* The next thread on this CPU, if it is a target, too; or the thread that is woken. */
	uint32_t to_pid, to_tid;
	uint32_t cpu;
	uint32_t kind, flags;
	/*
	 * The thread that is switched in (SCHED_IN, or `to` of SCHED_OUT): how long it was on run queues since it
	 * blocked, by the kernel's accounting: ns.
	 */
	uint32_t queued;
	uint64_t ran;	/* its CPU time since it started: ns */
	uint64_t state; /* SCHED_OUT: the kernel's state of the thread */
};

/* The stack copy extends to the end of the event; it is empty if there is no user stack. */
struct sched_copy {
	struct sched_event event;
	uint32_t nr_kernel, nr_user;
	uint64_t reg[SCHED_REGISTERS];
	uint64_t kernel[SCHED_KERNEL_MAX]; /* call chains, from the leaf */
	uint64_t user[SCHED_USER_MAX];
	uint64_t pad; /* so that a stack begins at a multiple of 16 bytes */
	uint8_t stack[SCHED_COPY_MAX];
};

/* Constant once the programs are loaded. */
struct sched_settings {
	uint32_t by_thread;    /* targets are threads, else processes */
	uint32_t all;	       /* the whole machine is the target */
	uint32_t follow;       /* children of targets are targets */
	uint32_t frame_chains; /* send the call chain by frame pointers, too */
	uint64_t group; /* targets are the threads of this cgroup and of those in it; 0: none */
};

/* The state of a target. */
enum sched_target { TARGET_RECORDED = 1, TARGET_HELD /* recorded from its exec on */ };

/* Memory that wick and the programs share. */
struct sched_shared {
	uint32_t on;
	uint32_t epoch;	  /* part of each key: when it changes, each stack is sent again */
	uint64_t nr_lost; /* events dropped because the ring buffer was full */
	uint64_t nr_full; /* targets dropped beyond SCHED_TARGETS_MAX */
	uint64_t slot[SCHED_SLOTS]; /* keys */
};

#endif
