/*
 * The prefix cache: the path from the root of each thread's last sample, as addresses and as stacks
 * of the profile.  The next sample usually has the same outer callers: as long as their addresses
 * are the same, their frames and stacks need not be looked up again.
 */
#ifndef WICK_INGEST_PREFIX_CACHE_H
#define WICK_INGEST_PREFIX_CACHE_H

#include "ingest/chain.h"
#include "ingest/process.h"

/* Number of cached threads: one for each tid modulo this. */
enum { CACHED_PREFIXES = 16 };

struct prefix_cache {
	struct cached_prefix {
		const struct process *process; /* NULL: invalidated */
		uint32_t tid;
		uint64_t *word;	 /* addresses from the root on, … */
		stack_id *stack; /* … and the stack that each leads to */
		size_t nr, cap;
		size_t length; /* of the current sample's path: its last run of user addresses */
	} prefix[CACHED_PREFIXES];
};

void prefix_cache_release(struct prefix_cache *cache);

/* To be called when something was mapped, or a process was replaced by an exec. */
void prefix_cache_forget(struct prefix_cache *cache);

/*
 * The cached path of the thread, to compare with a chain.  NULL if equal addresses may be different
 * frames: in JIT-compiled code, which changes, or during an exec; or if the chain is truncated.
 */
struct cached_prefix *prefix_cache_of(struct prefix_cache *cache, const struct process *process,
				      uint32_t tid, const struct chain *c);

/*
 * The number of addresses, from the root, that are the same in the chain; the others are dropped.
 */
size_t cached_prefix_share(struct cached_prefix *prefix, const struct chain *c);

/* The stack that the shared addresses lead to. */
stack_id cached_prefix_stack(const struct cached_prefix *prefix);

/* Adds the next address, and the stack that it leads to; only while nr < length. */
void cached_prefix_add(struct cached_prefix *prefix, uint64_t word, stack_id stack);

#endif
