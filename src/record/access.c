/* Why the kernel refused, in words, and the one command that helps. */
#include "record/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int not_allowed(const struct sampling *what, const struct perf_event_attr *a,
		       struct error *e)
{
	long paranoid = access_setting("perf_event_paranoid", 2);

	if (!what->nr_task) {
		error_set(e, ERROR_SYSTEM, "not allowed to record the whole machine");
		return error_hint(e,
				  "run wick as root, or: sudo sysctl kernel.perf_event_paranoid=0");
	}
	if (a->type == PERF_TYPE_TRACEPOINT || !a->exclude_kernel) {
		error_set(e, ERROR_SYSTEM, "not allowed to record what happens in the kernel");
		return error_hint(e,
				  "run wick as root, or: sudo sysctl kernel.perf_event_paranoid=%d",
				  a->type == PERF_TYPE_TRACEPOINT ? -1 : 1);
	}
	if (paranoid > 2) {
		error_set(e, ERROR_SYSTEM,
			  "not allowed to record: kernel.perf_event_paranoid is %ld here",
			  paranoid);
		return error_hint(e, "sudo sysctl kernel.perf_event_paranoid=2");
	}
	if (!what->on_exec) {
		error_set(e, ERROR_SYSTEM,
			  "not allowed to record this process: it is somebody else's");
		return error_hint(e, "run wick as its user, or as root");
	}
	error_set(e, ERROR_SYSTEM,
		  "not allowed to record: something refuses perf_event_open, as containers do");
	return error_hint(e, "let the container have CAP_PERFMON: docker run --cap-add PERFMON");
}

int access_refused(const struct sampling *what, const struct perf_event_attr *a, int why,
		   struct error *e)
{
	switch (why) {
	case EACCES:
	case EPERM:
		return not_allowed(what, a, e);
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		if (a->branch_sample_type) {
			error_set(e, ERROR_SYSTEM,
				  "this processor does not remember its last calls (LBR)");
			return error_hint(e, "--call-graph auto needs no help from the processor");
		}
		error_set(e, ERROR_SYSTEM, "this machine does not count that");
		return error_hint(e, "-e cpu-clock works everywhere");
	case ENOSYS:
		return error_set(e, ERROR_SYSTEM, "this kernel has no perf events");
	case EMFILE:
		error_set(e, ERROR_SYSTEM, "too many threads and processors for so few open files");
		return error_hint(e, "ulimit -n 65536");
	default:
		errno = why;
		return error_sys(e, "perf_event_open");
	}
}
