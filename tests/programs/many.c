/* Calls that hardly ever come the same way twice: as many stacks as samples. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 1;

static int choose(void)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (int)(state >> 33);
}

#define WAYS(name, other) \
	__attribute__((noinline)) int name(int depth) \
	{ \
		int way = choose(); \
\
		if (!depth) \
			return way; \
		return (way & 1 ? name(depth - 1) : other(depth - 1)) + 1; \
	}

int this_way(int depth);
int that_way(int depth);
WAYS(this_way, that_way)
WAYS(that_way, this_way)

/* many [ROUNDS [DEPTH]] */
int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1000000;
	int depth = argc > 2 ? atoi(argv[2]) : 40, sum = 0;

	for (long i = 0; i < rounds; i++)
		sum ^= this_way(depth);
	return sum == 12345;
}
