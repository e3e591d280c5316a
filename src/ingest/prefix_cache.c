#include "ingest/prefix_cache.h"

#include "base/alloc.h"

#include <stdlib.h>

void prefix_cache_release(struct prefix_cache *w)
{
	for (size_t i = 0; i < WAYS; i++) {
		free(w->way[i].word);
		free(w->way[i].stack);
	}
	*w = (struct prefix_cache){ 0 };
}

void prefix_cache_forget(struct prefix_cache *w)
{
	for (size_t i = 0; i < WAYS; i++)
		w->way[i].process = NULL;
}

/* How many addresses are behind the last marker, if that begins user frames; else 0. */
static size_t own_words(const struct chain *c)
{
	size_t i = c->nr;

	while (i && c->word[i - 1] < PERF_CONTEXT_MAX)
		i--;
	return i && c->word[i - 1] == PERF_CONTEXT_USER ? c->nr - i : 0;
}

struct way *prefix_cache_of(struct prefix_cache *w, const struct process *process, uint32_t tid,
			    const struct chain *c)
{
	struct way *way = &w->way[tid % WAYS];

	if (process->dump || process->before || c->end != CHAIN_ROOT || c->nr > PROFILE_DEPTH_MAX)
		return NULL;
	if (way->process != process || way->tid != tid)
		way->nr = 0;
	way->process = process;
	way->tid = tid;
	way->length = own_words(c);
	return way;
}

size_t way_share(struct way *way, const struct chain *c)
{
	size_t nr = 0;

	/* The leaf is never shared: it is no return address, so it makes another frame. */
	while (nr + 1 < way->nr && nr + 1 < way->length && way->word[nr] == c->word[c->nr - 1 - nr])
		nr++;
	way->nr = nr;
	return nr;
}

stack_id way_stack(const struct way *way)
{
	return way->nr ? way->stack[way->nr - 1] : (stack_id){ 0 };
}

void way_add(struct way *way, uint64_t word, stack_id stack)
{
	if (way->nr == way->cap) {
		way->cap = way->cap ? 2 * way->cap : 64;
		way->word = xreallocarray(way->word, way->cap, sizeof(*way->word));
		way->stack = xreallocarray(way->stack, way->cap, sizeof(*way->stack));
	}
	way->word[way->nr] = word;
	way->stack[way->nr++] = stack;
}
