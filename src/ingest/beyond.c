#include "ingest/beyond.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* Frames of half a megabyte are seen; no thread has more than this unless somebody asks for it. */
	FIRST = 1024 * 1024,
	MOST = 8 * 1024 * 1024,
};

void beyond_release(struct beyond *b)
{
	free(b->bytes);
	*b = (struct beyond){ 0 };
}

/* The copy, and behind it what is there now; false when that is no more. */
static bool extend(struct beyond *b, const struct record *r, uint64_t sp, size_t more,
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

bool beyond_walk(struct beyond *b, struct stacks *s, const struct process *process,
		 const struct record *r, const struct attr *a)
{
	struct sample longer = r->sample;
	struct unwind_registers reg;
	const struct unwind_arch *arch = stacks_registers(a, &r->sample, &reg);
	enum unwind_end end = UNWIND_CUT;

	if (!arch)
		return false;
	/* What the kernel found has no bytes. */
	longer.callchain.nr = 0;
	for (size_t more = FIRST; more <= MOST && end == UNWIND_CUT; more *= MOST / FIRST) {
		if (!extend(b, r, reg.value[arch->stack], more, &longer.stack))
			return false;
		end = stacks_walk(s, process, a, &longer);
	}
	return end == UNWIND_ROOT && s->unwinder->trail.nr;
}
