/* Threads with names, a child, and a child that becomes another program, each in functions of its own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile uint64_t sink;
static uint64_t rounds = 40000000;

static __attribute__((noinline)) void spin(uint64_t nr)
{
	uint64_t x = 88172645463325252;

	for (uint64_t i = 0; i < nr; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		sink += x;
	}
	sink++;
}

__attribute__((noinline)) void *in_thread(void *name)
{
	pthread_setname_np(pthread_self(), name);
	spin(strcmp(name, "worker") ? rounds : UINT64_MAX);
	sink++;
	return NULL;
}

__attribute__((noinline)) void in_child(void)
{
	spin(rounds);
	sink++;
}

__attribute__((noinline)) void after_exec(void)
{
	spin(rounds);
	sink++;
}

/* One thread all the time, others and children that come and go. */
static __attribute__((noinline)) void serve(void)
{
	static char worker[] = "worker", late[] = "late";
	pthread_t thread;

	rounds = 3000000;
	pthread_create(&thread, NULL, in_thread, worker);
	for (;;) {
		pthread_create(&thread, NULL, in_thread, late);
		if (!fork()) {
			in_child();
			_exit(0);
		}
		pthread_join(thread, NULL);
		wait(NULL);
	}
}

int main(int argc, char **argv)
{
	static char one[] = "worker one", two[] = "worker two";
	pthread_t thread[2];

	if (argc > 1 && !strcmp(argv[1], "server"))
		serve();

	if (argc > 1 && !strcmp(argv[1], "again")) {
		after_exec();
		return 0;
	}
	pthread_create(&thread[0], NULL, in_thread, one);
	pthread_create(&thread[1], NULL, in_thread, two);
	if (!fork()) {
		in_child();
		_exit(0);
	}
	if (!fork()) {
		execl("/proc/self/exe", "again", "again", (char *)NULL);
		_exit(1);
	}
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	while (wait(NULL) > 0)
		;
	return 0;
}
