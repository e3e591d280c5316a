/*
 * Probes that threads and children can inherit.
 *
 * The kernel has a PMU for uprobes, whose config1 points to the path of the file
 * in our memory.  But it reads that path again for every task that inherits the
 * event, from the memory of the task, where there is no such path: the fork fails.
 * So a probe is defined in tracefs for as long as it is recorded, and opened as
 * the tracepoint that comes of it.
 */
#include "base/strbuf.h"
#include "record/events.h"
#include "record/running.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define GROUP "wick"

/* Writes one line to uprobe_events; -1 with errno when the kernel refuses it. */
static int command(const struct strbuf *line)
{
	struct strbuf path = { 0 };
	ssize_t n;
	int fd, why;

	strbuf_addf(&path, "%s/../uprobe_events", event_tracing_folder());
	fd = open(path.at, O_WRONLY | O_APPEND | O_CLOEXEC);
	n = fd < 0 ? -1 : write(fd, line->at, line->size);
	why = errno;
	if (fd >= 0)
		close(fd);
	strbuf_release(&path);
	errno = why;
	return n < 0 ? -1 : 0;
}

/* The name has our pid in it, so that a later wick sees which ones were left behind. */
static void add_name(struct strbuf *out, pid_t pid, size_t i)
{
	strbuf_addf(out, GROUP "/p%d_%zu", (int)pid, i);
}

static void drop(const char *name)
{
	struct strbuf line = { 0 };

	strbuf_addf(&line, "-:%s\n", name);
	command(&line);
	strbuf_release(&line);
}

/* Removes the probes of a wick that was killed. */
static void drop_left(void)
{
	struct strbuf path = { 0 };
	const struct dirent *entry;
	DIR *folder;

	strbuf_addf(&path, "%s/" GROUP, event_tracing_folder());
	folder = opendir(path.at);
	while (folder && (entry = readdir(folder))) {
		struct span pid = span_digits(span_from(span_of(entry->d_name), 1));
		uint64_t number;

		if (entry->d_name[0] != 'p' || !span_u64(pid, &number) || !number ||
		    number > INT32_MAX || !kill((pid_t)number, 0) || errno != ESRCH)
			continue;
		strbuf_reset(&path);
		strbuf_addf(&path, GROUP "/%s", entry->d_name);
		drop(path.at);
	}
	if (folder)
		closedir(folder);
	strbuf_release(&path);
}

static int no_probe(const struct sampled *event, struct error *e)
{
	int why = errno;

	error_sys(e, "%s: the kernel made no probe", event->name);
	if (why == ENOENT)
		return error_hint(e, "sudo mount -t tracefs none /sys/kernel/tracing");
	if (why == EACCES || why == EPERM)
		return error_hint(e, "run wick as root");
	return -1;
}

/* Defines the probe, with its file as a descriptor: a path may have blanks and colons. */
static int make(struct events *v, struct sampled *event, struct error *e)
{
	const char *path = (const char *)(uintptr_t)event->config1;
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	struct strbuf line = { 0 }, name = { 0 };

	if (fd < 0)
		return error_sys(e, "%s", path);
	add_name(&name, getpid(), v->nr_probe);
	strbuf_addf(&line, "%c:%s /proc/self/fd/%d:0x%llx\n", event->config ? 'r' : 'p', name.at,
		    fd, (unsigned long long)event->config2);
	ret = command(&line);
	if (ret) {
		no_probe(event, e);
	} else {
		struct sampled made = { 0 };

		v->nr_probe++;
		ret = event_find_tracepoint(SPAN(GROUP),
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
	bool first = true;

	for (size_t i = 0; i < v->nr; i++) {
		if (!v->event[i].is_probe)
			continue;
		if (first)
			drop_left();
		first = false;
		if (make(v, &v->event[i], e))
			return -1;
	}
	return 0;
}

void events_drop_probes(struct events *v)
{
	struct strbuf name = { 0 };

	for (; v->nr_probe; v->nr_probe--) {
		strbuf_reset(&name);
		add_name(&name, getpid(), v->nr_probe - 1);
		drop(name.at);
	}
	strbuf_release(&name);
}
