/*
 * A program that does what most do not.
 *
 * usage: odd name     calls itself something that is not one line
 */
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

static volatile uint64_t sink;

static __attribute__((noinline)) void work(void)
{
	for (uint64_t i = 0; i < 100000000; i++)
		sink += i;
}

static void name(void)
{
	work();
	prctl(PR_SET_NAME, "two;lines\n1");
	work();
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "name"))
		name();
	else
		return 2;
	return 0;
}
