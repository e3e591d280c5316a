/* Threads that all want a CPU, once each of them is there: says "ready" then. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_rwlock_t start = PTHREAD_RWLOCK_INITIALIZER;

static void *spin(void *arg)
{
	volatile uint64_t n = 0;

	pthread_rwlock_rdlock(&start);
	pthread_rwlock_unlock(&start);
	for (;;)
		n = n + 1;
	return arg;
}

/* crowd THREADS */
int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 100;
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 * 1024);
	pthread_rwlock_wrlock(&start);
	for (int i = 0; i < nr; i++) {
		pthread_t thread;

		if (pthread_create(&thread, &small, spin, NULL))
			return 1;
	}
	puts("ready");
	fflush(stdout);
	pthread_rwlock_unlock(&start);
	for (;;)
		pause();
}
