/*
 * A cache: the way from the root that the last sample of a thread took, as addresses and as stacks
 * of the profile.  The next sample mostly has the same outer callers: as far as their addresses are
 * the same, their frames and stacks need not be looked up again.
 */
#ifndef WICK_INGEST_WAYS_H
#define WICK_INGEST_WAYS_H

#include "ingest/chain.h"
#include "ingest/process.h"

/* Threads whose last way is remembered: one for each tid modulo this. */
enum { WAYS = 16 };

struct ways {
	struct way {
		const struct process *process; /* NULL: it was forgotten */
		uint32_t tid;
		uint64_t *word;	 /* addresses from the root on, … */
		stack_id *stack; /* … and the stack that each leads to */
		size_t nr, cap;
		size_t length; /* of the current sample's way: its last run of user addresses */
	} way[WAYS];
};

void ways_release(struct ways *w);

/* Something was mapped, or a process started over. */
void ways_forget(struct ways *w);

/*
 * The way of the thread, to compare with a chain.  NULL when equal addresses may be different
 * frames: in generated code, which changes, or during an exec; or if the chain is cut off.
 */
struct way *ways_of(struct ways *w, const struct process *process, uint32_t tid,
		    const struct chain *c);

/* How many addresses from the root on are the same in the chain; the others are forgotten. */
size_t way_share(struct way *way, const struct chain *c);

/* The stack that the shared addresses lead to. */
stack_id way_stack(const struct way *way);

/* Adds the next address, and the stack that it leads to; only while nr < length. */
void way_add(struct way *way, uint64_t word, stack_id stack);

#endif
