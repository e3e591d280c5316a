/*
 * Two processes that pass a byte back and forth, as often as they are told: two context switches each time.  Prints
 * how long a time took, and how much CPU time: µs.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* CPU time: µs */
static double used(int whose)
{
	struct rusage u;

	getrusage(whose, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1000;
	struct timespec begin, end;
	int to[2], back[2];
	char byte = 0;

	if (pipe(to) || pipe(back))
		return 1;
	if (!fork()) {
		/* It has all ends of the pipes, so it would wait forever for a parent that is killed. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* So that we end when the other one is killed. */
		close(to[1]);
		close(back[0]);
		for (long i = 0; i < rounds; i++)
			if (read(to[0], &byte, 1) != 1 || write(back[1], &byte, 1) != 1)
				_exit(1);
		_exit(0);
	}
	close(to[0]);
	close(back[1]);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (long i = 0; i < rounds; i++)
		if (write(to[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			return 1;
	clock_gettime(CLOCK_MONOTONIC, &end);
	wait(NULL);
	printf("%.3f %.3f\n",
	       ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
		       1e3 / (double)rounds,
	       (used(RUSAGE_SELF) + used(RUSAGE_CHILDREN)) / (double)rounds);
	return 0;
}
