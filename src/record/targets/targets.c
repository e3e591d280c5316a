#include "record/targets/targets.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "record/perf_events/access.h"
#include "record/targets/running.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void targets_release(struct targets *t)
{
	free(t->process);
	free(t->task);
	*t = (struct targets){ 0 };
}

static bool has(const pid_t *list, size_t nr, pid_t pid)
{
	for (size_t i = 0; i < nr; i++)
		if (list[i] == pid)
			return true;
	return false;
}

static void add_process(struct targets *t, pid_t pid)
{
	GROW(t->process, t->nr_process, t->cap_process);
	t->process[t->nr_process++] = pid;
}

static void add_task(struct targets *t, pid_t tid)
{
	GROW(t->task, t->nr_task, t->cap_task);
	t->task[t->nr_task++] = tid;
}

/* Adds a process with all its threads; false when there is no such process. */
static bool add_with_threads(struct targets *t, pid_t pid)
{
	pid_t *thread;
	size_t nr;

	if (has(t->process, t->nr_process, pid))
		return true;
	thread = running_threads(pid, &nr);
	for (size_t i = 0; i < nr; i++)
		add_task(t, thread[i]);
	if (nr)
		add_process(t, pid);
	free(thread);
	return nr > 0;
}

size_t targets_nr_runnable(const struct targets *t)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr_task; i++) {
		char path[32], *text;
		struct span all;
		size_t size;

		snprintf(path, sizeof(path), "/proc/%d/stat", (int)t->task[i]);
		text = running_read(path, &size);
		all = (struct span){ text, size };
		/* The state follows the name, which may contain any character. */
		all = span_from(all, span_rfind(all, ')') + 1);
		nr += span_is(span_word(&all), "R");
		free(text);
	}
	return nr;
}

bool targets_has_process(const struct targets *t, pid_t pid)
{
	return has(t->process, t->nr_process, pid);
}

/* Names */

/* Is that file the program of the process?  By inode: the path may be a link. */
static bool is_program(pid_t pid, struct span file)
{
	struct strbuf own = { 0 }, path = { 0 };
	struct stat runs, asked;
	bool same;

	strbuf_addf(&own, "/proc/%d/exe", (int)pid);
	strbuf_add(&path, file);
	same = !stat(own.at, &runs) && !stat(path.at, &asked) && runs.st_ino == asked.st_ino &&
	       runs.st_dev == asked.st_dev;
	strbuf_release(&own);
	strbuf_release(&path);
	return same;
}

/* By path, by comm (which the kernel truncates to 15 bytes), or by the file name in argv[0]. */
static bool is_called(pid_t pid, struct span name)
{
	char path[64];
	size_t size;
	char *text;
	bool found;

	if (span_find(name, '/') < name.size)
		return is_program(pid, name);
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	text = running_read(path, &size);
	found = text && span_eq(span_trim_end((struct span){ text, size }), name);
	free(text);
	if (found)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	text = running_read(path, &size);
	found = text && size && span_eq(span_base(span_of(text)), name);
	free(text);
	return found;
}

static int add_name(struct targets *t, struct span name, struct error *e)
{
	size_t nr, before = t->nr_process;
	pid_t *pid = running_list("/proc", &nr);

	/* `wick record -p wick` selects other processes of wick, not this one. */
	for (size_t i = 0; i < nr; i++)
		if (pid[i] != getpid() && is_called(pid[i], name))
			add_with_threads(t, pid[i]);
	free(pid);
	if (t->nr_process > before)
		return 0;
	return error_set(e, ERROR_INPUT, "no process named '%.*s'", (int)name.size, name.at);
}

/* Lists */

static int add_one(struct targets *t, struct span one, struct error *e)
{
	struct running_kin kin;
	uint64_t pid;

	if (!span_u64(one, &pid))
		return one.size ? add_name(t, one, e)
				: error_set(e, ERROR_USAGE,
					    "empty process name: expected a PID or a name");
	/* As in perf, the tid of one of its threads also selects the process. */
	if (pid && pid <= INT32_MAX && running_kin((pid_t)pid, &kin) &&
	    add_with_threads(t, kin.pid))
		return 0;
	return error_set(e, ERROR_INPUT, "no process %.*s", (int)one.size, one.at);
}

int targets_add_processes(struct targets *t, struct span list, struct error *e)
{
	do {
		size_t comma = span_find(list, ',');

		if (add_one(t, span_trim(span_upto(list, comma)), e))
			return -1;
		list = span_from(list, comma + 1);
	} while (list.size);
	return 0;
}

int targets_add_threads(struct targets *t, struct span list, struct error *e)
{
	do {
		size_t comma = span_find(list, ',');
		struct span one = span_trim(span_upto(list, comma));
		struct running_kin kin;
		uint64_t tid;

		if (!span_u64(one, &tid) || tid > INT32_MAX)
			return error_set(e, ERROR_USAGE,
					 "invalid thread ID '%.*s': expected a number",
					 (int)one.size, one.at);
		if (!running_kin((pid_t)tid, &kin))
			return error_set(e, ERROR_INPUT, "no thread %.*s", (int)one.size, one.at);
		if (!has(t->task, t->nr_task, (pid_t)tid))
			add_task(t, (pid_t)tid);
		if (!has(t->process, t->nr_process, kin.pid))
			add_process(t, kin.pid);
		list = span_from(list, comma + 1);
	} while (list.size);
	return 0;
}

