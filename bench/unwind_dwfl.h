/* The same walks by libdwfl, to compare with. */
#ifndef BENCH_UNWIND_DWFL_H
#define BENCH_UNWIND_DWFL_H

#include "ingest/process.h"
#include "unwind/unwind.h"

struct dwfl_peer;

/* All that a process has mapped; NULL when libdwfl cannot be had for it. */
struct dwfl_peer *dwfl_peer_new(const struct profile *p, const struct process *process);
void dwfl_peer_free(struct dwfl_peer *d);

/* How many frames it finds. */
size_t dwfl_peer_walk(struct dwfl_peer *d, const struct unwind_registers *r,
		      const struct unwind_stack *stack);

#endif
