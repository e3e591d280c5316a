/*
 * Each thread makes the next one, a moment after it began, until there are enough; then all of them
 * are busy, in turns.  Whoever misses one misses all that come from it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile uint64_t sink;
static int nr;

static __attribute__((noinline)) void spin(void)
{
	for (uint64_t i = 0; i < 300000; i++)
		sink += i;
}

static void *in_thread(void *number)
{
	int next = *(int *)number - 1;
	pthread_t thread;

	if (next > 0) {
		usleep(500);
		pthread_create(&thread, NULL, in_thread, &next);
	}
	for (;;) {
		spin();
		usleep(1000);
	}
	return NULL;
}

/* births THREADS: begins with SIGUSR1 */
int main(int argc, char **argv)
{
	sigset_t go;
	int number;

	nr = argc > 1 ? atoi(argv[1]) : 30;
	sigemptyset(&go);
	sigaddset(&go, SIGUSR1);
	sigprocmask(SIG_BLOCK, &go, NULL);
	sigwait(&go, &number);
	in_thread(&nr);
	return 0;
}
