/*
 * Probes that threads and children can inherit.
 *
 * The kernel has a PMU for uprobes, whose config1 points to the path of the file in wick's memory.  But for every
 * task that inherits the event, the kernel reads that path again from the memory of the task, where it does not
 * exist: the fork fails.  So wick defines a probe in tracefs for as long as it is recorded, and opens the resulting
 * tracepoint.  A separate process removes the probe if wick is killed.
 */
#include "base/strbuf.h"
#include "record/perf_events/events.h"
#include "record/perf_events/tracefs.h"
#include "record/targets/running.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GROUP "wick"

/* Writes one line to uprobe_events; -1: the kernel refuses it, and errno is set. */
static int command(int tracefs, const struct strbuf *line)
{
	int fd = openat(tracefs, "uprobe_events", O_WRONLY | O_APPEND | O_CLOEXEC), why;
	ssize_t n = fd < 0 ? -1 : write(fd, line->at, line->size);

	why = errno;
	if (fd >= 0)
		close(fd);
	errno = why;
	return n < 0 ? -1 : 0;
}

/* The name contains wick's PID, so that a later wick can find probes that were left behind. */
static void add_name(struct strbuf *out, pid_t pid, size_t i)
{
	strbuf_addf(out, GROUP "/p%d_%zu", (int)pid, i);
}

/* -1 with errno EBUSY: an event still uses it. */
static int drop(int tracefs, const char *name)
{
	struct strbuf line = { 0 };
	int ret;

	strbuf_addf(&line, "-:%s\n", name);
	ret = command(tracefs, &line);
	strbuf_release(&line);
	return ret;
}

/* Waits until wick has exited, and removes its probes once its events are closed. */
static void watch(int wick, int tracefs, pid_t pid, size_t nr)
{
	static const struct timespec shortly = { .tv_nsec = 20000000 };
	enum { TRIES = 250 };
	struct strbuf name = { 0 };
	char byte;

	while (read(wick, &byte, 1) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < nr; i++) {
		strbuf_reset(&name);
		add_name(&name, pid, i);
		for (int k = 0; k < TRIES && drop(tracefs, name.at) && errno == EBUSY; k++)
			nanosleep(&shortly, NULL);
	}
	strbuf_release(&name);
}

/*
 * Starts a process that runs watch(), in its own session, so that Ctrl-C does not reach it.  It is a grandchild,
 * because wick waits for its children.  It runs until the returned descriptor is closed; -1: failed.
 */
static int watch_begin(int tracefs, size_t nr)
{
	pid_t wick = getpid(), pid;
	int end[2];

	if (pipe2(end, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		/* Closes all other descriptors of wick. */
		if (fork() || setsid() < 0 || dup2(end[0], STDIN_FILENO) < 0 ||
		    dup2(tracefs, STDOUT_FILENO) < 0)
			_exit(0);
		close_range(STDERR_FILENO, UINT_MAX, 0);
		/* So that `killall wick` does not end it. */
		prctl(PR_SET_NAME, "probes");
		watch(STDIN_FILENO, STDOUT_FILENO, wick, nr);
		_exit(0);
	}
	close(end[0]);
	if (pid < 0) {
		close(end[1]);
		return -1;
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return end[1];
}

/* Removes the probes of a wick that was killed together with its watching process. */
static void drop_left(int tracefs)
{
	int fd = openat(tracefs, "events/" GROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct strbuf name = { 0 };
	const struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		struct span pid = span_digits(span_from(span_of(entry->d_name), 1));
		uint64_t number;

		if (entry->d_name[0] != 'p' || !span_u64(pid, &number) || !number ||
		    number > INT32_MAX || !kill((pid_t)number, 0) || errno != ESRCH)
			continue;
		strbuf_reset(&name);
		strbuf_addf(&name, GROUP "/%s", entry->d_name);
		drop(tracefs, name.at);
	}
	if (folder)
		closedir(folder);
	strbuf_release(&name);
}

static int no_probe(const struct sampled *event, struct error *e)
{
	int why = errno;

	error_sys(e, "%s: cannot create probe", event->name);
	if (why == EACCES || why == EPERM)
		return error_hint(e, "run wick as root");
	return -1;
}

/* Defines the probe, with its file as a descriptor: a path may contain blanks and colons. */
static int make(struct events *v, int tracefs, struct sampled *event, struct error *e)
{
	const char *path = (const char *)(uintptr_t)event->config1;
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	struct strbuf line = { 0 }, name = { 0 };

	if (fd < 0)
		return error_sys(e, "%s", path);
	add_name(&name, getpid(), v->nr_probe);
	strbuf_addf(&line, "%c:%s /proc/self/fd/%d:0x%llx\n", event->config ? 'r' : 'p', name.at,
		    fd, (unsigned long long)event->config2);
	ret = command(tracefs, &line);
	if (ret) {
		no_probe(event, e);
	} else {
		struct sampled made = { 0 };

		v->nr_probe++;
		ret = event_find_tracepoint(tracefs, SPAN(GROUP),
					    span_from(strbuf_peek(&name), sizeof(GROUP)), &made, e);
		event->type = made.type;
		event->config = made.config;
		event->config1 = event->config2 = 0;
		event->is_probe = false;
	}
	close(fd);
	strbuf_release(&line);
	strbuf_release(&name);
	return ret;
}

int events_make_probes(struct events *v, struct error *e)
{
	int tracefs = -1, ret = 0;

	for (size_t i = 0; i < v->nr && !ret; i++) {
		if (!v->event[i].is_probe)
			continue;
		if (tracefs < 0) {
			tracefs = tracefs_open(e);
			if (tracefs < 0)
				return error_within(e, "%s", v->event[i].name);
			drop_left(tracefs);
		}
		ret = make(v, tracefs, &v->event[i], e);
	}
	if (v->nr_probe)
		v->watch = watch_begin(tracefs, v->nr_probe);
	if (tracefs >= 0)
		close(tracefs);
	return ret;
}

void events_drop_probes(struct events *v)
{
	struct error ignored = ERROR_INIT;
	struct strbuf name = { 0 };
	int tracefs;

	if (!v->nr_probe)
		return;
	tracefs = tracefs_open(&ignored);
	for (; v->nr_probe; v->nr_probe--) {
		strbuf_reset(&name);
		add_name(&name, getpid(), v->nr_probe - 1);
		drop(tracefs, name.at);
	}
	if (tracefs >= 0)
		close(tracefs);
	if (v->watch >= 0)
		close(v->watch);
	strbuf_release(&name);
}
