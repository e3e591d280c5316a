#include "record/launch/signals.h"

#include "base/alloc.h"
#include "record/targets/running.h"

#include <time.h>
#include <unistd.h>

/* A terminal sends these, to its whole foreground process group. */
static const int ending[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP };

/* Programs define the meaning of these; unless wick forwards them, they would kill it. */
static const int others[] = { SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
			      SIGPROF, SIGIO,	SIGPWR,	 SIGSTKFLT };

bool signal_ends(int number)
{
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		if (ending[i] == number)
			return true;
	return false;
}

/* Signals that are ignored, as under nohup, stay ignored. */
static void take(struct launch_signals *before, int number)
{
	struct sigaction now;

	if (!sigaction(number, NULL, &now) && now.sa_handler != SIG_IGN)
		sigaddset(&before->taken, number);
}

int signals_take(struct launch_signals *before, enum signals_for receiver, struct error *e)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL },
			 ignored = { .sa_handler = SIG_IGN };

	sigemptyset(&before->taken);
	/* Sent when the command has exited. */
	sigaddset(&before->taken, SIGCHLD);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		take(before, ending[i]);
	/* Shells ignore SIGINT in commands that scripts start with &, but `kill -INT` must end a recording. */
	if (receiver == SIGNALS_FOR_US)
		sigaddset(&before->taken, SIGINT);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		take(before, others[i]);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		take(before, number);
	/* Writing beyond a limit, or to a pipe without a reader, must be an error and not kill wick. */
	if (sigaction(SIGCHLD, &by_default, &before->child) ||
	    sigaction(SIGXFSZ, &ignored, &before->too_large) ||
	    sigaction(SIGPIPE, &ignored, &before->no_reader) ||
	    getrlimit(RLIMIT_NOFILE, &before->files) ||
	    sigprocmask(SIG_BLOCK, &before->taken, &before->blocked))
		return error_sys(e, "signals");
	before->witness = (struct witness){ 0 };
	if (receiver == SIGNALS_FOR_COMMAND)
		witness_start(&before->witness);
	return 0;
}

/* Is the process the command, or a descendant of it? */
static bool is_of_command(pid_t pid, pid_t command)
{
	enum { GENERATIONS_MAX = 64 };
	struct running_kin kin;

	for (int i = 0; i < GENERATIONS_MAX && pid > 1 && pid != command; i++)
		pid = running_kin(pid, &kin) ? kin.parent : 0;
	return pid == command;
}

/* Was the signal sent to wick's process group, and is the command still in that group? */
static bool went_to_group(const struct launch *l, const struct launch_signals *before, int number)
{
	return witness_saw(&before->witness, number) && getpgid(l->pid) == getpgrp();
}

/*
 * A terminal sends its signals to the whole process group, and so may others (kill 0): the command has received
 * those itself.  A signal that was sent to wick only was meant for the command, unless the command or one of its
 * children sent it, to wick as its parent.
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
