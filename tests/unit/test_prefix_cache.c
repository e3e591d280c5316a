/* How much of a chain is as it was in the sample before. */
#include "ingest/prefix_cache.h"

#include "tap.h"

static struct prefix_cache ways;
static struct process process;

/* A chain of so many words; gives how many are shared, and remembers it. */
static size_t walk(uint32_t tid, uint64_t *word, size_t nr)
{
	struct chain c = { .word = word, .nr = nr, .end = CHAIN_ROOT };
	struct way *way = prefix_cache_of(&ways, &process, tid, &c);
	size_t shared = way_share(way, &c);

	for (size_t i = shared; i < way->length; i++)
		way_add(way, word[nr - 1 - i], (stack_id){ (uint32_t)(100 * tid + i + 1) });
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
	is_int(way_stack(&ways.way[1]).i, 104, "the last word leads to the leaf");
	is_int(WALK(1, user, 6, 3, 2, 1), 3, "the leaf never is: it is no return address");
	is_int(WALK(1, user, 3, 2, 1), 2, "nor is what was a caller and is the leaf now");
	is_int(WALK(1, user, 7, 3, 2, 1), 2, "nor what was the leaf and is a caller now");
	is_int(WALK(1, kernel, 9, 8, user, 7, 3, 2, 1), 3, "the kernel's part is not asked");
	is_int(WALK(1, user, 7, 3, 4, 1), 1, "another way begins where it differs");
	is_int(WALK(1, kernel, 9, 8, 1), 0, "a chain of the kernel's alone shares nothing");
	is_int(WALK(1, user, 7, 3, 4, 1), 0, "and is not remembered");
	is_int(WALK(1, user, 3, user, 4, 1), 1, "what a signal interrupted is no return address");
	is_int(WALK(2, user, 7, 3, 4, 1), 0, "another thread has a way of its own");
	is_int(WALK(1 + WAYS, user, 7, 3, 4, 1), 0, "or takes another's place");
	prefix_cache_forget(&ways);
	is_int(WALK(2, user, 7, 3, 4, 1), 0, "what is forgotten is not shared");

	ok(prefix_cache_of(&ways, &process, 1, &c), "a whole chain has a way");
	c.end = CHAIN_CUT;
	ok(!prefix_cache_of(&ways, &process, 1, &c), "one that was cut has none");
	c.end = CHAIN_ROOT;
	process.dump = 1;
	ok(!prefix_cache_of(&ways, &process, 1, &c), "nor has one through generated code");
	prefix_cache_release(&ways);
	return done();
}
