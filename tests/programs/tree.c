/* Known call chains in known proportions: main → outer → left three times as long as → right. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static volatile uint64_t sink;

static __attribute__((noinline)) void spin(uint64_t rounds)
{
	uint64_t x = 88172645463325252;

	for (uint64_t i = 0; i < rounds; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		sink += x;
	}
}

__attribute__((noinline)) void left(uint64_t rounds)
{
	spin(3 * rounds);
	sink++;
}

__attribute__((noinline)) void right(uint64_t rounds)
{
	spin(rounds);
	sink++;
}

__attribute__((noinline)) void outer(uint64_t rounds)
{
	left(rounds);
	right(rounds);
	sink++;
}

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 50000;

	/* Each time a bit longer than before: no clock keeps step with it. */
	for (uint64_t i = 0; i < 100; i++)
		outer(rounds * (50 + i) / 1000);
	printf("%d\n", sink != 0);
	return 0;
}
