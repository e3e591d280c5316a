#include "record/signals.h"

#include "base/alloc.h"

#include <time.h>

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

int signals_take(struct launch_signals *before, struct error *e)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL };

	sigemptyset(&before->taken);
	/* It tells of the one that we started. */
	sigaddset(&before->taken, SIGCHLD);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		take(before, ending[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		take(before, others[i]);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		take(before, number);
	if (sigaction(SIGCHLD, &by_default, &before->child) ||
	    sigprocmask(SIG_BLOCK, &before->taken, &before->blocked))
		return error_sys(e, "signals");
	return 0;
}

/*
 * What a terminal sends goes to everybody there, and the command answers it as
 * it likes.  What was sent to us alone was meant for it.
 */
void signal_pass_on(const struct launch *l, int number, int code, pid_t sender)
{
	bool by_terminal = code == SI_KERNEL && signal_ends(number);

	if (l->pid && number != SIGCHLD && !by_terminal && sender != l->pid)
		kill(l->pid, number);
}

void signals_wait(struct launch *l, const struct launch_signals *before)
{
	siginfo_t info;

	while (!launch_ended(l))
		if (sigwaitinfo(&before->taken, &info) > 0)
			signal_pass_on(l, info.si_signo, info.si_code, info.si_pid);
}

void signals_end(const struct launch_signals *before)
{
	struct timespec at_once = { 0 };

	while (sigtimedwait(&before->taken, NULL, &at_once) > 0)
		;
	sigprocmask(SIG_SETMASK, &before->blocked, NULL);
}
