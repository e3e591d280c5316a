#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The command, or NULL: none is wanted. */
static const char *find_command(void)
{
	const char *command = getenv("WICK_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "command -v less >/dev/null && exec less || exec cat";
	return *command && strcmp(command, "cat") != 0 ? command : NULL;
}

/* In the child: a shell, since people write options into it. */
static _Noreturn void run(const char *command, int in)
{
	if (dup2(in, STDIN_FILENO) >= 0) {
		/* Leave at once what fits, keep colors, and keep the screen. */
		setenv("LESS", "FRX", 0);
		setenv("LV", "-c", 0);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	}
	_exit(127);
}

void pager_begin(struct pager *p)
{
	const char *command = isatty(STDOUT_FILENO) ? find_command() : NULL;
	int ends[2];

	*p = (struct pager){ .terminal = -1 };
	if (!command || pipe2(ends, O_CLOEXEC))
		return;
	fflush(stdout);
	p->terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	p->pid = p->terminal >= 0 ? fork() : -1;
	if (!p->pid)
		run(command, ends[0]);
	close(ends[0]);
	if (p->pid < 0) {
		close(ends[1]);
		if (p->terminal >= 0)
			close(p->terminal);
		p->pid = 0;
		return;
	}
	/* Who closes the pager early has seen enough; and Ctrl-C is for the pager. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
}

void pager_end(struct pager *p)
{
	if (!p->pid)
		return;
	fflush(stdout);
	clearerr(stdout);
	/* The terminal again; the pager sees the end of its input. */
	dup2(p->terminal, STDOUT_FILENO);
	close(p->terminal);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	*p = (struct pager){ .terminal = -1 };
}
