#include "record/usage.h"

#include "base/alloc.h"
#include "record/targets/running.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Processes */

static uint64_t from_ticks(uint64_t ticks)
{
	return ticks * (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* The n-th word, from 0 on, as a number. */
static uint64_t nth(struct span words, size_t n)
{
	uint64_t value;

	while (n--)
		span_word(&words);
	return span_u64(span_word(&words), &value) ? value : 0;
}

/* Reads /proc/PID/stat, or that of a thread; false, and nothing changes: it has exited. */
static bool read_entry(const struct usage *u, pid_t id, struct usage_time *time, pid_t *parent)
{
	/* Fields after the name: the state comes first, then the parent. */
	enum {
		PARENT = 1,
		CHILDREN_FAULTS = 8,
		USER = 11,
		KERNEL = 12,
		CHILDREN_USER = 13,
		CHILDREN_KERNEL = 14
	};
	char path[64];
	struct span all;
	size_t size;
	char *text;

	snprintf(path, sizeof(path),
		 u->follow == FOLLOW_NONE ? "/proc/%d/task/%d/stat" : "/proc/%d/stat", (int)id,
		 (int)id);
	text = running_read(path, &size);
	if (!size) {
		free(text);
		return false;
	}
	all = (struct span){ text, size };
	all = span_from(all, span_rfind(all, ')') + 1);
	*parent = (pid_t)nth(all, PARENT);
	time->user = from_ticks(nth(all, USER));
	time->kernel = from_ticks(nth(all, KERNEL));
	time->child_faults = nth(all, CHILDREN_FAULTS);
	if (u->follow == FOLLOW_ALL) {
		time->user += from_ticks(nth(all, CHILDREN_USER));
		time->kernel += from_ticks(nth(all, CHILDREN_KERNEL));
	}
	free(text);
	return true;
}

static bool has_entry(const struct usage *u, pid_t id)
{
	for (size_t i = 0; i < u->nr_entry; i++)
		if (u->entry[i].id == id && !u->entry[i].is_gone)
			return true;
	return false;
}

static struct usage_entry *add_entry(struct usage *u, pid_t id)
{
	GROW(u->entry, u->nr_entry, u->cap_entry);
	u->entry[u->nr_entry] = (struct usage_entry){ .id = id };
	return &u->entry[u->nr_entry++];
}

static void begin_entry(struct usage *u, pid_t id)
{
	struct usage_entry *one = add_entry(u, id);
	pid_t parent = 0;

	one->is_gone = !read_entry(u, id, &one->first, &parent);
	one->now = one->first;
	one->is_child = u->follow == FOLLOW_ALL && has_entry(u, parent);
}

/* Groups */

/* "usage_usec 123", "user_usec 100", "system_usec 23": version 2 has it. */
static bool read_group(int group, struct usage_time *time)
{
	int fd = openat(group, "cpu.stat", O_RDONLY | O_CLOEXEC);
	char text[4096];
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text)) : -1;
	struct span all = { text, n > 0 ? (size_t)n : 0 };
	int found = 0;

	if (fd >= 0)
		close(fd);
	while (all.size) {
		struct span line = span_line(&all), key = span_word(&line);
		uint64_t us;

		if (!span_u64(span_word(&line), &us))
			continue;
		found += span_is(key, "user_usec") || span_is(key, "system_usec");
		if (span_is(key, "user_usec"))
			time->user = us * 1000;
		else if (span_is(key, "system_usec"))
			time->kernel = us * 1000;
	}
	return found == 2;
}

/* Interface */

void usage_init(struct usage *u, const struct sampling *what, const struct targets *targets)
{
	bool threads = what->follow == FOLLOW_NONE;

	*u = (struct usage){ .follow = what->follow, .group = what->cgroup };
	if (u->group >= 0) {
		u->known = read_group(u->group, &u->group_first);
		u->group_now = u->group_first;
		return;
	}
	for (size_t i = 0; i < (threads ? targets->nr_task : targets->nr_process); i++)
		begin_entry(u, threads ? targets->task[i] : targets->process[i]);
	u->known = u->nr_entry > 0;
}

void usage_release(struct usage *u)
{
	free(u->entry);
	*u = (struct usage){ .group = -1 };
}

void usage_add_child(struct usage *u, const struct record *r)
{
	if (u->known && u->group < 0 && u->follow == FOLLOW_ALL && r->pid != r->fork.ppid)
		add_entry(u, (pid_t)r->pid)->is_child = true;
}

/*
 * From parents to children: a child that is waited for in between is missed in this reading, and never counted
 * twice.
 */
void usage_read(struct usage *u)
{
	size_t nr = 0;

	if (u->group >= 0)
		read_group(u->group, &u->group_now);
	for (size_t i = 0; i < u->nr_entry; i++) {
		struct usage_entry *one = &u->entry[i];
		pid_t parent;

		if (!one->is_gone && !read_entry(u, one->id, &one->now, &parent))
			one->is_gone = true;
		else if (!one->is_gone && one->is_child)
			one->is_child = has_entry(u, parent);
		/* The CPU time of a child that started and exited is included in its parent's. */
		if (!one->is_gone || !one->is_child || one->first.user || one->first.kernel)
			u->entry[nr++] = *one;
	}
	u->nr_entry = nr;
}

/* If its parent ignores SIGCHLD, the CPU time of a child that exits is lost, and the sum may become negative. */
static uint64_t at_least_none(uint64_t time)
{
	return (int64_t)time < 0 ? 0 : time;
}

struct usage_time usage_sum(const struct usage *u)
{
	/* Unsigned arithmetic: intermediate differences may be negative. */
	struct usage_time sum = { .user = u->group_now.user - u->group_first.user,
				  .kernel = u->group_now.kernel - u->group_first.kernel };

	for (size_t i = 0; i < u->nr_entry; i++) {
		const struct usage_entry *one = &u->entry[i];
		bool is_waited_for = one->is_gone && one->is_child;

		sum.user += (is_waited_for ? 0 : one->now.user) - one->first.user;
		sum.kernel += (is_waited_for ? 0 : one->now.kernel) - one->first.kernel;
	}
	sum.user = at_least_none(sum.user);
	sum.kernel = at_least_none(sum.kernel);
	return sum;
}

/* Page faults show it: no process starts and exits without one. */
bool usage_has_children(const struct usage *u)
{
	for (size_t i = 0; i < u->nr_entry; i++)
		if (u->entry[i].now.child_faults > u->entry[i].first.child_faults)
			return true;
	return false;
}
