/*
 * A phase in which one thread runs, then one in which all do, by turns.  Prints for both: its function, how long it took
 * (ns), how long the CPU time of its threads was.
 *
 *	phases THREADS ROUNDS MS
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_barrier_t barrier;
static int rounds;
static uint64_t work_ns;
static volatile uint64_t sink;
static uint64_t cpu_parallel; /* of all threads: atomic */

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* So much CPU time of the thread, however long that takes. */
static void use(uint64_t ns)
{
	uint64_t until = now(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (now(CLOCK_THREAD_CPUTIME_ID) < until)
		for (int i = 0; i < 20000; i++)
			sink += (uint64_t)i * (uint64_t)i;
}

__attribute__((noinline)) static void run_serial(void)
{
	use(work_ns);
	__asm__ volatile("" : : "i"(1)); /* otherwise the other one: they are not one function */
}

__attribute__((noinline)) static void run_parallel(void)
{
	use(work_ns);
	__asm__ volatile("");
}

static void *help(void *arg)
{
	(void)arg;
	for (int i = 0; i < rounds; i++) {
		uint64_t begin;

		pthread_barrier_wait(&barrier);
		begin = now(CLOCK_THREAD_CPUTIME_ID);
		run_parallel();
		__atomic_add_fetch(&cpu_parallel, now(CLOCK_THREAD_CPUTIME_ID) - begin,
				   __ATOMIC_RELAXED);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc == 4 ? atoi(argv[1]) : 0;
	uint64_t serial = 0, parallel = 0, cpu_serial = 0;
	pthread_t id[64];

	if (threads < 2 || threads > 64)
		return 2;
	rounds = atoi(argv[2]);
	work_ns = (uint64_t)atoi(argv[3]) * 1000000;
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (int i = 1; i < threads; i++)
		pthread_create(&id[i], NULL, help, NULL);
	for (int i = 0; i < rounds; i++) {
		uint64_t begin = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);

		run_serial();
		serial += now(CLOCK_MONOTONIC) - begin;
		cpu_serial += now(CLOCK_THREAD_CPUTIME_ID) - cpu;
		begin = now(CLOCK_MONOTONIC);
		pthread_barrier_wait(&barrier);
		cpu = now(CLOCK_THREAD_CPUTIME_ID);
		run_parallel();
		__atomic_add_fetch(&cpu_parallel, now(CLOCK_THREAD_CPUTIME_ID) - cpu,
				   __ATOMIC_RELAXED);
		pthread_barrier_wait(&barrier);
		parallel += now(CLOCK_MONOTONIC) - begin;
	}
	for (int i = 1; i < threads; i++)
		pthread_join(id[i], NULL);
	printf("run_serial %llu %llu\nrun_parallel %llu %llu\n", (unsigned long long)serial,
	       (unsigned long long)cpu_serial, (unsigned long long)parallel,
	       (unsigned long long)cpu_parallel);
	return 0;
}
