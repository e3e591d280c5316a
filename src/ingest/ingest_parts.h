/* What the files of ingest share: for ingest*.c only. */
#ifndef WICK_INGEST_INGEST_PARTS_H
#define WICK_INGEST_INGEST_PARTS_H

#include "ingest/ingest.h"

/* ingest_maps.c: a record of a mapping, and of code that the kernel generated (BPF). */
void ingest_map(struct ingest *g, const struct record *r);
void ingest_kernel_symbol(struct ingest *g, const struct record *r);

/* The owner of a part of a call chain; OTHER: a guest's or the hypervisor's. */
enum context { CONTEXT_KERNEL, CONTEXT_USER, CONTEXT_OTHER };

/* ingest_frames.c: where a record was taken, by its misc. */
enum context ingest_context(unsigned misc);

/* Pushes the frame of an address to g->frame. */
void ingest_push_ip(struct ingest *g, const struct process *process, enum context context,
		    uint64_t ip, unsigned flags);

/* Pushes a frame for each address of g->chain, from the leaf, except the last `shared` ones. */
void ingest_push_chain(struct ingest *g, const struct process *process, const struct record *r,
		       size_t shared);

/* The frame of an address in user code. */
frame_id ingest_user_frame(struct ingest *g, const struct process *process, uint64_t ip,
			   unsigned flags);

/*
 * ingest_roots.c: what the last unwinding says about the stacks of its thread: a root, or parts of
 * a truncated stack, which then has a ticket.
 */
void ingest_learn(struct ingest *g, const struct process *process, const struct record *r,
		  const struct attr *a);

#endif
