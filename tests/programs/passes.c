/*
 * Two threads pass a byte back and forth, so that there are many switches: first with a short stack, then with one
 * that needs a longer copy, so much CPU time each.  Prints the CPU time of all: ms.
 *
 *	passes MS
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FRAME = 1024, DEPTH = 12, WORK = 5000 };

static int there[2], back[2];
static volatile unsigned sink;

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void *answer(void *arg)
{
	char c;

	while (read(there[0], &c, 1) == 1 && write(back[1], &c, 1) == 1)
		;
	return arg;
}

static void __attribute__((noinline)) pass(double ms)
{
	double end = cpu_ms() + ms;
	char c = 0;

	while (cpu_ms() < end) {
		for (unsigned i = 0; i < WORK; i++)
			sink += i;
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			exit(1);
	}
}

static void __attribute__((noinline)) deep(int left, double ms)
{
	volatile char frame[FRAME];

	memset((char *)frame, left, sizeof(frame));
	if (left)
		deep(left - 1, ms);
	else
		pass(ms);
	sink += (unsigned)frame[0];
}

int main(int argc, char **argv)
{
	double ms = argc > 1 ? atof(argv[1]) : 100;
	pthread_t thread;

	if (pipe(there) || pipe(back) || pthread_create(&thread, NULL, answer, NULL))
		return 1;
	pass(ms);
	deep(DEPTH, ms);
	printf("%.0f\n", cpu_ms());
	return 0;
}
