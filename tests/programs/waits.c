/*
 * Waits for what does not come, again and again, with calls that end when they are interrupted, be it by a signal that
 * nobody handles or by who only looks.  Tells how often they were.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/sem.h>
#include <time.h>

static const struct timespec shortly = { .tv_nsec = 1000 };
static int epoll, semaphore;

static int wait_for_event(void)
{
	struct epoll_event event;

	return epoll_pwait2(epoll, &event, 1, &shortly, NULL);
}

static int wait_for_semaphore(void)
{
	struct sembuf down = { .sem_op = -1 };

	return semtimedop(semaphore, &down, 1, &shortly);
}

static int wait_for_signal(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return sigtimedwait(&set, NULL, &shortly);
}

int main(int argc, char **argv)
{
	int (*const ways[])(void) = { wait_for_event, wait_for_semaphore, wait_for_signal };
	int rounds = argc > 1 ? atoi(argv[1]) : 0;

	epoll = epoll_create1(0);
	semaphore = semget(IPC_PRIVATE, 1, 0600);
	for (int k = 0; k < 3; k++) {
		int nr_interrupted = 0;

		for (int i = 0; i < rounds; i++) {
			errno = 0;
			if (ways[k]() < 0 && errno == EINTR)
				nr_interrupted++;
		}
		printf("%d ", nr_interrupted);
	}
	semctl(semaphore, 0, IPC_RMID);
	return 0;
}
