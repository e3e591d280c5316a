#include "pack/preorder.h"

#include "base/alloc.h"
#include "base/rank.h"
#include "base/sort.h"

#include <stdlib.h>

/* Is the previous row the caller of a stack? */
static bool follows(const struct profile *p, size_t stack)
{
	return p->stack[stack].caller.i == stack - 1;
}

static void set_bit(uint64_t *bits, size_t stack)
{
	*bits |= UINT64_C(1) << stack % 64;
}

static bool is_fork(const struct preorder *o, size_t stack)
{
	return o->word[stack / 64].forks >> stack % 64 & 1;
}

/* The number of forks before this one. */
static size_t fork_rank(const struct preorder *o, size_t stack)
{
	const struct preorder_word *w = &o->word[stack / 64];

	return w->before + rank_bits(w->forks & ((UINT64_C(1) << stack % 64) - 1));
}

/*
 * Finds forks, which are callers with a callee that is not the next row, and ends of runs; returns
 * the number of forks.
 */
static size_t find_forks(struct preorder *o)
{
	const struct profile *p = o->p;
	size_t nr_word = p->nr_stack / 64 + 1;
	uint32_t nr = 0;

	o->word = xcalloc(nr_word, sizeof(*o->word));
	/* The root always counts as a fork: the walk begins with its callees. */
	set_bit(&o->word[0].forks, 0);
	for (size_t i = 1; i < p->nr_stack; i++) {
		if (follows(p, i))
			continue;
		set_bit(&o->word[p->stack[i].caller.i / 64].forks, p->stack[i].caller.i);
		set_bit(&o->word[(i - 1) / 64].ends, i - 1);
	}
	set_bit(&o->word[(p->nr_stack - 1) / 64].ends, p->nr_stack - 1);
	for (size_t i = 0; i < nr_word; i++) {
		o->word[i].ends |= o->word[i].forks;
		o->word[i].before = nr;
		nr += rank_bits(o->word[i].forks);
	}
	return nr;
}

/* Sorts the callees of a fork by name.  Usually they are few. */
static void sort_callees(uint64_t *callee, size_t nr)
{
	enum { FEW = 16 };

	if (nr > FEW) {
		sort_keys(callee, nr);
		return;
	}
	for (size_t i = 1; i < nr; i++) {
		uint64_t moved = callee[i];
		size_t to = i;

		for (; to > 0 && callee[to - 1] > moved; to--)
			callee[to] = callee[to - 1];
		callee[to] = moved;
	}
}

/* Lists the callees of forks, by fork, and those of each by name. */
static void list_callees(struct preorder *o, size_t nr_fork, const uint32_t *name)
{
	const struct profile *p = o->p;

	/* first[r + 2] counts the callees of fork r, and first[r + 1] is where its next one goes. */
	o->first = xcalloc(nr_fork + 2, sizeof(*o->first));
	for (size_t i = 1; i < p->nr_stack; i++)
		if (is_fork(o, p->stack[i].caller.i))
			o->first[fork_rank(o, p->stack[i].caller.i) + 2]++;
	for (size_t r = 0; r < nr_fork; r++)
		o->first[r + 2] += o->first[r + 1];
	o->callee = xcalloc(o->first[nr_fork + 1], sizeof(*o->callee));
	for (size_t i = 1; i < p->nr_stack; i++)
		if (is_fork(o, p->stack[i].caller.i))
			o->callee[o->first[fork_rank(o, p->stack[i].caller.i) + 1]++] =
				sort_key(name[p->stack[i].frame.i], i);
	for (size_t r = 0; r < nr_fork; r++)
		sort_callees(o->callee + o->first[r], o->first[r + 1] - o->first[r]);
}

void preorder_init(struct preorder *o, const struct profile *p, const uint32_t *name)
{
	*o = (struct preorder){ .p = p };
	list_callees(o, find_forks(o), name);
}

void preorder_release(struct preorder *o)
{
	free(o->word);
	free(o->callee);
	free(o->first);
	free(o->pending);
	*o = (struct preorder){ 0 };
}

/* Descends from o->at if it is a fork; returns the next pending callee, or 0: none is left. */
static uint32_t next_callee(struct preorder *o)
{
	struct pending *top;
	uint32_t at;

	if (is_fork(o, o->at)) {
		size_t caller = fork_rank(o, o->at);

		GROW(o->pending, o->nr, o->cap);
		o->pending[o->nr++] = (struct pending){ .next = o->first[caller],
							.end = o->first[caller + 1],
							.depth = o->depth + 1 };
	}
	while (o->nr && o->pending[o->nr - 1].next == o->pending[o->nr - 1].end)
		o->nr--;
	if (!o->nr)
		return 0;
	top = &o->pending[o->nr - 1];
	o->depth = top->depth;
	at = sort_what(o->callee[top->next++]);
	/* The next sibling is far away in memory, so it is prefetched. */
	if (top->next < top->end)
		__builtin_prefetch(&o->word[sort_what(o->callee[top->next]) / 64]);
	return at;
}

/* The last stack of the run that contains a stack. */
static uint32_t run_end(const struct preorder *o, uint32_t stack)
{
	size_t word = stack / 64;
	uint64_t ends = o->word[word].ends >> stack % 64;

	if (ends)
		return stack + (uint32_t)__builtin_ctzll(ends);
	while (!o->word[++word].ends)
		;
	return (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(o->word[word].ends);
}

bool preorder_next(struct preorder *o, struct preorder_run *run)
{
	uint32_t at = next_callee(o);

	if (!at)
		return false;
	*run = (struct preorder_run){ .first = at, .depth = o->depth };
	o->at = run_end(o, at);
	run->nr = o->at - run->first + 1;
	o->depth += run->nr - 1;
	return true;
}
