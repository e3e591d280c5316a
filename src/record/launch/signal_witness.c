#include "record/launch/signal_witness.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * `pkill wick` must not match the witness, so it gets another name and an empty command line.  The command line is
 * overwritten in place; /proc says how long it is.
 */
static void hide_name(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	char buf[4096];
	size_t size = 0;
	ssize_t n;

	prctl(PR_SET_NAME, "signals");
	while (fd >= 0 && (n = read(fd, buf, sizeof(buf))) > 0)
		size += (size_t)n;
	memset(program_invocation_name, 0, size);
}

/* Takes the signals that are pending, as a set: bit n - 1 is signal n. */
static uint64_t take_pending(const sigset_t *all)
{
	struct timespec at_once = { 0 };
	uint64_t seen = 0;
	int number;

	while ((number = sigtimedwait(all, NULL, &at_once)) > 0)
		seen |= (uint64_t)1 << (number - 1);
	return seen;
}

/* Closes all other descriptors: pipes and files must be closed when wick exits, not later. */
static void keep_only(int fd)
{
	if (fd)
		syscall(SYS_close_range, 0, fd - 1, 0);
	syscall(SYS_close_range, fd + 1, UINT_MAX, 0);
}

static void answer_until_closed(int to)
{
	sigset_t all;
	char byte;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	hide_name();
	keep_only(to);
	while (recv(to, &byte, 1, 0) == 1) {
		uint64_t seen = take_pending(&all);

		if (send(to, &seen, sizeof(seen), MSG_NOSIGNAL) < 0)
			break;
	}
	_exit(0);
}

void witness_start(struct witness *w)
{
	/* An answer takes microseconds; on an overloaded machine, maybe a second. */
	const struct timeval patience = { .tv_sec = 1 };
	int ends[2];

	*w = (struct witness){ .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return;
	w->pid = fork();
	if (!w->pid)
		answer_until_closed(ends[1]);
	close(ends[1]);
	w->fd = ends[0];
	setsockopt(w->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (w->pid > 0)
		return;
	close(w->fd);
	w->pid = 0;
}

static bool ask(const struct witness *w, int number)
{
	uint64_t seen = 0;

	/* Drops a late answer to an earlier question. */
	while (recv(w->fd, &seen, sizeof(seen), MSG_DONTWAIT) > 0)
		;
	/* If the group was stopped (Ctrl-Z), and only wick was continued, the witness would not answer. */
	kill(w->pid, SIGCONT);
	return send(w->fd, "", 1, MSG_NOSIGNAL) == 1 &&
	       recv(w->fd, &seen, sizeof(seen), 0) == (ssize_t)sizeof(seen) &&
	       (seen >> (number - 1) & 1);
}

bool witness_saw(const struct witness *w, int number)
{
	/* The kernel signals one member of a group after the other: the witness may be the last. */
	const struct timespec moment = { .tv_nsec = 5000000 };

	if (!w->pid)
		return false;
	if (ask(w, number))
		return true;
	nanosleep(&moment, NULL);
	return ask(w, number);
}

void witness_end(struct witness *w)
{
	if (!w->pid)
		return;
	close(w->fd);
	kill(w->pid, SIGKILL);
	waitpid(w->pid, NULL, 0);
	w->pid = 0;
}
