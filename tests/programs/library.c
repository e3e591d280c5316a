/* A library whose one function takes its time, below a function of the name that it is compiled with. */
#include <stdint.h>

static volatile uint64_t sink;

__attribute__((noinline)) void NAME(void)
{
	uint64_t x = 88172645463325252;

	for (uint64_t i = 0; i < 500000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		sink += x;
	}
}

void run(void);
void run(void)
{
	NAME();
	sink++;
}
