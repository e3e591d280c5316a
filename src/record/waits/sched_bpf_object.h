/* The BPF programs of sched_bpf_kernel.bpf.c, compiled: scripts/embed-object makes the bytes. */
#ifndef WICK_RECORD_WAITS_SCHED_BPF_OBJECT_H
#define WICK_RECORD_WAITS_SCHED_BPF_OBJECT_H

#include <stddef.h>

extern const unsigned char sched_bpf_object[];
extern const size_t sched_bpf_object_size;

#endif
