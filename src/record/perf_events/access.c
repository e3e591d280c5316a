#include "record/perf_events/access.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

long access_setting(const char *name, long otherwise)
{
	char path[128], text[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return otherwise;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return otherwise;
	text[n] = '\0';
	return strtol(text, NULL, 10);
}

/*
 * The kernel checks the flags first, and returns EINVAL for these; any other errno comes from a filter.  A kernel
 * without perf events has no perf_event_paranoid either.
 */
bool access_is_filtered(void)
{
	return syscall(SYS_perf_event_open, NULL, 0, -1, -1, ~0UL) < 0 && errno != EINVAL &&
	       access_setting("perf_event_paranoid", -100) != -100;
}

bool access_has_own(const char *kind)
{
	/* The inodes of the machine's first namespaces are constants of the kernel. */
	static const struct {
		const char *kind;
		uint64_t number;
	} first[] = { { "pid", 0xEFFFFFFC }, { "user", 0xEFFFFFFD } };
	char path[64], link[64], want[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/ns/%s", kind);
	n = readlink(path, link, sizeof(link) - 1);
	if (n < 0)
		return false;
	link[n] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(first); i++) {
		snprintf(want, sizeof(want), "%s:[%llu]", first[i].kind,
			 (unsigned long long)first[i].number);
		if (!strcmp(link, want))
			return false;
	}
	return true;
}

bool access_knows_group(int folder)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .size = sizeof(a),
				     .config = PERF_COUNT_SW_CPU_CLOCK,
				     .disabled = true };
	int fd = (int)syscall(SYS_perf_event_open, &a, folder, 0, -1,
			      PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || (errno != EBADF && errno != EINVAL && !access_is_missing(errno));
}

bool access_is_missing(int why)
{
	return why == ENOENT || why == ENODEV || why == EOPNOTSUPP;
}

/* Every user may do this up to this level of kernel.perf_event_paranoid. */
static const struct rule {
	const char *what;
	long level;
} rules[] = {
	[ACCESS_OWN] = { "record", 2 },
	[ACCESS_KERNEL] = { "sample the kernel", 1 },
	[ACCESS_MACHINE] = { "monitor all CPUs", 0 },
	[ACCESS_TRACEPOINT] = { "sample the kernel", -1 },
	[ACCESS_OTHERS] = { "record this process", 2 },
	[ACCESS_PROTECTED] = { "record this process", 2 },
};

int access_denied(enum access what, struct error *e)
{
	const struct rule *rule = &rules[what];
	long paranoid = access_setting("perf_event_paranoid", 2);

	if (access_is_filtered()) {
		error_set(
			e, ERROR_SYSTEM,
			"not permitted to %s: a seccomp filter blocks perf_event_open, as in containers",
			rule->what);
		return error_hint(
			e,
			access_has_own("pid") || access_has_own("user")
				? "docker run --cap-add PERFMON …"
				: "systemd: SystemCallFilter=perf_event_open; docker: --cap-add PERFMON");
	}
	if (paranoid > rule->level) {
		error_set(e, ERROR_SYSTEM, "not permitted to %s: kernel.perf_event_paranoid is %ld",
			  rule->what, paranoid);
		return error_hint(e, "sudo sysctl kernel.perf_event_paranoid=%ld", rule->level);
	}
	if (what == ACCESS_OTHERS) {
		error_set(e, ERROR_SYSTEM, "not permitted to %s: it belongs to another user",
			  rule->what);
		return error_hint(e, "run wick as its user, or as root");
	}
	if (what == ACCESS_PROTECTED) {
		error_set(e, ERROR_SYSTEM, "not permitted to %s: it is not dumpable", rule->what);
		return error_hint(e, "run wick as root");
	}
	error_set(e, ERROR_SYSTEM, "not permitted to %s: refused by a security module", rule->what);
	return error_hint(e, "run wick as root");
}

/*
 * Do all tasks belong to this user, and is one not dumpable?  Then its files in /proc belong to root, its directory
 * to its user.
 */
static bool is_protected(const struct sampling *what)
{
	bool any = false;

	for (size_t i = 0; i < what->nr_task; i++) {
		char path[64];
		struct stat folder, file;

		snprintf(path, sizeof(path), "/proc/%d", (int)what->task[i]);
		if (stat(path, &folder) || folder.st_uid != geteuid())
			return false;
		snprintf(path, sizeof(path), "/proc/%d/syscall", (int)what->task[i]);
		any |= !stat(path, &file) && file.st_uid != folder.st_uid;
	}
	return any;
}

/* The permission that a refused event needs: the highest one. */
static enum access access_of(const struct sampling *what, const struct perf_event_attr *a)
{
	if (!what->nr_task)
		return ACCESS_MACHINE;
	if (a->type == PERF_TYPE_TRACEPOINT)
		return ACCESS_TRACEPOINT;
	if (!a->exclude_kernel)
		return ACCESS_KERNEL;
	if (what->on_exec)
		return ACCESS_OWN;
	return is_protected(what) ? ACCESS_PROTECTED : ACCESS_OTHERS;
}

int access_no_room(struct error *e)
{
	long kilobytes = access_setting("perf_event_mlock_kb", 516);

	error_set(
		e, ERROR_SYSTEM,
		"not enough locked memory for ring buffers: a user's recordings share %ld KiB per CPU (kernel.perf_event_mlock_kb)",
		kilobytes);
	return error_hint(e, "ulimit -l unlimited, or sudo sysctl kernel.perf_event_mlock_kb=%ld",
			  kilobytes * 8);
}

int access_no_files(struct error *e)
{
	errno = EMFILE;
	return error_sys(e, "cannot record");
}

int access_refused(const struct sampling *what, const struct perf_event_attr *a, int why,
		   struct error *e)
{
	if (why == EACCES || why == EPERM || (why == ENOSYS && access_is_filtered()))
		return access_denied(access_of(what, a), e);
	if (access_is_missing(why) && a->branch_sample_type) {
		error_set(e, ERROR_SYSTEM, "this CPU does not support LBR call stacks");
		return error_hint(e, "use --call-graph auto, which needs no hardware support");
	}
	if (access_is_missing(why)) {
		error_set(e, ERROR_SYSTEM, "event not supported on this machine");
		return error_hint(
			e,
			"use -e cpu-clock, which works everywhere; `wick list` shows supported events");
	}
	if (why == EINVAL && a->type >= PERF_TYPE_MAX) {
		error_set(e, ERROR_SYSTEM, "event can be counted, but not sampled");
		return error_hint(e, "count it with `wick stat -e`; `wick list pmu` shows others");
	}
	if (why == ENOSYS)
		return error_set(e, ERROR_SYSTEM, "this kernel does not support perf events");
	if (why == EMFILE)
		return access_no_files(e);
	errno = why;
	return error_sys(e, "perf_event_open");
}
