/*
 * The ways that the last samples took from the root.  One sample of a thread mostly has the
 * same callers as the one before: as far as they are, their stacks need not be looked up.
 */
#ifndef WICK_INGEST_WAYS_H
#define WICK_INGEST_WAYS_H

#include "ingest/chain.h"
#include "ingest/process.h"

enum { WAYS = 16 };

struct ways {
	struct way {
		const struct process *process; /* NULL: nobody's */
		uint32_t tid;
		uint64_t *word;	 /* addresses from the root, … */
		stack_id *stack; /* … and where they lead */
		size_t nr, cap;
		size_t length; /* of the way that is looked at: the process's own words of a chain */
	} way[WAYS];
};

void ways_release(struct ways *w);

/* Something was mapped, or a process started over. */
void ways_forget(struct ways *w);

/*
 * The last way of that thread, to look at a chain; NULL when the chain's words do not tell all:
 * a place in generated code depends on the time, too.
 */
struct way *ways_of(struct ways *w, const struct process *process, uint32_t tid,
		    const struct chain *c);

/* How many words from the root are as they were; the others are forgotten. */
size_t way_share(struct way *way, const struct chain *c);

/* Where the root's words that are shared lead. */
stack_id way_stack(const struct way *way);

/* The next of its words, as long as there are fewer than its length, and where it leads. */
void way_add(struct way *way, uint64_t word, stack_id stack);

#endif
