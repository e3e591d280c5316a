/* Arena and intern table. */
#include "base/intern.h"

#include "base/alloc.h"
#include "random.h"
#include "span_tap.h"

#include <stdlib.h>

static void test_arena(void)
{
	struct arena a = { 0 };
	struct random r = { 7 };
	enum { NR = 3000 };
	unsigned char **p = xcalloc(NR, sizeof(*p));
	size_t *size = xcalloc(NR, sizeof(*size));
	bool aligned = true, apart = true;

	for (size_t i = 0; i < NR; i++) {
		/* Now and then more than a block holds. */
		size[i] = i % 500 ? random_below(&r, 200) : 200000;
		p[i] = arena_take(&a, size[i]);
		aligned &= !((uintptr_t)p[i] % 8);
		memset(p[i], (int)(i % 251), size[i]);
	}
	for (size_t i = 0; i < NR; i++)
		for (size_t k = 0; k < size[i]; k++)
			apart &= p[i][k] == i % 251;
	ok(aligned, "what an arena gives is aligned");
	ok(apart, "no two pieces share a byte");
	ok(a.used >= 6 * 200000, "it knows what it gave away");
	arena_release(&a);
	ok(!a.block && !a.used, "release leaves zeros");
	arena_release(&a);
	free(p);
	free(size);
}

static struct span name_of(uint32_t i, char *buf, size_t size)
{
	/* Of every length, so that every kind of end is met. */
	int n = snprintf(buf, size, "%u::%.*s", i * 7919, (int)(i % 24),
			 "abcdefghijklmnopqrstuvwx");

	return (struct span){ .at = buf, .size = (size_t)n };
}

static void test_many(void)
{
	enum { NR = 10000 };
	struct intern t = { 0 };
	bool numbered = true, found = true, same = true, ended = true;
	char buf[64];

	for (uint32_t i = 0; i < NR; i++)
		numbered &= intern(&t, name_of(i, buf, sizeof(buf))) == i;
	for (uint32_t i = 0; i < NR; i++) {
		struct span s = name_of(i, buf, sizeof(buf));

		same &= intern(&t, s) == i;
		found &= intern_find(&t, s, intern_hash(s)) == i;
		found &= span_eq(intern_peek(&t, i), s);
		ended &= !intern_peek(&t, i).at[s.size];
	}
	ok(numbered, "10 000 strings get the numbers 0, 1, 2, ...");
	ok(same, "and the same numbers when they come again");
	ok(found, "they are found, and peeked at, after all the growing");
	ok(ended, "each is NUL-terminated");
	is_int(t.nr, NR, "and none is there twice");
	is_int(intern_find(&t, SPAN("7919::b"), intern_hash(SPAN("7919::b"))), INTERN_NONE,
	       "what was never added is not found");
	is_int(t.nr, NR, "and looking does not add");
	intern_release(&t);
}

static void test_bytes(void)
{
	struct intern t = { 0 };

	is_int(intern_find(&t, SPAN("a"), intern_hash(SPAN("a"))), INTERN_NONE,
	       "a table of zeros holds nothing");
	is_int(intern(&t, (struct span){ 0 }), 0, "nothing is a string");
	is_int(intern(&t, SPAN("")), 0, "the empty one");
	is_int(intern(&t, SPAN("\0")), 1, "a NUL byte is another");
	is_int(intern(&t, SPAN("a\0b")), 2, "bytes behind a NUL");
	is_int(intern(&t, SPAN("a\0c")), 3, "tell strings apart");
	is_int(intern(&t, SPAN("a")), 4, "and so does their number");
	is_bytes(intern_peek(&t, 3), SPAN("a\0c"), "all of them are kept");
	is_int(intern(&t, SPAN("a\0b")), 2, "and recognized");
	intern_release(&t);
	is_int(intern(&t, SPAN("x")), 0, "a released table starts anew");
	intern_release(&t);
}

/* All in one slot: what a clash of hashes does. */
static void test_collisions(void)
{
	struct intern t = { 0 };
	bool right = true;
	char buf[64];

	for (uint32_t i = 0; i < 20; i++)
		right &= intern_hashed(&t, name_of(i, buf, sizeof(buf)), 5) == i;
	for (uint32_t i = 0; i < 20; i++)
		right &= intern_find(&t, name_of(i, buf, sizeof(buf)), 5) == i;
	ok(right, "strings of the same hash are different strings");
	intern_release(&t);
}

int main(void)
{
	test_arena();
	test_many();
	test_bytes();
	test_collisions();
	return done();
}
