/*
 * Two threads that are soon in a function with more locals than the kernel copies of a stack, and stay there: nobody
 * meets them before.  argv: milliseconds.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

static double seconds;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static NOINLINE uint64_t spin(uint64_t x)
{
	for (double end = now() + seconds; now() < end;)
		for (int i = 0; i < 1000; i++)
			x = x * 6364136223846793005 + 1;
	return x;
}

static NOINLINE uint64_t inner(uint64_t x)
{
	return spin(x) + 1;
}

static NOINLINE uint64_t large(uint64_t x)
{
	volatile char room[600000];

	room[0] = 1;
	room[sizeof(room) - 1] = 1;
	return inner(x) + (uint64_t)room[0] + (uint64_t)room[sizeof(room) - 1];
}

static void *other(void *arg)
{
	return (void *)(uintptr_t)(large((uintptr_t)arg) + 1);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	uint64_t x;

	seconds = (argc > 1 ? atof(argv[1]) : 1000) / 1000;
	if (pthread_create(&thread, NULL, other, argv))
		return 1;
	x = large((uintptr_t)argc);
	pthread_join(thread, NULL);
	return x == 1;
}
