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

	is_int(WALK(1, user, 5, 3, 2, 1), 0, "the first has nothing to share");
	is_int(WALK(1, user, 6, 3, 2, 1), 3, "all but the leaf");
	is_int(cached_prefix_stack(&cache.prefix[1]).i, 104, "the last word leads to the leaf");
	is_int(WALK(1, user, 6, 3, 2, 1), 3, "the leaf never is: it is no return address");
	is_int(WALK(1, user, 3, 2, 1), 2, "nor is what was a caller and is the leaf now");
	is_int(WALK(1, user, 7, 3, 2, 1), 2, "nor what was the leaf and is a caller now");
	is_int(WALK(1, kernel, 9, 8, user, 7, 3, 2, 1), 3, "the kernel's part is not asked");
	is_int(WALK(1, user, 7, 3, 4, 1), 1, "another prefix begins where it differs");
	is_int(WALK(1, kernel, 9, 8, 1), 0, "a chain of the kernel's alone shares nothing");
	is_int(WALK(1, user, 7, 3, 4, 1), 0, "and is not remembered");
	is_int(WALK(1, user, 3, user, 4, 1), 1, "what a signal interrupted is no return address");
	is_int(WALK(2, user, 7, 3, 4, 1), 0, "another thread has a prefix of its own");
	is_int(WALK(1 + CACHED_PREFIXES, user, 7, 3, 4, 1), 0, "or takes another's place");
	prefix_cache_forget(&cache);
	is_int(WALK(2, user, 7, 3, 4, 1), 0, "what is forgotten is not shared");

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
