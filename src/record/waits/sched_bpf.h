/*
 * BPF programs at the scheduler's tracepoints (sched_bpf_kernel.bpf.c).  They record each context switch and
 * each wakeup of the target's threads, with time and stack, and produce the records that perf's switch events
 * and tracepoints would: PERF_RECORD_SWITCH, and samples with a wait record (perf/wait_record.h).  They cost the
 * target less time than those, at any rate of switches.
 *
 * The kernel removes the programs when their descriptors are closed, so a killed wick leaves nothing behind.
 *
 * Needs root (CAP_BPF and CAP_PERFMON), Linux 5.17 with BTF, and a wick that was built with libbpf and clang.
 */
#ifndef WICK_RECORD_WAITS_SCHED_BPF_H
#define WICK_RECORD_WAITS_SCHED_BPF_H

#include "base/error.h"
#include "perf/event.h"
#include "record/perf_events/sampler.h"

/* IDs of their events in records; those of the kernel's events are small. */
#define SCHED_BPF_SWITCH UINT64_C(0x7769636b00000001)
#define SCHED_BPF_SAMPLE UINT64_C(0x7769636b00000002)

struct sched_bpf;

/*
 * Loads and attaches the programs.  The target is the cgroup of `what`, or the whole machine if `what` has neither
 * tasks nor a command, and otherwise what sched_bpf_add() adds.  sched_bpf_set() starts recording.  NULL: the error
 * says what is missing.
 */
struct sched_bpf *sched_bpf_open(const struct sampling *what, struct error *e);
void sched_bpf_close(struct sched_bpf *b);

/* Adds a process to the target (a thread, if what->follow is FOLLOW_NONE), from now or from its next exec on. */
enum sched_bpf_from { SCHED_FROM_NOW, SCHED_FROM_EXEC };
void sched_bpf_add(struct sched_bpf *b, pid_t number, enum sched_bpf_from from);

/* Sets the attrs of the records with the IDs SCHED_BPF_SWITCH and SCHED_BPF_SAMPLE. */
void sched_bpf_describe(struct sched_bpf *b, const struct attr *switches,
			const struct attr *samples);

/* Starts or pauses recording. */
void sched_bpf_set(struct sched_bpf *b, bool on);

/* Appends the records since the last call. */
void sched_bpf_take(struct sched_bpf *b, struct strbuf *records);

/* A descriptor to poll, edge-triggered: readable when the ring buffer fills up. */
int sched_bpf_fd(const struct sched_bpf *b);

/* Makes the programs send each stack again, for a reader that has not seen the records so far. */
void sched_bpf_repeat(struct sched_bpf *b);

/* The number of events lost so far. */
uint64_t sched_bpf_lost(const struct sched_bpf *b);

#endif
