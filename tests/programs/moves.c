/* Starts on one CPU and works on another.  argv: the first CPU, the second one, rounds. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static volatile uint64_t sink;

static __attribute__((noinline)) void spin(uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i++)
		sink += i;
}

static void go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		exit(1);
}

int main(int argc, char **argv)
{
	if (argc == 4) {
		go_to(atoi(argv[1]));
		execl(argv[0], argv[0], argv[2], argv[3], (char *)NULL);
		return 1;
	}
	if (argc != 3)
		return 2;
	go_to(atoi(argv[1]));
	spin(strtoull(argv[2], NULL, 10));
	return 0;
}
