/*
 * Its stack is small for a while, then so many times 4 kB: what is done for large ones must begin by itself.
 * Afterwards, a child that has another name.  Each part takes so many milliseconds of a processor.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

enum { ROOM = 4000 };

static volatile uint64_t sum;

NOINLINE void spin(long ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		for (uint64_t i = 0; i < 100000; i++)
			sum += i;
}

NOINLINE void shallow(long ms)
{
	spin(ms);
	sum++;
}

NOINLINE void in_child(long ms)
{
	prctl(PR_SET_NAME, "later");
	spin(ms);
	sum++;
}

NOINLINE void deep(long ms, long depth)
{
	volatile char room[ROOM];

	/* Pages that nobody touched are not there to be copied. */
	for (size_t i = 0; i < ROOM; i++)
		room[i] = 1;
	if (depth > 1)
		deep(ms, depth - 1);
	else
		spin(ms);
	sum += (uint64_t)room[0];
}

int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 500;
	pid_t child;

	shallow(ms);
	deep(ms, argc > 2 ? atol(argv[2]) : 1);
	child = fork();
	if (!child) {
		in_child(ms / 2);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return 0;
}
