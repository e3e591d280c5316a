/* Context switches of a task: many or few. */
#include "record/switches.h"
#include "tap.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Waits for a child so many times. */
static void wait_often(int times)
{
	int there[2], back[2];
	char byte = 0;
	pid_t pid;

	if (pipe(there) || pipe(back) || (pid = fork()) < 0)
		exit(1);
	if (!pid) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1)
			(void)!write(back[1], &byte, 1);
		_exit(0);
	}
	for (int i = 0; i < times; i++) {
		(void)!write(there[1], &byte, 1);
		(void)!read(back[0], &byte, 1);
	}
	close(there[1]);
	waitpid(pid, NULL, 0);
}

/* The account in /proc, which those have who may not count switches. */
static void test_ended(void)
{
	int done_end[2];
	pid_t pid;
	struct sampling what = { .task = &pid, .nr_task = 1, .follow = FOLLOW_THREADS };
	struct switches s;
	uint64_t sum;
	char byte;

	if (pipe(done_end) || (pid = fork()) < 0)
		exit(1);
	if (!pid) {
		wait_often(100);
		(void)!write(done_end[1], "", 1);
		pause();
		_exit(0);
	}
	switches_open(&s, &what, 0);
	if (s.of[0].fd >= 0)
		close(s.of[0].fd);
	s.of[0] = (struct switches_of){ .fd = -1, .task = pid };
	(void)!read(done_end[0], &byte, 1);
	sum = switches_sum(&s);
	ok(sum > 0, "a task has switches in /proc");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ok(switches_sum(&s) == sum, "a task that has ended keeps the switches that were read");
	switches_close(&s);
}

int main(void)
{
	const uint64_t second = 1000000000;
	pid_t self = getpid();
	const struct sampling what = { .task = &self, .nr_task = 1, .follow = FOLLOW_ALL };
	struct switches s;

	switches_open(&s, &what, 0);
	ok(!switches_are_many(&s, second / 10),
	   "a tenth of a second is too short for many switches");
	ok(!switches_are_many(&s, second), "a task that runs on has few switches");
	wait_often(20000);
	/* Refused to those who may not see the kernel, and then there are none. */
	is_int(switches_are_many(&s, 2 * second), s.nr > 0,
	       "a task that waits often has many switches");
	ok(!switches_are_many(&s, 3 * second),
	   "a task that has stopped waiting has few switches again");
	switches_close(&s);
	is_int((intmax_t)s.nr, 0, "switches_close() leaves no task");
	test_ended();
	return done();
}