/* Children */

static void add_children_of(struct targets *t, pid_t pid)
{
	size_t nr;
	pid_t *thread = running_threads(pid, &nr);
	char path[64];

	for (size_t i = 0; i < nr; i++) {
		struct span rest;
		uint64_t child;
		size_t size;
		char *text;

		snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)thread[i]);
		text = running_read(path, &size);
		rest = (struct span){ text, size };
		while (span_u64(span_word(&rest), &child) && child <= INT32_MAX)
			add_with_threads(t, (pid_t)child);
		free(text);
	}
	free(thread);
}

void targets_add_children(struct targets *t)
{
	t->children = true;
	/* The list grows meanwhile, so that children of children are added, too. */
	for (size_t i = 0; i < t->nr_process; i++)
		add_children_of(t, t->process[i]);
}

static int by_number(const void *x, const void *y)
{
	const pid_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* Adds the threads of a process that are not known yet. */
static void add_new_threads(struct targets *t, pid_t pid, const pid_t *known, size_t nr_known)
{
	size_t nr;
	pid_t *thread = running_threads(pid, &nr);

	for (size_t i = 0; i < nr; i++)
		if (!bsearch(&thread[i], known, nr_known, sizeof(*known), by_number))
			add_task(t, thread[i]);
	free(thread);
}

size_t targets_nr_children(const struct targets *t)
{
	struct targets all = { 0 };
	size_t nr;

	for (size_t i = 0; i < t->nr_process; i++)
		add_process(&all, t->process[i]);
	targets_add_children(&all);
	nr = all.nr_process - t->nr_process;
	targets_release(&all);
	return nr;
}

bool targets_update(struct targets *t)
{
	size_t before = t->nr_task, nr_process = t->nr_process;
	pid_t *known;

	if (!before)
		return false;
	known = xmemdup(t->task, before * sizeof(*known));
	qsort(known, before, sizeof(*known), by_number);
	for (size_t i = 0; i < nr_process; i++)
		add_new_threads(t, t->process[i], known, before);
	free(known);
	if (t->children)
		targets_add_children(t);
	return t->nr_task > before;
}

/* Groups */

static int no_group(const char *path, bool is_folder, struct error *e)
{
	error_set(e, ERROR_INPUT,
		  is_folder ? "--cgroup: %s: not a cgroup v2 or perf_event cgroup"
			    : "--cgroup: no cgroup '%s'",
		  path);
	return error_hint(e, "`cat /proc/PID/cgroup` shows the cgroup of a process");
}

int targets_open_group(const char *path, struct error *e)
{
	static const char *const folders[] = { "/sys/fs/cgroup/perf_event/", "/sys/fs/cgroup/",
					       "/sys/fs/cgroup/unified/", "" };
	struct strbuf full = { 0 };
	bool is_folder = false;
	int fd = -1;

	for (size_t i = 0; i < ARRAY_SIZE(folders) && fd < 0; i++) {
		strbuf_reset(&full);
		strbuf_addf(&full, "%s%s", folders[i], path);
		fd = open(full.at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		is_folder |= fd >= 0;
		if (fd >= 0 && !access_knows_group(fd)) {
			close(fd);
			fd = -1;
		}
	}
	strbuf_release(&full);
	return fd < 0 ? no_group(path, is_folder, e) : fd;
}

/* Adds the tids of a file, one per line; closes the descriptor. */
static void add_numbers(struct targets *t, int fd)
{
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char line[32];
	uint64_t tid;

	while (file && fgets(line, sizeof(line), file))
		if (span_u64(span_trim(span_of(line)), &tid))
			add_task(t, (pid_t)tid);
	if (file)
		fclose(file);
	else if (fd >= 0)
		close(fd);
}

/* Adds the threads of a cgroup and its subgroups; closes the descriptor. */
static void add_group(struct targets *t, int group, unsigned level)
{
	enum { LEVELS_MAX = 32 };
	DIR *folder = group < 0 ? NULL : fdopendir(group);
	const struct dirent *one;
	int fd;

	if (!folder) {
		if (group >= 0)
			close(group);
		return;
	}
	/* The file of cgroup v2, else that of v1. */
	fd = openat(group, "cgroup.threads", O_RDONLY | O_CLOEXEC);
	add_numbers(t, fd >= 0 ? fd : openat(group, "tasks", O_RDONLY | O_CLOEXEC));
	while (level < LEVELS_MAX && (one = readdir(folder)))
		if (one->d_type == DT_DIR && one->d_name[0] != '.')
			add_group(t,
				  openat(group, one->d_name,
					 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
				  level + 1);
	closedir(folder);
}

pid_t *targets_group_threads(int group, size_t *nr)
{
	struct targets t = { 0 };

	add_group(&t, openat(group, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0);
	if (t.nr_task)
		qsort(t.task, t.nr_task, sizeof(*t.task), by_number);
	*nr = t.nr_task;
	return t.task;
}

bool targets_has_thread(const pid_t *tid, size_t nr, pid_t wanted)
{
	return nr && bsearch(&wanted, tid, nr, sizeof(*tid), by_number);
}
