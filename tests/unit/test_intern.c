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
	ok(aligned, "arena_take returns memory aligned to 8 bytes");
	ok(apart, "arena_take returns memory that does not overlap");
	ok(a.used >= 6 * 200000, "an arena counts the bytes that it handed out");
	arena_release(&a);
	ok(!a.block && !a.used, "arena_release leaves an empty arena");
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
	ok(numbered, "10,000 different strings get the numbers 0, 1, 2, ...");
	ok(same, "intern returns the same number when a string comes again");
	ok(found, "intern_find and intern_peek find strings after the table has grown");
	ok(ended, "interned strings are NUL-terminated");
	is_int(t.nr, NR, "interning strings again adds none");
	is_int(intern_find(&t, SPAN("7919::b"), intern_hash(SPAN("7919::b"))), INTERN_NONE,
	       "intern_find does not find a string that was never added");
	is_int(t.nr, NR, "intern_find adds no string");
	intern_release(&t);
}

static void test_bytes(void)
{
	struct intern t = { 0 };

	is_int(intern_find(&t, SPAN("a"), intern_hash(SPAN("a"))), INTERN_NONE,
	       "intern_find finds nothing in a zeroed table");
	is_int(intern(&t, (struct span){ 0 }), 0, "a zeroed span is interned as a string");
	is_int(intern(&t, SPAN("")), 0, "an empty string is the same string as a zeroed span");
	is_int(intern(&t, SPAN("\0")), 1, "a NUL byte is another string than the empty one");
	is_int(intern(&t, SPAN("a\0b")), 2, "a string may have a NUL byte inside");
	is_int(intern(&t, SPAN("a\0c")), 3,
	       "strings that differ only behind a NUL byte are different");
	is_int(intern(&t, SPAN("a")), 4,
	       "a string that another has before its NUL byte is a different one");
	is_bytes(intern_peek(&t, 3), SPAN("a\0c"),
		 "intern_peek returns the bytes behind a NUL byte");
	is_int(intern(&t, SPAN("a\0b")), 2,
	       "a string with a NUL byte keeps its number when it comes again");
	intern_release(&t);
	is_int(intern(&t, SPAN("x")), 0, "a released table numbers strings from 0 again");
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
	ok(right, "different strings of the same hash get different numbers");
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
