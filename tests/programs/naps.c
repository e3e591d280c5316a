/*
 * Works a little and sleeps a little, again and again: woken by a timer each time, thousands of times a second.  Prints the CPU
 * time of the work in milliseconds, which is known however long switching takes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile uint64_t sum;

__attribute__((noinline)) static void work(int n)
{
	for (int i = 0; i < n; i++)
		sum += (uint64_t)i;
}

static uint64_t cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv)
{
	int naps = argc > 1 ? atoi(argv[1]) : 1000, n = argc > 2 ? atoi(argv[2]) : 2000;
	uint64_t worked = 0;

	for (int i = 0; i < naps; i++) {
		uint64_t begin = cpu_time();

		work(n);
		worked += cpu_time() - begin;
		nanosleep(&(struct timespec){ 0, 0 }, NULL);
	}
	printf("%lu\n", (unsigned long)(worked / 1000000));
	return 0;
}
