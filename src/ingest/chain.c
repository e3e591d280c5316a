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

/* A recorded chain word by word, and whose it is: the process's own part, or the kernel's. */
struct recorded {
	const struct words *chain;
	size_t next;
	uint64_t word;
	bool own, marker; /* a marker is of the part that it begins */
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
	/* What was to come did not; behind it is only its number. */
	return at->word != CONTEXT_USER_DEFERRED;
}

/* Did the kernel find any of the process's own stack? */
static bool has_own(const struct record *r)
{
	struct recorded at = recorded_begin(r);

	while (recorded_next(&at))
		if (at.own && !at.marker)
			return true;
	return false;
}

/* What the kernel says, and how it ends. */
static void push_recorded(struct chain *c, const struct record *r)
{
	struct recorded at = recorded_begin(r);
	unsigned nr_last = 0;
	bool any = false;

	while (recorded_next(&at)) {
		push(c, at.word);
		c->rooted |= any && !at.marker && nr_last > 1;
		any |= at.own && !at.marker;
		nr_last = at.marker ? nr_last + at.own : 0;
	}
	/* A chain of the kernel's that is too long may end in the marker of what has no room. */
	if (!any && nr_last)
		nr_last--;
	if (nr_last < NR_CHAIN_ENDS)
		c->end = (enum chain_end)nr_last;
}

/* The same without the process's own part. */
static void push_kernel(struct chain *c, const struct record *r)
{
	struct recorded at = recorded_begin(r);

	while (recorded_next(&at))
		if (!at.own)
			push(c, at.word);
}

/* Did the processor itself keep the calls that have not returned yet? */
static bool has_calls(const struct sample *s, const struct attr *a)
{
	return a->sample_type & PERF_SAMPLE_CALLCHAIN &&
	       a->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK &&
	       s->branches.nr >= BRANCH_WORDS;
}

/*
 * The process's own part is what the processor kept: where the last call went, and
 * where each came from.  These are addresses of calls, not of returns, hence the markers.
 * The kernel's part stays; false when the kernel did not look for another one.
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
	case UNWIND_CUT:
		return CHAIN_CUT;
	case UNWIND_NO_COPY:
		return CHAIN_NO_COPY;
	case UNWIND_NO_ROW:
	case UNWIND_BAD_PC:
	case UNWIND_LOOP:
		return CHAIN_NO_ROW;
	case UNWIND_TOO_DEEP:
		return CHAIN_TOO_DEEP;
	}
	return CHAIN_NO_ROW;
}

/* The process's own part, from the copy of its stack. */
static void push_walk(struct chain *c, struct stacks *s, const struct process *process,
		      const struct record *r, const struct attr *a)
{
	c->end = end_of_walk(stacks_walk(s, process, a, &r->sample));
	c->need = s->unwinder ? s->unwinder->need : 0;
	push(c, PERF_CONTEXT_USER);
	for (size_t i = 0; i < s->nr; i++) {
		/* Registers of a damaged recording hold anything. */
		if (s->frame[i].pc >= PERF_CONTEXT_MAX) {
			c->end = CHAIN_NO_ROW;
			break;
		}
		/* Below a signal handler is what it interrupted. */
		if (i && !s->frame[i].is_return)
			push(c, PERF_CONTEXT_USER);
		push(c, s->frame[i].pc);
	}
	for (unsigned i = 0; i < c->end; i++)
		push(c, PERF_CONTEXT_USER);
}

/* Is the process's own part to be found in the copy of its stack?  That knows more than the kernel. */
static bool is_copied(const struct record *r, const struct attr *a)
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
	c->rooted = false;
	c->ticket = 0;
	if (has_calls(&r->sample, a)) {
		if (push_calls(c, &r->sample))
			return;
		c->nr = 0;
	}
	c->walked = is_copied(r, a);
	if (c->walked) {
		push_kernel(c, r);
		push_walk(c, s, process, r, a);
	} else {
		push_recorded(c, r);
	}
}
