#include "ingest/late_root.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* Enough for nearly all stacks: one function of rustc has a frame of 540 kB. */
	FIRST = 1024 * 1024,
	/* Then the whole stack: its usual limit (ulimit -s). */
	MOST = 8 * 1024 * 1024,
};

void late_root_release(struct late_root *b)
{
	free(b->bytes);
	*b = (struct late_root){ 0 };
}

/* Extends the copy by the current contents of the process's stack; false: nothing could be read. */
static bool extend(struct late_root *b, const struct record *r, uint64_t sp, size_t more,
		   struct span *stack)
{
	struct span copy = r->sample.stack;
	size_t n;

	if (b->cap < copy.size + more) {
		b->cap = copy.size + more;
		b->bytes = xreallocarray(b->bytes, b->cap, 1);
	}
	memcpy(b->bytes, copy.at, copy.size);
	n = b->read(b->arg, r->pid, sp + copy.size, b->bytes + copy.size, more);
	*stack = (struct span){ b->bytes, copy.size + n };
	return n > 0;
}

bool late_root_walk(struct late_root *b, struct stacks *s, const struct process *process,
		    const struct record *r, const struct attr *a)
{
	struct sample longer = r->sample;
	struct unwind_registers reg;
	const struct unwind_arch *arch = stacks_registers(a, &r->sample, &reg);
	enum unwind_end end = UNWIND_TRUNCATED;

	if (!arch)
		return false;
	/* The kernel's call chain would be spliced in, and proves nothing about addresses. */
	longer.callchain.nr = 0;
	for (size_t more = FIRST; more <= MOST && end == UNWIND_TRUNCATED; more *= MOST / FIRST) {
		if (!extend(b, r, reg.value[arch->stack], more, &longer.stack))
			return false;
		end = stacks_walk(s, process, a, &longer);
	}
	return end == UNWIND_ROOT && s->unwinder->trail.nr;
}
