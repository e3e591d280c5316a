#include "cli/pager.h"

#include "base/legible.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A shell's exit status if it cannot run a command. */
enum { NOT_RUNNABLE = 126, NOT_FOUND = 127 };

/* The pager's command; NULL: no pager is wanted. */
static const char *find_command(void)
{
	const char *command = getenv("WICK_PAGER"), *term = getenv("TERM");

	/*
	 * On a terminal that cannot move its cursor, less asks for a key before it shows anything.
	 */
	if (!command && (!term || !*term || !strcmp(term, "dumb")))
		return NULL;
	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "command -v less >/dev/null && exec less || exec cat";
	return *command && strcmp(command, "cat") != 0 ? command : NULL;
}

/* In the child: runs the pager through a shell, since $PAGER may have options. */
static _Noreturn void run(const char *command, int in)
{
	if (dup2(in, STDIN_FILENO) >= 0) {
		/* less: F quits if it fits on the screen, R keeps colors, X keeps the screen. */
		setenv("LESS", "FRX", 0);
		setenv("LV", "-c", 0);
		setenv("LESSCHARSET", "utf-8", 0);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	}
	_exit(NOT_FOUND);
}

/* Starts the pager and sends standard output to it; returns its pid, or 0: it did not start. */
static pid_t begin(const char *command, int *terminal)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return 0;
	fflush(stdout);
	*terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	pid = *terminal >= 0 ? fork() : -1;
	if (!pid)
		run(command, ends[0]);
	close(ends[0]);
	if (pid > 0) {
		/* Quitting the pager early must not kill wick, and Ctrl-C is for the pager. */
		signal(SIGPIPE, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		dup2(ends[1], STDOUT_FILENO);
	} else if (*terminal >= 0) {
		close(*terminal);
	}
	close(ends[1]);
	return pid > 0 ? pid : 0;
}

/* Restores standard output and waits; false: the shell could not run the pager. */
static bool end(pid_t pid, int terminal)
{
	int status = 0;

	fflush(stdout);
	clearerr(stdout);
	/* This closes the pipe: the pager sees the end of its input. */
	dup2(terminal, STDOUT_FILENO);
	close(terminal);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	return !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != NOT_RUNNABLE && WEXITSTATUS(status) != NOT_FOUND);
}

void pager_make_ascii(struct strbuf *text)
{
	struct strbuf plain = { 0 };

	legible_add_ascii(&plain, strbuf_peek(text));
	strbuf_release(text);
	*text = plain;
}

void pager_show(struct span text, enum pager_use use)
{
	const char *command =
		use == PAGER_ON_TERMINAL && isatty(STDOUT_FILENO) ? find_command() : NULL;
	int terminal;
	pid_t pid = command ? begin(command, &terminal) : 0;

	fwrite(text.at, 1, text.size, stdout);
	if (pid && !end(pid, terminal))
		fwrite(text.at, 1, text.size, stdout);
	/* Later messages appear below the text. */
	fflush(stdout);
}
