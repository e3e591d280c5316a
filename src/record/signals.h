/*
 * Signals during a recording: they are blocked, and stay pending until the
 * session reads them (signalfd).  A signal that was meant for the command is
 * passed on to it.
 */
#ifndef WICK_RECORD_SIGNALS_H
#define WICK_RECORD_SIGNALS_H

#include "record/launch.h"

/* Starts and pauses sampling, see session.h. */
enum { SIGNAL_TOGGLE = SIGUSR2 };

/*
 * Blocks signals, and keeps in `before` how everything was.  To be called before a command is
 * forked, or any thread.  SIGNALS_FOR_COMMAND: there is a command that they may be passed on to.
 */
enum signals_for { SIGNALS_FOR_US, SIGNALS_FOR_COMMAND };
int signals_take(struct launch_signals *before, enum signals_for whom, struct error *e);

/* Is it one that people end programs with: SIGINT, SIGTERM and the like? */
bool signal_ends(int number);

/* We got a signal, with this si_code and si_pid: sends it to the command, unless it got it too. */
void signal_pass_on(const struct launch *l, const struct launch_signals *before, int number,
		    int code, pid_t sender);

/* Waits until the command has ended, and passes signals on meanwhile. */
void signals_wait(struct launch *l, const struct launch_signals *before);

/* Drops what is pending, and unblocks signals: they do again what they did before. */
void signals_end(struct launch_signals *before);

#endif
