/*
 * A thread that is woken, works for a moment, tells so and sleeps again, as servers do; and as many threads that
 * never sleep as are asked for: server → answer, busy → spin.
 *
 * usage: bursts ROUNDS BUSY
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t sink;
static int question, answered;
static long rounds;

static __attribute__((noinline)) void spin(uint64_t times)
{
	uint64_t x = 88172645463325252;

	for (uint64_t i = 0; i < times; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		sink += x;
	}
}

/* A fifth of a millisecond or so. */
static __attribute__((noinline)) void answer(void)
{
	spin(100000);
	sink++;
}

static void *server(void *arg)
{
	eventfd_t value;

	for (long i = 0; i < rounds; i++) {
		eventfd_read(question, &value);
		answer();
		eventfd_write(answered, 1);
	}
	return arg;
}

static void *busy(void *arg)
{
	for (;;)
		spin(1000000);
	return arg;
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 300000 };
	pthread_t thread, other;
	eventfd_t value;

	if (argc < 3)
		return 2;
	rounds = strtol(argv[1], NULL, 10);
	question = eventfd(0, 0);
	answered = eventfd(0, 0);
	pthread_create(&thread, NULL, server, NULL);
	pthread_setname_np(thread, "server");
	for (long i = strtol(argv[2], NULL, 10); i > 0; i--)
		pthread_create(&other, NULL, busy, NULL);
	for (long i = 0; i < rounds; i++) {
		eventfd_write(question, 1);
		eventfd_read(answered, &value);
		nanosleep(&pause, NULL);
	}
	pthread_join(thread, NULL);
	return 0;
}
