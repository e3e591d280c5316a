/*
 * BPF programs at the tracepoints of the scheduler (sched_bpf_kernel.bpf.c): each switch to and from a thread
 * of the target, and each wakeup, with its time and stack.  The result is the records that switch events
 * and tracepoints would have written: PERF_RECORD_SWITCH, and samples with a wait record
 * (perf/wait_record.h), for less of the target's time, however many switches there are.
 *
 * Programs and their attachments belong to descriptors: if wick is killed, they are gone.
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
 * Loads and attaches the programs.  If `what` has neither tasks nor a command nor a cgroup, everything is
 * the target; a cgroup is; otherwise what is added.  Nothing is recorded before sched_bpf_set().  NULL: the error says what is missing.
 */
struct sched_bpf *sched_bpf_open(const struct sampling *what, struct error *e);
void sched_bpf_close(struct sched_bpf *b);

/* A target: a process, or a thread where what->follow is FOLLOW_NONE; maybe only from its next exec on. */
enum sched_bpf_from { SCHED_FROM_NOW, SCHED_FROM_EXEC };
void sched_bpf_add(struct sched_bpf *b, pid_t number, enum sched_bpf_from from);

/* The attrs of the events that the records are of: SCHED_BPF_SWITCH, SCHED_BPF_SAMPLE. */
void sched_bpf_describe(struct sched_bpf *b, const struct attr *switches,
			const struct attr *samples);

void sched_bpf_set(struct sched_bpf *b, bool on);

/* Appends the records so far. */
void sched_bpf_take(struct sched_bpf *b, struct strbuf *records);

/* A descriptor to poll, by edges: its ring buffer fills up. */
int sched_bpf_fd(const struct sched_bpf *b);

/* Sends all stacks once more: who reads the records from here on does not know those from before. */
void sched_bpf_repeat(struct sched_bpf *b);

/* How many events were lost so far. */
uint64_t sched_bpf_lost(const struct sched_bpf *b);

#endif
