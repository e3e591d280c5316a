/*
 * A program that does what most do not.
 *
 * usage: odd name     calls itself something that is not one line
 *        odd context  works on a stack of its own making
 */
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>

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

static ucontext_t before, own;

static void on_own_stack(void)
{
	work();
	sink++;
}

static void context(void)
{
	static char stack[65536];

	getcontext(&own);
	own.uc_stack.ss_sp = stack;
	own.uc_stack.ss_size = sizeof(stack);
	own.uc_link = &before;
	makecontext(&own, on_own_stack, 0);
	swapcontext(&before, &own);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "name"))
		name();
	else if (argc > 1 && !strcmp(argv[1], "context"))
		context();
	else
		return 2;
	return 0;
}
