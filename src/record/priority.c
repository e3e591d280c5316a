#include "record/priority.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The flag identifies wick's own change: a user who starts wick with a real-time priority hardly sets it. */
enum { RAISED = SCHED_RR | SCHED_RESET_ON_FORK };

void priority_raise(void)
{
	const struct sched_param least = { .sched_priority = 1 };

	if (sched_getscheduler(0) == SCHED_OTHER)
		sched_setscheduler(0, RAISED, &least);
}

void priority_restore(void)
{
	const struct sched_param none = { 0 };

	if (sched_getscheduler(0) != RAISED)
		return;
	/* Removing the flag needs CAP_SYS_NICE; RLIMIT_RTPRIO is not enough. */
	if (sched_setscheduler(0, SCHED_OTHER, &none))
		sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &none);
}

struct hurry {
	int nice; /* the normal value */
	unsigned ms;
};

/* Restores the normal priority of a thread; false: it was not normal before. */
static bool calm_thread(pid_t thread, int nice)
{
	const struct sched_param none = { 0 };
	bool calm = true;

	/* The real-time priority that priority_hurry() has set. */
	if ((sched_getscheduler(thread) & ~SCHED_RESET_ON_FORK) == SCHED_RR) {
		sched_setscheduler(thread, SCHED_OTHER, &none);
		calm = false;
	}
	if (getpriority(PRIO_PROCESS, (id_t)thread) < nice) {
		setpriority(PRIO_PROCESS, (id_t)thread, nice);
		calm = false;
	}
	return calm;
}

/* The same for all threads. */
static bool calm_all(int nice)
{
	DIR *folder = opendir("/proc/self/task");
	const struct dirent *entry;
	bool calm = true;

	while (folder && (entry = readdir(folder))) {
		pid_t thread = (pid_t)strtoul(entry->d_name, NULL, 10);

		if (thread && !calm_thread(thread, nice))
			calm = false;
	}
	if (folder)
		closedir(folder);
	return calm;
}

static void *calm_down(void *arg)
{
	enum { ROUNDS = 10 };
	struct hurry h = *(struct hurry *)arg;
	struct timespec left = { .tv_sec = h.ms / 1000, .tv_nsec = h.ms % 1000 * 1000000L };

	free(arg);
	while (nanosleep(&left, &left) && errno == EINTR)
		;
	/* A thread that is created meanwhile may inherit from one that is still raised. */
	for (int i = 0; i < ROUNDS && !calm_all(h.nice); i++)
		;
	return NULL;
}

int priority_hurry(unsigned ms)
{
	const struct sched_param least = { .sched_priority = 1 };
	struct hurry h = { .nice = getpriority(PRIO_PROCESS, 0), .ms = ms }, *copy;
	int policy = sched_getscheduler(0);
	bool raised;
	pthread_t thread;

	if (policy != SCHED_OTHER && policy != RAISED)
		return h.nice;
	/*
	 * With autogroups or cgroups, a nice value only counts within the session or group: a real-time priority is
	 * better, if permitted.
	 */
	raised = !sched_setscheduler(0, SCHED_RR, &least);
	if (setpriority(PRIO_PROCESS, 0, -20) && !raised)
		return h.nice;
	copy = xmemdup(&h, sizeof(h));
	if (pthread_create(&thread, NULL, calm_down, copy)) {
		calm_thread(0, h.nice);
		free(copy);
		return h.nice;
	}
	pthread_detach(thread);
	return h.nice;
}

void priority_calm(int nice)
{
	calm_thread(0, nice);
}

void priority_keep(void)
{
	const struct sched_param least = { .sched_priority = 1 };

	if (sched_getscheduler(0) == SCHED_RR)
		sched_setscheduler(0, RAISED, &least);
}

/* "0.20 0.18 0.12 3/1186 11348": 3 of 1186 threads are runnable. */
bool priority_is_crowded(void)
{
	enum { MANY = 32 }; /* for each CPU: with slices of 3 ms, its turn comes after 0.1 s */
	FILE *file = fopen("/proc/loadavg", "re");
	char line[128] = "";
	const char *at = line;

	if (file && !fgets(line, sizeof(line), file))
		line[0] = '\0';
	if (file)
		fclose(file);
	for (int i = 0; i < 3 && at; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at && strtol(at, NULL, 10) > MANY * sysconf(_SC_NPROCESSORS_ONLN);
}
