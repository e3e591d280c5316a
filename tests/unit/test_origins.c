/* Which root a cut stack has, by intervals alone: proved, or none. */
#include "ingest/origins.h"

#include "base/alloc.h"
#include "tap.h"

enum { PID = 7, FIRST = 7, OTHER = 8, START = 0x1000, LOADER = 0x2000, FIBER = 0x3000 };

#define TRAIL(...) \
	(&(struct unwind_trail){ .piece = { __VA_ARGS__ }, \
				 .nr = sizeof((struct unwind_piece[]){ __VA_ARGS__ }) / \
				       sizeof(struct unwind_piece) })

static void see(struct origins *o, uint64_t pc, const struct unwind_trail *t)
{
	origins_add_root(o, t, &(struct origin){ .pc = pc, .of_program = pc == START });
}

/* The root of a walk that was seen when so many roots were known; 0: none. */
static uint64_t root(struct origins *o, uint32_t group, unsigned nr_root)
{
	const struct origin *found = group == ORIGIN_NONE ? NULL : origins_find(o, group, nr_root);

	return found ? found->pc : 0;
}

/* One that has just been seen. */
static uint64_t cut(struct origins *o, const struct unwind_trail *t)
{
	uint32_t group = origins_add_truncated(o, t);

	return root(o, group, o->nr_root);
}

static void test_thread(void)
{
	struct origins *o = origins_new(PID, OTHER);
	uint32_t before = origins_add_truncated(o, TRAIL({ 0x8000, 0x9100 }));

	ok(!root(o, before, 0), "as long as no root was seen there is none");
	see(o, START, TRAIL({ 0x9000, 0xa000 }));
	is_int(root(o, before, 0), START, "one byte that both have seen is enough, also later");
	is_int(cut(o, TRAIL({ 0x9ff8, 0xa000 })), START, "the whole stack counts, up to its root");
	ok(!cut(o, TRAIL({ 0x6000, 0x8000 })), "what only touches it may be another stack");
	ok(!cut(o, TRAIL({ 0xa000, 0xa008 })), "so may what is behind the root");
	is_int(cut(o, TRAIL({ 0x6008, 0x8001 })), START, "a walk between two of them joins them");
	is_int(cut(o, TRAIL({ 0x6000, 0x6010 })), START, "and reaches the root through the others");
	ok(!cut(o, TRAIL({ 0x4000, 0x4000 })), "nothing is of no stack");
	ok(!cut(o, TRAIL({ 0x5000, 0x4000 })), "nor is what ends before it begins");
	is_int(cut(o, TRAIL({ 0x100, 0x200 }, { 0x9100, 0x9108 })), START,
	       "pieces of one walk are of one stack");
	is_int(cut(o, TRAIL({ 0x180, 0x188 })), START, "each of them");
	ok(!cut(o, TRAIL({ 0x300, 0x308 })), "but not what is between: a frame may hold a stack");
	see(o, LOADER, TRAIL({ 0x9000, 0xa000 }));
	ok(!root(o, before, 0) && !cut(o, TRAIL({ 0x9000, 0x9100 })),
	   "a thread that has two roots has none for sure");
	origins_free(o);
}

static void test_first_thread(void)
{
	struct origins *o = origins_new(PID, FIRST);
	uint32_t before = origins_add_truncated(o, TRAIL({ 0x8000, 0x9100 })), between;

	see(o, LOADER, TRAIL({ 0x9000, 0xa000 }));
	between = origins_add_truncated(o, TRAIL({ 0x9000, 0x9100 }));
	ok(!root(o, between, 1), "the loader's root gives way");
	see(o, START, TRAIL({ 0x9000, 0x9ff0 }));
	is_int(cut(o, TRAIL({ 0x8000, 0x8100 })), START, "the program's stays");
	ok(!root(o, before, 0) && !root(o, between, 1),
	   "what was cut off before it was seen may be the loader's");
	see(o, LOADER, TRAIL({ 0x9000, 0xa000 }));
	ok(!cut(o, TRAIL({ 0x8000, 0x8100 })), "a root that comes back was never the only one");
	origins_free(o);

	o = origins_new(PID, FIRST);
	see(o, LOADER, TRAIL({ 0x9000, 0xa000 }));
	ok(!cut(o, TRAIL({ 0x9000, 0x9100 })),
	   "a root that is not in the program may be a loader's");
	origins_free(o);
}

static void test_fibers(void)
{
	struct origins *o = origins_new(PID, OTHER);

	see(o, START, TRAIL({ 0x9000, 0xa000 }));
	ok(!cut(o, TRAIL({ 0x1000, 0x2000 })), "a stack of its own has no root of the thread's");
	see(o, FIBER, TRAIL({ 0x1800, 0x2100 }));
	ok(!cut(o, TRAIL({ 0x1000, 0x2000 })) && !cut(o, TRAIL({ 0x9000, 0x9100 })),
	   "with roots in two places nothing is certain");
	origins_free(o);

	o = origins_new(PID, OTHER);
	see(o, START, TRAIL({ 0x9000, 0xa000 }));
	see(o, START, TRAIL({ 0x1000, 0x2000 }));
	ok(!cut(o, TRAIL({ 0x9000, 0x9100 })), "even if it is the same function");
	origins_free(o);
}

static void test_hostile(void)
{
	struct origins *o = origins_new(PID, OTHER);
	struct unwind_trail none = { .nr = 0 };

	ok(!cut(o, &none), "a walk without a trail is cut off");
	see(o, START, &none);
	see(o, START, TRAIL({ 0x9000, 0x9000 }));
	is_int(o->nr_root, 0, "a root without a stack is none");
	see(o, START, TRAIL({ 0, UINT64_MAX }));
	is_int(cut(o, TRAIL({ UINT64_MAX - 8, UINT64_MAX })), START, "addresses go up to the last");
	is_int(cut(o, TRAIL({ 0, 8 })), START, "and down to the first");
	is_int(o->nr, 1, "all of it is one piece");
	origins_free(o);

	o = origins_new(PID, OTHER);
	see(o, START, TRAIL({ 0x10, 0x20 }));
	for (uint64_t i = 1; i < 100000; i++)
		origins_add_truncated(o, TRAIL({ i << 20, (i << 20) + 8 }));
	ok(o->nr <= ORIGIN_PIECES_MAX && !cut(o, TRAIL({ 0x10, 0x20 })),
	   "more pieces than a thread has are not kept, and prove nothing");
	origins_free(o);

	o = origins_new(PID, OTHER);
	see(o, START, TRAIL({ 0xffff000, 0x10000000 }));
	for (uint64_t i = 1; i < 1000; i++)
		origins_add_truncated(
			o, TRAIL({ 0x10000000 - i * 0x2000, 0x10000000 - i * 0x2000 + 8 }));
	is_int(o->nr, 1000, "many pieces");
	is_int(cut(o, TRAIL({ 0x10000000 - 1000 * 0x2000, 0xffff008 })), START, "become one");
	is_int(o->nr, 1, "by one walk that goes over all");
	origins_free(o);
}

int main(void)
{
	test_thread();
	test_first_thread();
	test_fibers();
	test_hostile();
	return done();
}
