/* CPU time by the kernel's account: of a process with and without children, of a thread, of a group. */
#include "record/usage.h"
#include "tap.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SPIN_MS = 100, LEAST_MS = 60 };

static volatile uint64_t sink;

/* Until we had a CPU for so long. */
static void spin(void)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	do {
		for (int i = 0; i < 100000; i++)
			sink++;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 <
		 SPIN_MS);
}

static uint64_t ms(const struct usage *u)
{
	struct usage_time t = usage_sum(u);

	return (t.user + t.kernel) / 1000000;
}

static void begin(struct usage *u, pid_t pid, enum follow follow)
{
	const struct sampling what = { .follow = follow, .cgroup = -1 };
	const struct targets targets = {
		.process = &pid, .nr_process = 1, .task = &pid, .nr_task = 1
	};

	usage_init(u, &what, &targets);
}

/* A child that spins, as the FORK record has it; the pipe tells when it is done. */
static pid_t start_child(struct usage *u, int *done)
{
	struct record r = { .kind = RECORD_FORK, .fork = { .ppid = (uint32_t)getpid() } };
	int ends[2];
	pid_t pid;

	if (pipe(ends) || (pid = fork()) < 0)
		exit(1);
	if (!pid) {
		spin();
		(void)!write(ends[1], "", 1);
		pause();
		_exit(0);
	}
	close(ends[1]);
	*done = ends[0];
	r.pid = (uint32_t)pid;
	usage_add_child(u, &r);
	return pid;
}

static void test_own(enum follow follow, const char *name)
{
	struct usage u;

	begin(&u, getpid(), follow);
	ok(u.known, name);
	is_int((intmax_t)ms(&u), 0, "CPU time is 0 before the first reading");
	spin();
	usage_read(&u);
	ok(ms(&u) >= LEAST_MS, "CPU time since the beginning is read");
	usage_release(&u);
}

static void test_children(void)
{
	struct usage all, alone, target, gone;
	char byte;
	pid_t pid;
	int done_fd;

	begin(&all, getpid(), FOLLOW_ALL);
	begin(&alone, getpid(), FOLLOW_THREADS);
	pid = start_child(&all, &done_fd);
	begin(&target, pid, FOLLOW_THREADS);
	(void)!read(done_fd, &byte, 1);
	usage_read(&target);
	usage_read(&all);
	ok(ms(&all) >= LEAST_MS, "a child that runs counts with FOLLOW_ALL");
	begin(&gone, pid, FOLLOW_THREADS);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	usage_read(&all);
	ok(ms(&all) >= LEAST_MS, "a child that was waited for still counts");
	ok(ms(&all) < 2 * SPIN_MS + LEAST_MS, "a child that was waited for counts once");
	usage_read(&alone);
	ok(ms(&alone) < LEAST_MS, "a child does not count with FOLLOW_THREADS");
	usage_read(&target);
	ok(ms(&target) >= LEAST_MS, "a process that is gone counts as far as it was read");
	usage_read(&gone);
	is_int((intmax_t)ms(&gone), 0,
	       "a process that is gone before it was read again counts nothing");
	close(done_fd);
	usage_release(&all);
	usage_release(&alone);
	usage_release(&target);
	usage_release(&gone);
}

static void put_group(const char *folder, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cpu.stat", folder);
	f = fopen(path, "w");
	if (!f)
		exit(1);
	fputs(text, f);
	fclose(f);
}

static void test_group(void)
{
	char folder[] = "/tmp/wick-usage-XXXXXX", path[256];
	struct sampling what = { .follow = FOLLOW_THREADS };
	const struct targets none = { 0 };
	struct usage_time sum;
	struct usage u;

	if (!mkdtemp(folder))
		exit(1);
	what.cgroup = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	usage_init(&u, &what, &none);
	ok(!u.known, "a control group without cpu.stat has no account");
	usage_release(&u);
	put_group(folder, "usage_usec 30\nuser_usec 20\nsystem_usec 10\nnr_periods 0\n");
	usage_init(&u, &what, &none);
	ok(u.known, "a control group with cpu.stat has an account");
	put_group(folder, "usage_usec 330\nuser_usec 220\nsystem_usec 110\nnr_periods 0\n");
	usage_read(&u);
	sum = usage_sum(&u);
	is_int((intmax_t)sum.user, 200000,
	       "the user time of a control group is in ns, since the beginning");
	is_int((intmax_t)sum.kernel, 100000,
	       "the kernel time of a control group is in ns, since the beginning");
	usage_release(&u);
	close(what.cgroup);
	snprintf(path, sizeof(path), "%s/cpu.stat", folder);
	unlink(path);
	rmdir(folder);
}

int main(void)
{
	test_own(FOLLOW_THREADS, "a process has an account of its CPU time");
	test_own(FOLLOW_NONE, "a thread has an account of its CPU time");
	test_children();
	test_group();
	return done();
}
