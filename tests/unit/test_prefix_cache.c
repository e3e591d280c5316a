/* How much of a chain is as it was in the sample before. */
#include "ingest/prefix_cache.h"

#include "tap.h"

static struct prefix_cache cache;
static struct process process;

/* A chain of so many words; gives how many are shared, and remembers it. */
static size_t walk(uint32_t tid, uint64_t *word, size_t nr)
{
	struct chain c = { .word = word, .nr = nr, .end = CHAIN_ROOT };
	struct cached_prefix *prefix = prefix_cache_of(&cache, &process, tid, &c);
	size_t shared = cached_prefix_share(prefix, &c);

	for (size_t i = shared; i < prefix->length; i++)
		cached_prefix_add(prefix, word[nr - 1 - i],
				  (stack_id){ (uint32_t)(100 * tid + i + 1) });
	return shared;
}

#define WALK(tid, ...) \
	walk(tid, (uint64_t[]){ __VA_ARGS__ }, \
	     sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

int main(void)
{
	const uint64_t user = PERF_CONTEXT_USER, kernel = PERF_CONTEXT_KERNEL;
	uint64_t word[] = { user, 5, 3, 2, 1 };
	struct chain c = { .word = word, .nr = 5, .end = CHAIN_ROOT };

	is_int(WALK(1, user, 5, 3, 2, 1), 0, "a thread's first chain shares nothing");
	is_int(WALK(1, user, 6, 3, 2, 1), 3, "a chain with another leaf shares all its callers");
	is_int(cached_prefix_stack(&cache.prefix[1]).i, 104,
	       "the stack of a prefix is that of its last address");
	is_int(WALK(1, user, 6, 3, 2, 1), 3,
	       "the leaf of an equal chain is not shared: it is no return address");
	is_int(WALK(1, user, 3, 2, 1), 2, "a caller that is the leaf now is not shared");
	is_int(WALK(1, user, 7, 3, 2, 1), 2, "a leaf that is a caller now is not shared");
	is_int(WALK(1, kernel, 9, 8, user, 7, 3, 2, 1), 3,
	       "kernel frames do not change what the user's part shares");
	is_int(WALK(1, user, 7, 3, 4, 1), 1, "a chain shares callers up to the first that differs");
	is_int(WALK(1, kernel, 9, 8, 1), 0, "a chain of kernel frames alone shares nothing");
	is_int(WALK(1, user, 7, 3, 4, 1), 0,
	       "a chain of kernel frames alone replaces the cached prefix");
	is_int(WALK(1, user, 3, user, 4, 1), 1,
	       "an address that a signal interrupted is not shared: it is no return address");
	is_int(WALK(2, user, 7, 3, 4, 1), 0, "another thread has a prefix of its own");
	is_int(WALK(1 + CACHED_PREFIXES, user, 7, 3, 4, 1), 0,
	       "a thread does not share the prefix of another in its slot");
	prefix_cache_forget(&cache);
	is_int(WALK(2, user, 7, 3, 4, 1), 0, "nothing is shared after prefix_cache_forget()");

	ok(prefix_cache_of(&cache, &process, 1, &c), "a whole chain has a cached prefix");
	c.end = CHAIN_TRUNCATED;
	ok(!prefix_cache_of(&cache, &process, 1, &c), "a truncated chain has no cached prefix");
	c.end = CHAIN_ROOT;
	process.dump = 1;
	ok(!prefix_cache_of(&cache, &process, 1, &c),
	   "a chain through JIT-compiled code has no cached prefix");
	prefix_cache_release(&cache);
	return done();
}
