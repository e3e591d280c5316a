/*
 * Signals during a recording: they are blocked, and stay pending until the session reads them
 * (signalfd).  A signal that was meant for the command is forwarded to it.
 */
#ifndef WICK_RECORD_LAUNCH_SIGNALS_H
#define WICK_RECORD_LAUNCH_SIGNALS_H

#include "record/launch/launch.h"

/* Starts and pauses sampling, see session.h. */
enum { SIGNAL_TOGGLE = SIGUSR2 };

/*
 * Blocks signals, and stores the previous state in `before`.  To be called before a command is
 * forked, or any thread started.  SIGNALS_FOR_COMMAND: there is a command to forward them to.
 */
enum signals_for { SIGNALS_FOR_US, SIGNALS_FOR_COMMAND };
int signals_take(struct launch_signals *before, enum signals_for receiver, struct error *e);

/* Is it one that ends programs: SIGINT, SIGTERM and the like? */
bool signal_ends(int number);

/*
 * Forwards a signal that wick received, with this si_code and si_pid, to the command, unless it got
 * it too.
 */
void signal_pass_on(const struct launch *l, const struct launch_signals *before, int number,
		    int code, pid_t sender);

/* Waits until the command has ended, and forwards signals meanwhile. */
void signals_wait(struct launch *l, const struct launch_signals *before);

/* Drops pending signals, and unblocks them: they act again as before. */
void signals_end(struct launch_signals *before);

#endif
