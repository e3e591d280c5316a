#include "record/signals.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A terminal sends these, to everybody there. */
static const int ending[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP };

/* Programs give these a meaning of their own; without one, they are ended by them. */
static const int others[] = { SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
			      SIGPROF, SIGIO,	SIGPWR,	 SIGSTKFLT };

bool signal_ends(int number)
{
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		if (ending[i] == number)
			return true;
	return false;
}

/* Ignored ones, as below nohup, stay so. */
static void take(struct launch_signals *before, int number)
{
	struct sigaction now;

	if (!sigaction(number, NULL, &now) && now.sa_handler != SIG_IGN)
		sigaddset(&before->taken, number);
}

int signals_take(struct launch_signals *before, enum signals_for whom, struct error *e)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL },
			 ignored = { .sa_handler = SIG_IGN };

	sigemptyset(&before->taken);
	/* It tells of the one that we started. */
	sigaddset(&before->taken, SIGCHLD);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		take(before, ending[i]);
	/* Scripts have it ignored by all that they start with &, and then end it by `kill -INT`. */
	if (whom == SIGNALS_FOR_US)
		sigaddset(&before->taken, SIGINT);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		take(before, others[i]);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		take(before, number);
	/* A file of ours that may not grow is an error that can be told, and one that nobody reads not the end of others. */
	if (sigaction(SIGCHLD, &by_default, &before->child) ||
	    sigaction(SIGXFSZ, &ignored, &before->too_large) ||
	    sigaction(SIGPIPE, &ignored, &before->no_reader) ||
	    getrlimit(RLIMIT_NOFILE, &before->files) ||
	    sigprocmask(SIG_BLOCK, &before->taken, &before->blocked))
		return error_sys(e, "signals");
	before->witness = (struct witness){ 0 };
	if (whom == SIGNALS_FOR_COMMAND)
		witness_start(&before->witness);
	return 0;
}

/* Who started it; 0: it is gone. */
static pid_t parent_of(pid_t pid)
{
	char path[32], text[512] = "";
	const char *name_end;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		*text = '\0';
	close(fd);
	/* "12 (name) S 1 …", and a name may have any characters. */
	name_end = strrchr(text, ')');
	if (!name_end || strlen(name_end) < strlen(") S "))
		return 0;
	return (pid_t)strtol(name_end + strlen(") S "), NULL, 10);
}

/* Is it the command, or did the command start it? */
static bool is_of_command(pid_t pid, pid_t command)
{
	enum { GENERATIONS_MAX = 64 };

	for (int i = 0; i < GENERATIONS_MAX && pid > 1 && pid != command; i++)
		pid = parent_of(pid);
	return pid == command;
}

/* Has it, as everybody in our group? */
static bool went_to_group(const struct launch *l, const struct launch_signals *before, int number)
{
	return witness_saw(&before->witness, number) && getpgid(l->pid) == getpgrp();
}

/*
 * What a terminal sends goes to everybody there, and the command answers it as
 * it likes.  So does what anybody sends to the whole group.  What was sent to us alone was meant for
 * the command, unless that sent it itself: to who started it.
 */
void signal_pass_on(const struct launch *l, const struct launch_signals *before, int number,
		    int code, pid_t sender)
{
	bool by_terminal = code == SI_KERNEL && signal_ends(number);

	if (!l->pid || number == SIGCHLD)
		return;
	if (!went_to_group(l, before, number) && !by_terminal && !is_of_command(sender, l->pid))
		kill(l->pid, number);
}

void signals_wait(struct launch *l, const struct launch_signals *before)
{
	siginfo_t info;

	while (!launch_ended(l))
		if (sigwaitinfo(&before->taken, &info) > 0)
			signal_pass_on(l, before, info.si_signo, info.si_code, info.si_pid);
}

void signals_end(struct launch_signals *before)
{
	struct timespec at_once = { 0 };

	witness_end(&before->witness);
	while (sigtimedwait(&before->taken, NULL, &at_once) > 0)
		;
	sigaction(SIGXFSZ, &before->too_large, NULL);
	sigaction(SIGPIPE, &before->no_reader, NULL);
	sigprocmask(SIG_SETMASK, &before->blocked, NULL);
}
