#include "ingest/chain.h"

#include "base/alloc.h"

#include <stdlib.h>

void chain_release(struct chain *c)
{
	free(c->word);
	*c = (struct chain){ 0 };
}

struct words chain_words(const struct chain *c)
{
	return (struct words){ .at = (const char *)c->word, .nr = c->nr, .order = ORDER_HOST };
}

static void push(struct chain *c, uint64_t word)
{
	GROW(c->word, c->nr, c->cap);
	c->word[c->nr++] = word;
}

/* Goes through a recorded chain word by word. */
struct recorded {
	const struct words *chain;
	size_t next;
	uint64_t word;
	bool marker; /* it is a PERF_CONTEXT_ marker, not an address */
	bool own;    /* it belongs to the user part, as does the marker that begins it */
};

static struct recorded recorded_begin(const struct record *r)
{
	return (struct recorded){ .chain = &r->sample.callchain,
				  .own = (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
					 PERF_RECORD_MISC_USER };
}

static bool recorded_next(struct recorded *at)
{
	if (at->next == at->chain->nr)
		return false;
	at->word = word_at(at->chain, at->next++);
	at->marker = at->word >= PERF_CONTEXT_MAX;
	if (at->marker)
		at->own = at->word == PERF_CONTEXT_USER;
	/* The user part was deferred and never recorded: only a number follows this marker. */
	return at->word != CONTEXT_USER_DEFERRED;
}

/* Did the kernel find any user frame? */
static bool has_own(const struct record *r)
{
	struct recorded at = recorded_begin(r);

	while (recorded_next(&at))
		if (at.own && !at.marker)
			return true;
	return false;
}

/*
 * The chain as it was recorded.  The number of user markers at its end is the reason why it ends there (enum
 * chain_end); two or more between user frames and a last address mean that frames are missing before the root.
 */
static void push_recorded(struct chain *c, const struct record *r)
{
	struct recorded at = recorded_begin(r);
	unsigned nr_marker = 0; /* user markers in a row, up to here */
	bool any = false;	/* there was a user frame */

	while (recorded_next(&at)) {
		push(c, at.word);
		c->rooted |= any && !at.marker && nr_marker > 1;
		any |= at.own && !at.marker;
		nr_marker = at.marker ? nr_marker + at.own : 0;
	}
	/* If kernel frames fill the chain, the marker of the user part is the last word that fits. */
	if (!any && nr_marker)
		nr_marker--;
	if (nr_marker < NR_CHAIN_ENDS)
		c->end = (enum chain_end)nr_marker;
}

/* The chain as it was recorded, without the user part. */
static void push_kernel(struct chain *c, const struct record *r)
{
	struct recorded at = recorded_begin(r);

	while (recorded_next(&at))
		if (!at.own)
			push(c, at.word);
}

/* Did the processor record the call stack (LBR)? */
static bool has_calls(const struct sample *s, const struct attr *a)
{
	return a->sample_type & PERF_SAMPLE_CALLCHAIN &&
	       a->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK &&
	       s->branches.nr >= BRANCH_WORDS;
}

/*
 * The kernel's part as recorded, and the user part from the branch stack: the target of the last call, and the
 * source of each call.  These are addresses of calls, not return addresses, so a marker precedes each.  False: the
 * chain has no user part.
 */
static bool push_calls(struct chain *c, const struct sample *s)
{
	uint64_t word = 0;

	for (size_t i = 0; i < s->callchain.nr && word != PERF_CONTEXT_USER; i++) {
		word = word_at(&s->callchain, i);
		push(c, word);
	}
	if (word != PERF_CONTEXT_USER)
		return false;
	push(c, word_at(&s->branches, BRANCH_TO));
	for (size_t i = BRANCH_FROM; i < s->branches.nr; i += BRANCH_WORDS) {
		push(c, PERF_CONTEXT_USER);
		push(c, word_at(&s->branches, i));
	}
	return true;
}

static enum chain_end end_of_walk(enum unwind_end end)
{
	switch (end) {
	case UNWIND_ROOT:
		return CHAIN_ROOT;
	case UNWIND_TRUNCATED:
		return CHAIN_TRUNCATED;
	case UNWIND_NO_COPY:
		return CHAIN_NO_COPY;
	case UNWIND_NO_ROW:
	case UNWIND_BAD_PC:
	case UNWIND_LOOP:
	case UNWIND_EDGE:
		return CHAIN_NO_ROW;
	case UNWIND_TOO_DEEP:
		return CHAIN_TOO_DEEP;
	}
	return CHAIN_NO_ROW;
}

/* Ends the chain with its root, after a gap: see enum chain_end. */
static void push_root(struct chain *c, uint64_t root)
{
	push(c, PERF_CONTEXT_USER);
	push(c, PERF_CONTEXT_USER);
	push(c, root);
	c->rooted = true;
	c->end = CHAIN_ROOT;
}

/* Unwinds the copy of the stack: the user part. */
static void push_walk(struct chain *c, struct stacks *s, const struct process *process,
		      const struct record *r, const struct attr *a)
{
	bool is_damaged = false;
	uint64_t root;

	c->ended = stacks_walk(s, process, a, &r->sample);
	c->end = end_of_walk(c->ended);
	c->need = s->unwinder ? s->unwinder->need : 0;
	root = s->unwinder ? s->unwinder->root : 0;
	push(c, PERF_CONTEXT_USER);
	for (size_t i = 0; i < s->nr; i++) {
		/* In a malformed recording, an address may look like a marker. */
		if (s->frame[i].pc >= PERF_CONTEXT_MAX) {
			c->end = CHAIN_NO_ROW;
			is_damaged = true;
			break;
		}
		/* The address that a signal interrupted is not a return address: a marker says so. */
		if (i && !s->frame[i].is_return)
			push(c, PERF_CONTEXT_USER);
		push(c, s->frame[i].pc);
	}
	if (!is_damaged && (c->ended == UNWIND_EDGE || c->ended == UNWIND_TRUNCATED) && root)
		push_root(c, root);
	for (unsigned i = 0; i < c->end; i++)
		push(c, PERF_CONTEXT_USER);
}

/*
 * Should wick unwind the user part?  Always if there is a stack copy, which gives more frames than frame pointers.
 * If there are only registers, they give the leaf if the kernel found no user frame.
 */
static bool is_walked(const struct record *r, const struct attr *a)
{
	return stacks_start(a, &r->sample) &&
	       (a->sample_type & PERF_SAMPLE_STACK_USER || !has_own(r));
}

void chain_finish(struct chain *c, struct stacks *s, const struct process *process,
		  const struct record *r, const struct attr *a)
{
	c->nr = 0;
	c->end = CHAIN_ROOT;
	c->walked = false;
	c->need = 0;
	c->ended = UNWIND_ROOT;
	c->rooted = false;
	c->ticket = 0;
	if (has_calls(&r->sample, a)) {
		if (push_calls(c, &r->sample))
			return;
		c->nr = 0;
	}
	c->walked = is_walked(r, a);
	if (c->walked) {
		push_kernel(c, r);
		push_walk(c, s, process, r, a);
	} else {
		push_recorded(c, r);
	}
}
