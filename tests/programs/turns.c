/*
 * A thread that waits in two functions by turns, and another one that ends these waits in two functions, as often
 * as told.  Both pairs of functions have frames of the same size, so that stacks differ in return addresses alone.
 * The waits of the second take longer by as many µs as told.  All on one CPU.  Prints for each function how long
 * it took: ns.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define ONE_FRAME __attribute__((noinline, noclone))

static int ask[2], reply[2];
static long rounds, longer;

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static ONE_FRAME int wait_for_reply(char turn)
{
	char byte = turn;

	return write(ask[1], &byte, 1) == 1 && read(reply[0], &byte, 1) == 1 ? byte : -1;
}

static ONE_FRAME int left(void)
{
	return wait_for_reply('l') + 1;
}

static ONE_FRAME int right(void)
{
	return wait_for_reply('r') + 2;
}

static ONE_FRAME int send_reply(char turn)
{
	return write(reply[1], &turn, 1) == 1;
}

static ONE_FRAME int reply_left(void)
{
	return send_reply('l') + 1;
}

static ONE_FRAME int reply_right(void)
{
	return send_reply('r') + 2;
}

static void *answer(void *arg)
{
	char turn;

	prctl(PR_SET_NAME, "replies");
	while (read(ask[0], &turn, 1) == 1) {
		int64_t until = now() + longer * 1000;

		while (turn == 'r' && now() < until)
			;
		if ((turn == 'l' ? reply_left() : reply_right()) < 1)
			abort();
	}
	return arg;
}

int main(int argc, char **argv)
{
	int64_t took[2] = { 0 }, begin;
	cpu_set_t first;
	pthread_t other;

	rounds = argc > 1 ? atol(argv[1]) : 1000;
	longer = argc > 2 ? atol(argv[2]) : 20;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first) || pipe(ask) || pipe(reply) ||
	    pthread_create(&other, NULL, answer, NULL))
		return 1;
	for (long i = 0; i < rounds; i++) {
		begin = now();
		if ((i % 2 ? right() : left()) < 1)
			return 1;
		took[i % 2] += now() - begin;
	}
	printf("left %lld\nright %lld\n", (long long)took[0], (long long)took[1]);
	return 0;
}
