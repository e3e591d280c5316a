/*
 * What recorders are measured with: 40 calls deep without frame pointers, in so many threads.
 * At its end it prints what it took of processors and when that was, in nanoseconds.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

enum { DEPTH = 40, THREADS_MAX = 64 };

static uint64_t rounds;

static NOINLINE uint64_t spin(uint64_t x)
{
	for (int i = 0; i < 2000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

static NOINLINE uint64_t deeper(uint64_t x, int depth)
{
	volatile char room[64];

	room[depth] = 1;
	x = depth ? deeper(x + 1, depth - 1) : spin(x);
	return x ^ (uint64_t)room[depth];
}

static void *work(void *arg)
{
	uint64_t x = 88172645463325252 + (uint64_t)(uintptr_t)arg;

	for (uint64_t i = 0; i < rounds; i++)
		x = deeper(x, DEPTH);
	return (void *)(uintptr_t)x;
}

static uint64_t ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

int main(int argc, char **argv)
{
	int nr = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t thread[THREADS_MAX];
	struct rusage used;
	struct timespec now;

	rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
	if (nr < 1 || nr > THREADS_MAX)
		return 2;
	for (int i = 1; i < nr; i++)
		if (pthread_create(&thread[i], NULL, work, NULL))
			return 1;
	work(NULL);
	for (int i = 1; i < nr; i++)
		pthread_join(thread[i], NULL);
	getrusage(RUSAGE_SELF, &used);
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%llu %llu\n", (unsigned long long)(ns(used.ru_utime) + ns(used.ru_stime)),
	       (unsigned long long)now.tv_sec * 1000000000 + (unsigned long long)now.tv_nsec);
	return 0;
}
