/*
 * The whole call chain of a sample: the kernel's frames, which it found itself,
 * and behind them the user frames, which we find by unwinding the copy of the
 * stack.  In the form that the kernel writes chains in, with markers; those that
 * we add at the end tell why a chain does not reach its root (see enum chain_end
 * in event.h).
 */
#ifndef WICK_INGEST_CHAIN_H
#define WICK_INGEST_CHAIN_H

#include "event/event.h"
#include "ingest/stacks.h"

struct chain {
	uint64_t *word; /* addresses and markers, from the leaf */
	size_t nr, cap;
	enum chain_end end;
	bool walked;	 /* the user frames are ours, not as they were recorded */
	uint64_t need;	 /* … and so many bytes of the copy were needed for them */
	bool rooted;	 /* read from a file: cut off, but with its root behind the gap */
	uint32_t ticket; /* if it is cut off and may get a root later (cuts.h); 0: it will not */
};

void chain_release(struct chain *c);

/* Makes the chain of a sample in that process, in place of the one before. */
void chain_finish(struct chain *c, struct stacks *s, const struct process *process,
		  const struct record *r, const struct attr *a);

/* Its words, as recording_add_open_sample() takes them. */
struct words chain_words(const struct chain *c);

#endif
