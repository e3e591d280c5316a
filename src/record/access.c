#include "record/access.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
 * The kernel checks the flags first, and says EINVAL to these; any other errno is a filter's.  A
 * kernel that was built without perf events has no perf_event_paranoid either.
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

/* Everybody may do that up to this level of kernel.perf_event_paranoid. */
static const struct rule {
	const char *what;
	long level;
} rules[] = {
	[ACCESS_OWN] = { "record", 2 },
	[ACCESS_KERNEL] = { "see what happens in the kernel", 1 },
	[ACCESS_MACHINE] = { "record the whole machine", 0 },
	[ACCESS_TRACEPOINT] = { "see what happens in the kernel", -1 },
	[ACCESS_OTHERS] = { "record this process", 2 },
};

int access_denied(enum access what, struct error *e)
{
	const struct rule *rule = &rules[what];
	long paranoid = access_setting("perf_event_paranoid", 2);

	if (access_is_filtered()) {
		error_set(
			e, ERROR_SYSTEM,
			"not allowed to %s: a filter of system calls refuses it, as containers have",
			rule->what);
		return error_hint(
			e,
			access_has_own("pid") || access_has_own("user")
				? "docker run --cap-add PERFMON …"
				: "systemd: SystemCallFilter=perf_event_open; docker: --cap-add PERFMON");
	}
	if (paranoid > rule->level) {
		error_set(e, ERROR_SYSTEM,
			  "not allowed to %s: kernel.perf_event_paranoid is %ld here", rule->what,
			  paranoid);
		return error_hint(e, "sudo sysctl kernel.perf_event_paranoid=%ld", rule->level);
	}
	if (what == ACCESS_OTHERS) {
		error_set(e, ERROR_SYSTEM, "not allowed to %s: it is somebody else's", rule->what);
		return error_hint(e, "run wick as its user, or as root");
	}
	error_set(e, ERROR_SYSTEM, "not allowed to %s: a security module refuses it", rule->what);
	return error_hint(e, "run wick as root");
}

/* What was wanted of a refused event: the most that it needs. */
static enum access access_of(const struct sampling *what, const struct perf_event_attr *a)
{
	if (!what->nr_task)
		return ACCESS_MACHINE;
	if (a->type == PERF_TYPE_TRACEPOINT)
		return ACCESS_TRACEPOINT;
	if (!a->exclude_kernel)
		return ACCESS_KERNEL;
	return what->on_exec ? ACCESS_OWN : ACCESS_OTHERS;
}

int access_refused(const struct sampling *what, const struct perf_event_attr *a, int why,
		   struct error *e)
{
	if (why == EACCES || why == EPERM || (why == ENOSYS && access_is_filtered()))
		return access_denied(access_of(what, a), e);
	if (access_is_missing(why) && a->branch_sample_type) {
		error_set(e, ERROR_SYSTEM, "this processor does not remember its last calls (LBR)");
		return error_hint(e, "--call-graph auto needs no help from the processor");
	}
	if (access_is_missing(why)) {
		error_set(e, ERROR_SYSTEM, "this machine does not count that");
		return error_hint(e, "-e cpu-clock works everywhere; `wick list` tells the others");
	}
	if (why == EINVAL && a->type >= PERF_TYPE_MAX) {
		error_set(e, ERROR_SYSTEM, "this is counted, but there are no samples of it");
		return error_hint(e, "`wick stat -e` counts it; `wick list pmu` tells the others");
	}
	if (why == ENOSYS)
		return error_set(e, ERROR_SYSTEM, "this kernel has no perf events");
	if (why == EMFILE) {
		error_set(e, ERROR_SYSTEM, "too many threads and processors for so few open files");
		return error_hint(e, "ulimit -n 65536");
	}
	errno = why;
	return error_sys(e, "perf_event_open");
}
