/*
 * The complete call chain of a sample: the kernel's frames, as recorded, then the user frames, from
 * unwinding the stack copy.  It has the form in which the kernel writes chains, with markers; those
 * that wick adds at the end say why a chain does not reach its root (see enum chain_end).
 */
#ifndef WICK_INGEST_CHAIN_H
#define WICK_INGEST_CHAIN_H

#include "ingest/stacks.h"
#include "perf/event.h"

struct chain {
	uint64_t *word; /* addresses and markers, from the leaf */
	size_t nr, cap;
	enum chain_end end;
	bool walked;	       /* the user frames were unwound by wick, not recorded */
	uint64_t need;	       /* … using this many bytes of the stack copy */
	enum unwind_end ended; /* … and why unwinding ended */
	bool rooted;	       /* frames are missing, but the root beyond the gap is known */
	/* Of a truncated chain that may get a root later (truncated.h); 0: none. */
	uint32_t ticket;
};

void chain_release(struct chain *c);

/* Builds the chain of a sample in that process, replacing the previous one. */
void chain_finish(struct chain *c, struct stacks *s, const struct process *process,
		  const struct record *r, const struct attr *a);

/* Its words, as recording_add_open_sample() takes them. */
struct words chain_words(const struct chain *c);

#endif
