/*
 * Stacks that are deeper than any copy of them, on the stacks of threads and on others: `depths threads` or
 * `depths fibers`.  Each burns time at several depths, one after the other.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

enum { FRAME = 512, DEEP = 600, STACK = 1024 * 1024, TURNS = 12 };

static volatile unsigned sink;

static __attribute__((noinline)) void burn(void)
{
	struct timespec now, until;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &until);
	until.tv_nsec += 20 * 1000 * 1000;
	do {
		for (unsigned i = 0; i < 100000; i++)
			sink += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - until.tv_sec) * 1000000000L + now.tv_nsec - until.tv_nsec < 0);
}

static __attribute__((noinline)) void dive(unsigned depth)
{
	volatile char room[FRAME];

	room[depth % FRAME] = 1;
	if (depth)
		dive(depth - 1);
	else
		burn();
	sink += (unsigned)room[depth % FRAME];
}

/* From the root down, by steps that are smaller than a copy: each shares some of the one before. */
static void *go_down(void *arg)
{
	for (unsigned i = 0; i < TURNS; i++)
		dive(DEEP * i / (TURNS - 1));
	return arg;
}

static ucontext_t home, fiber;

static void on_fiber(void)
{
	dive(DEEP);
}

static void run_fiber(char *stack)
{
	getcontext(&fiber);
	fiber.uc_stack.ss_sp = stack;
	fiber.uc_stack.ss_size = STACK;
	fiber.uc_link = &home;
	makecontext(&fiber, on_fiber, 0);
	swapcontext(&home, &fiber);
}

/* Stacks beside the thread's own, and one within a frame of it. */
static __attribute__((noinline)) void run_fibers(void)
{
	char local[STACK], *heap = malloc(STACK);

	for (unsigned i = 0; heap && i < TURNS; i++) {
		run_fiber(i % 2 ? local : heap);
		burn();
	}
	free(heap);
	sink += (unsigned)local[0];
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 1 && !strcmp(argv[1], "fibers")) {
		burn();
		run_fibers();
		return 0;
	}
	if (pthread_create(&thread, NULL, go_down, NULL))
		return 1;
	go_down(NULL);
	pthread_join(thread, NULL);
	return 0;
}
