/*
 * The call chain of a sample, finished: what the kernel walked, and behind it
 * what is found by following the copy of the stack.  In the kernel's form, see
 * enum chain_end in event.h.
 */
#ifndef WICK_INGEST_CHAIN_H
#define WICK_INGEST_CHAIN_H

#include "event/event.h"
#include "ingest/stacks.h"

struct chain {
	uint64_t *word;
	size_t nr, cap;
	enum chain_end end;
	bool walked;	 /* by us: not as it was recorded */
	uint64_t need;	 /* … for which so many bytes of the stack were needed */
	bool rooted;	 /* cut off, with a root that was known when it was written */
	uint32_t ticket; /* of one that is cut off and may get a root, see cuts.h; 0: it will not */
};

void chain_release(struct chain *c);

/* That of a sample in that process; what was there before is gone. */
void chain_finish(struct chain *c, struct stacks *s, const struct process *process,
		  const struct record *r, const struct attr *a);

/* The same as those who write it take it. */
struct words chain_words(const struct chain *c);

#endif
