/*
 * A recorder's observations about waits: the raw data of samples of the event `off-cpu`.  Switch
 * records of the same event give the times; these give stacks and reasons.  In a perf.data file they
 * are ordinary samples, so that the file contains everything that was shown live.
 */
#ifndef WICK_PERF_WAIT_RECORD_H
#define WICK_PERF_WAIT_RECORD_H

#include "base/fields.h"
#include "perf/event.h"
#include "perf/wait_reason.h"

/* The name of the event in profiles and files. */
#define OFF_CPU "off-cpu"

/* … and of CPU time without samples. */
#define UNSAMPLED "unsampled"

enum wait_record_kind {
	WAIT_RECORD_BEGIN, /* the recording begins: the thread is blocked, or running or ready (value) */
	WAIT_RECORD_SAMPLE,  /* a sample of a blocked thread, which has not run since `since` */
	WAIT_RECORD_ACCOUNT, /* the time that it has waited for a CPU since its start: value, ns */
	WAIT_RECORD_STOP, /* no thread: the recording pauses, because there are too many switches */
	WAIT_RECORD_END,  /* no thread: the recording ends or pauses */
	WAIT_RECORD_OUT,  /* a thread that is about to be switched out, with its stack */
	WAIT_RECORD_WAKE, /* a thread that wakes another one, `holder`, with its stack */
	/* The same, with the stack of the earlier OUT or WAKE with the same key. */
	WAIT_RECORD_OUT_AGAIN,
	WAIT_RECORD_WAKE_AGAIN,
	WAIT_RECORD_GONE, /* it existed at `since`, and has exited: the exit record may be lost */
	/*
	 * A thread that is switched in.  By the kernel's accounting, it was on a run queue from
	 * `since` on, and its CPU time since its start is `value`: ns.
	 */
	WAIT_RECORD_QUEUED,
	NR_WAIT_RECORDS,
};

/* The value of a WAIT_RECORD_BEGIN of a thread. */
enum wait_begin { BEGIN_BLOCKED, BEGIN_READY, NR_BEGINS };

/*
 * The value of the WAIT_RECORD_BEGIN without a thread, which is the first record.  CPU time without
 * samples becomes an event (UNSAMPLED) if all time of each thread is wanted (WALL), or if the
 * kernel only permits samples of user code (USER).
 */
enum wait_scope { SCOPE_WAITS, SCOPE_WALL_USER, SCOPE_WALL, SCOPE_USER, NR_SCOPES };

struct wait_record {
	enum wait_record_kind kind;
	enum wait_reason reason; /* this and the next four: for SAMPLE, and some for OUT */
	/*
	 * SAMPLE: when wick began to read the thread: ns.  ACCOUNT: the CPU time of the thread since its start,
	 * or 0.  OUT, WAKE: the key of the stack, or 0.  The lowest bits of a key are its slot (WAIT_SLOTS); a
	 * slot holds one stack at a time.  GONE, QUEUED: see above.
	 */
	uint64_t since;
	uint64_t lock;	     /* the address of the futex; 0: none */
	uint32_t holder;     /* the tid of its holder; 0: unknown */
	struct span channel; /* the kernel function in which the thread sleeps, or "" */
	/*
	 * SAMPLE: the sampling rate of blocked threads, per 1,000 s.  WAKE: an enum wait_waker.
	 * OUT: the kernel's state of the thread, or 0.  Other kinds: see above.
	 */
	uint64_t value;
};

enum { WAIT_SLOTS = 1 << 16 };

/* What woke a thread: another thread, or an interrupt. */
enum wait_waker { WAKER_THREAD, WAKER_INTERRUPT, NR_WAKERS };

/* Is it the event whose samples have such raw data? */
bool wait_record_is_of(const struct attr *a);

/* Encodes the raw data, and parses it; false if it is malformed, or not wick's. */
struct strbuf;
void wait_record_put(struct strbuf *to, const struct wait_record *w, enum byte_order order);
bool wait_record_parse(struct wait_record *w, struct span raw, enum byte_order order);

/* A sample that a recorder synthesizes, with such raw data; `abi` 0: without registers. */
struct wait_sample_parts {
	uint64_t id, ip, time;
	uint32_t pid, tid, cpu;
	const uint64_t *chain; /* with markers */
	size_t nr_chain;
	const struct wait_record *own;
	uint64_t abi; /* PERF_SAMPLE_REGS_ABI_ */
	const uint64_t *reg;
	size_t nr_reg;
	struct span stack; /* the stack copy */
};

/*
 * Appends the sample as the kernel would write it for that attr, one of attribute_init_switches().
 */
void wait_sample_encode(struct strbuf *to, const struct wait_sample_parts *s, const struct attr *a);

#endif
