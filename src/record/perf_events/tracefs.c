#include "record/perf_events/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* In old kernels, it is in debugfs. */
static const char *const PLACES[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

/* Opens the mounted tracefs; -1: errno is set, to ENOENT if there is none. */
static int open_mounted(void)
{
	int why = ENOENT;

	for (size_t i = 0; i < sizeof(PLACES) / sizeof(PLACES[0]); i++) {
		int fd = open(PLACES[i], O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (fd >= 0 && !faccessat(fd, "events", R_OK | X_OK, AT_EACCESS))
			return fd;
		/* It is mounted, but not accessible. */
		if (errno == EACCES || errno == EPERM)
			why = errno;
		if (fd >= 0)
			close(fd);
	}
	errno = why;
	return -1;
}

/*
 * Opens a new tracefs that is mounted nowhere (Linux 5.2).  By system call number: older C libraries have no
 * wrappers.
 */
static int open_detached(void)
{
	int context = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC), fd = -1, why;

	if (context < 0)
		return -1;
	if (!syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		fd = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
	why = errno;
	close(context);
	errno = why;
	return fd;
}

int tracefs_open(struct error *e)
{
	int fd = open_mounted(), mounted = errno;

	if (fd < 0)
		fd = open_detached();
	if (fd >= 0)
		return fd;
	if (errno == ENODEV)
		return error_set(e, ERROR_SYSTEM,
				 "cannot read tracepoints: this kernel has no tracefs");
	if (!geteuid()) {
		error_set(
			e, ERROR_SYSTEM,
			"cannot read tracepoints: tracefs is not mounted, and wick cannot mount it (%s)",
			strerror(errno));
		return error_hint(e, "mount -t tracefs none %s (for a container: on the host)",
				  PLACES[0]);
	}
	error_set(e, ERROR_SYSTEM, "cannot read tracepoints: %s",
		  mounted == ENOENT ? "tracefs is not mounted, and only root may mount it"
				    : "only root may read tracefs");
	return error_hint(e, "run wick as root: sudo wick …");
}
