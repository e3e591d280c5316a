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

	ok(!root(o, before, 0), "a truncated stack has no root as long as none was seen");
	see(o, START, TRAIL({ 0x9000, 0xa000 }));
	is_int(root(o, before, 0), START,
	       "a truncated stack gets a root seen later if they share an address");
	is_int(cut(o, TRAIL({ 0x9ff8, 0xa000 })), START,
	       "a truncated stack next to the root's frame has that root");
	ok(!cut(o, TRAIL({ 0x6000, 0x8000 })),
	   "a truncated stack that only adjoins one with a root has no root");
	ok(!cut(o, TRAIL({ 0xa000, 0xa008 })), "a truncated stack above the root has no root");
	is_int(cut(o, TRAIL({ 0x6008, 0x8001 })), START,
	       "a truncated stack that joins a group to one with a root has that root");
	is_int(cut(o, TRAIL({ 0x6000, 0x6010 })), START,
	       "a truncated stack reaches a root through others that overlap");
	ok(!cut(o, TRAIL({ 0x4000, 0x4000 })), "an empty interval has no root");
	ok(!cut(o, TRAIL({ 0x5000, 0x4000 })),
	   "an interval that ends before it begins has no root");
	is_int(cut(o, TRAIL({ 0x100, 0x200 }, { 0x9100, 0x9108 })), START,
	       "a trail of two pieces has the root that one of them reaches");
	is_int(cut(o, TRAIL({ 0x180, 0x188 })), START,
	       "a truncated stack in any piece of a trail with a root has that root");
	ok(!cut(o, TRAIL({ 0x300, 0x308 })),
	   "a truncated stack between the pieces of a trail does not have its root");
	see(o, LOADER, TRAIL({ 0x9000, 0xa000 }));
	ok(!root(o, before, 0) && !cut(o, TRAIL({ 0x9000, 0x9100 })),
	   "no truncated stack has a root if its thread has two");
	origins_free(o);
}

static void test_first_thread(void)
{
	struct origins *o = origins_new(PID, FIRST);
	uint32_t before = origins_add_truncated(o, TRAIL({ 0x8000, 0x9100 })), between;

	see(o, LOADER, TRAIL({ 0x9000, 0xa000 }));
	between = origins_add_truncated(o, TRAIL({ 0x9000, 0x9100 }));
	ok(!root(o, between, 1), "the dynamic linker's root is not taken in the first thread");
	see(o, START, TRAIL({ 0x9000, 0x9ff0 }));
	is_int(cut(o, TRAIL({ 0x8000, 0x8100 })), START,
	       "the program's root is taken in the first thread");
	ok(!root(o, before, 0) && !root(o, between, 1),
	   "a stack truncated before the program's root was seen has no root");
	see(o, LOADER, TRAIL({ 0x9000, 0xa000 }));
	ok(!cut(o, TRAIL({ 0x8000, 0x8100 })),
	   "no truncated stack has a root after the dynamic linker's comes back");
	origins_free(o);

	o = origins_new(PID, FIRST);
	see(o, LOADER, TRAIL({ 0x9000, 0xa000 }));
	ok(!cut(o, TRAIL({ 0x9000, 0x9100 })),
	   "the only root of the first thread is not taken if it is not the program's");
	origins_free(o);
}

static void test_fibers(void)
{
	struct origins *o = origins_new(PID, OTHER);

	see(o, START, TRAIL({ 0x9000, 0xa000 }));
	ok(!cut(o, TRAIL({ 0x1000, 0x2000 })),
	   "a truncated stack apart from the thread's does not have its root");
	see(o, FIBER, TRAIL({ 0x1800, 0x2100 }));
	ok(!cut(o, TRAIL({ 0x1000, 0x2000 })) && !cut(o, TRAIL({ 0x9000, 0x9100 })),
	   "no truncated stack has a root if two stacks of its thread have roots");
	origins_free(o);

	o = origins_new(PID, OTHER);
	see(o, START, TRAIL({ 0x9000, 0xa000 }));
	see(o, START, TRAIL({ 0x1000, 0x2000 }));
	ok(!cut(o, TRAIL({ 0x9000, 0x9100 })),
	   "no truncated stack has a root if two stacks have the same function as root");
	origins_free(o);
}

static void test_hostile(void)
{
	struct origins *o = origins_new(PID, OTHER);
	struct unwind_trail none = { .nr = 0 };

	ok(!cut(o, &none), "a truncated stack without a trail has no root");
	see(o, START, &none);
	see(o, START, TRAIL({ 0x9000, 0x9000 }));
	is_int(o->nr_root, 0, "a root whose trail covers no address is ignored");
	see(o, START, TRAIL({ 0, UINT64_MAX }));
	is_int(cut(o, TRAIL({ UINT64_MAX - 8, UINT64_MAX })), START,
	       "a truncated stack at the last address has its root");
	is_int(cut(o, TRAIL({ 0, 8 })), START, "a truncated stack at address 0 has its root");
	is_int(o->nr, 1, "intervals that overlap are one piece");
	origins_free(o);

	o = origins_new(PID, OTHER);
	see(o, START, TRAIL({ 0x10, 0x20 }));
	for (uint64_t i = 1; i < 100000; i++)
		origins_add_truncated(o, TRAIL({ i << 20, (i << 20) + 8 }));
	ok(o->nr <= ORIGIN_PIECES_MAX && !cut(o, TRAIL({ 0x10, 0x20 })),
	   "no truncated stack has a root if its thread has more pieces than the limit");
	origins_free(o);

	o = origins_new(PID, OTHER);
	see(o, START, TRAIL({ 0xffff000, 0x10000000 }));
	for (uint64_t i = 1; i < 1000; i++)
		origins_add_truncated(
			o, TRAIL({ 0x10000000 - i * 0x2000, 0x10000000 - i * 0x2000 + 8 }));
	is_int(o->nr, 1000, "1,000 intervals that do not overlap are 1,000 pieces");
	is_int(cut(o, TRAIL({ 0x10000000 - 1000 * 0x2000, 0xffff008 })), START,
	       "a truncated stack over 1,000 pieces has the root of one of them");
	is_int(o->nr, 1, "a truncated stack over 1,000 pieces merges them into one");
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
