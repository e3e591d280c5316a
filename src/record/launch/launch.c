#include "record/launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool launch_become(const struct launch_user *user)
{
	int groups = user->name ? initgroups(user->name, user->gid) : setgroups(1, &user->gid);
	/* In a user namespace (unshare -r), setgroups() may be refused even to root. */
	bool is_us = getuid() == user->uid && getgid() == user->gid;

	if ((groups && !is_us) || setresgid(user->gid, user->gid, user->gid) ||
	    setresuid(user->uid, user->uid, user->uid))
		return false;
	if (user->name) {
		setenv("USER", user->name, 1);
		setenv("LOGNAME", user->name, 1);
	}
	if (user->home)
		setenv("HOME", user->home, 1);
	if (user->shell)
		setenv("SHELL", user->shell, 1);
	return true;
}

/* In the child: waits until it is released, undoes signals_take(), and executes the command. */
static void become(const char *const *command, const struct launch_user *user, const char *folder,
		   const struct launch_signals *before, int go, int failed)
{
	/* A refusal is kept until launch_run() reads it; negative, unlike the errno of an exec. */
	int why = user && !launch_become(user) ? -errno : 0;
	char byte;

	/* The pipe was closed: by launch_close(), or wick has exited. */
	if (read(go, &byte, 1) != 1)
		_exit(STATUS_OWN);
	sigaction(SIGCHLD, &before->child, NULL);
	sigaction(SIGXFSZ, &before->too_large, NULL);
	sigaction(SIGPIPE, &before->no_reader, NULL);
	setrlimit(RLIMIT_NOFILE, &before->files);
	sigprocmask(SIG_SETMASK, &before->blocked, NULL);
	if (!why && (!folder || !chdir(folder)))
		execvp(command[0], (char *const *)(uintptr_t)command);
	why = why ? why : errno;
	(void)!write(failed, &why, sizeof(why));
	_exit(why == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUN);
}

int launch_open(struct launch *l, const char *const *command, const struct launch_user *user,
		const char *folder, const struct launch_signals *before, struct error *e)
{
	int go[2] = { -1, -1 }, failed[2] = { -1, -1 }, nice;

	*l = (struct launch)LAUNCH_INIT;
	if (pipe2(go, O_CLOEXEC) || pipe2(failed, O_CLOEXEC)) {
		error_sys(e, "pipe");
		goto out;
	}
	/* Children do not inherit a raised priority (priority.h), but then no lowered one either: it is set again. */
	nice = getpriority(PRIO_PROCESS, 0);
	l->pid = fork();
	if (l->pid < 0) {
		l->pid = 0;
		error_sys(e, "fork");
		goto out;
	}
	if (!l->pid) {
		setpriority(PRIO_PROCESS, 0, nice);
		/* If the child kept a writer, its read() would never reach the end of the pipe. */
		close(go[1]);
		become(command, user, folder, before, go[0], failed[1]);
	}
	l->go = go[1];
	l->failed = failed[0];
	close(go[0]);
	close(failed[1]);
	return 0;
out:
	for (int i = 0; i < 2; i++) {
		close(go[i]);
		close(failed[i]);
	}
	return -1;
}

int launch_run(struct launch *l, const char *name, struct error *e)
{
	int why = 0;
	ssize_t n;

	if (write(l->go, "", 1) != 1)
		return error_sys(e, "%s", name);
	close(l->go);
	l->go = -1;
	/* The exec closes the child's end: then there is nothing to read. */
	do
		n = read(l->failed, &why, sizeof(why));
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(why))
		return 0;
	if (why < 0)
		return launch_refused(name, -why, e);
	l->status = why == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUN;
	return launch_not_run(name, why, e);
}

static uint64_t nanoseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

void launch_reaped(struct launch *l, int status, const struct rusage *used)
{
	l->pid = 0;
	l->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	l->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	l->memory = (uint64_t)used->ru_maxrss * 1024;
	l->switches = (uint64_t)used->ru_nvcsw + (uint64_t)used->ru_nivcsw;
	l->faults = (uint64_t)used->ru_minflt;
	l->major_faults = (uint64_t)used->ru_majflt;
	l->user_time += nanoseconds(used->ru_utime);
	l->kernel_time += nanoseconds(used->ru_stime);
}

bool launch_ended(struct launch *l)
{
	struct rusage used;
	int status;

	/* A tracee that was just released (trace.h) may still report a stop: it has not exited. */
	if (l->pid && wait4(l->pid, &status, WNOHANG, &used) == l->pid && !WIFSTOPPED(status))
		launch_reaped(l, status, &used);
	return !l->pid;
}

void launch_close(struct launch *l)
{
	bool held = l->go >= 0;

	if (held)
		close(l->go);
	if (l->failed >= 0)
		close(l->failed);
	if (held && l->pid) {
		waitpid(l->pid, NULL, 0);
		l->pid = 0;
	}
	l->go = l->failed = -1;
}
