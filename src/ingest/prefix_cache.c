#include "ingest/prefix_cache.h"

#include "base/alloc.h"

#include <stdlib.h>

void prefix_cache_release(struct prefix_cache *cache)
{
	for (size_t i = 0; i < CACHED_PREFIXES; i++) {
		free(cache->prefix[i].word);
		free(cache->prefix[i].stack);
	}
	*cache = (struct prefix_cache){ 0 };
}

void prefix_cache_forget(struct prefix_cache *cache)
{
	for (size_t i = 0; i < CACHED_PREFIXES; i++)
		cache->prefix[i].process = NULL;
}

/* The number of addresses after the last marker, if that begins user frames; else 0. */
static size_t own_words(const struct chain *c)
{
	size_t i = c->nr;

	while (i && c->word[i - 1] < PERF_CONTEXT_MAX)
		i--;
	return i && c->word[i - 1] == PERF_CONTEXT_USER ? c->nr - i : 0;
}

struct cached_prefix *prefix_cache_of(struct prefix_cache *cache, const struct process *process,
				      uint32_t tid, const struct chain *c)
{
	struct cached_prefix *prefix = &cache->prefix[tid % CACHED_PREFIXES];

	if (process->dump || process->before || c->end != CHAIN_ROOT || c->nr > PROFILE_DEPTH_MAX)
		return NULL;
	if (prefix->process != process || prefix->tid != tid)
		prefix->nr = 0;
	prefix->process = process;
	prefix->tid = tid;
	prefix->length = own_words(c);
	return prefix;
}

size_t cached_prefix_share(struct cached_prefix *prefix, const struct chain *c)
{
	size_t nr = 0;

	/* The leaf is never shared: it is not a return address, so its frame differs. */
	while (nr + 1 < prefix->nr && nr + 1 < prefix->length &&
	       prefix->word[nr] == c->word[c->nr - 1 - nr])
		nr++;
	prefix->nr = nr;
	return nr;
}

stack_id cached_prefix_stack(const struct cached_prefix *prefix)
{
	return prefix->nr ? prefix->stack[prefix->nr - 1] : (stack_id){ 0 };
}

void cached_prefix_add(struct cached_prefix *prefix, uint64_t word, stack_id stack)
{
	if (prefix->nr == prefix->cap) {
		prefix->cap = prefix->cap ? 2 * prefix->cap : 64;
		prefix->word = xreallocarray(prefix->word, prefix->cap, sizeof(*prefix->word));
		prefix->stack = xreallocarray(prefix->stack, prefix->cap, sizeof(*prefix->stack));
	}
	prefix->word[prefix->nr] = word;
	prefix->stack[prefix->nr++] = stack;
}
