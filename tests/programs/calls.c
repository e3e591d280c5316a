/* Calls that a compiler inlines into one another: into loops, into cold parts, from another file. */
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline unsigned twist(unsigned x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

static inline unsigned twist_often(unsigned x, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		x = twist(x) + far_step(x, i);
	return x;
}

__attribute__((cold, noinline)) static void complain(const char *why, unsigned x)
{
	fprintf(stderr, "%s: %u\n", why, x);
	if (twist_often(x, 3) == 7)
		abort();
}

static inline unsigned checked(unsigned x)
{
	if (__builtin_expect(x % 1000003 == 17, 0))
		complain("checked", x);
	return twist_often(x, x % 7);
}

__attribute__((noinline)) static unsigned all(const char *text, unsigned nr)
{
	unsigned sum = (unsigned)strlen(text);

	for (unsigned i = 0; i < nr; i++) {
		sum += checked(sum ^ i);
		if (sum % 5 == 0)
			sum += far_sum(text, i % 16);
	}
	return sum;
}

int main(int argc, char **argv)
{
	unsigned nr = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;

	printf("%u %u\n", all(argv[0], nr), checked(nr));
	return 0;
}
