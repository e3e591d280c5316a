/*
 * Signals while a command of the person's runs: those that are sent to us wait
 * until somebody takes them, and what was meant for the command is passed on.
 */
#ifndef WICK_RECORD_SIGNALS_H
#define WICK_RECORD_SIGNALS_H

#include "record/launch.h"

enum { SIGNAL_TOGGLE = SIGUSR2 };

/*
 * To be called before anything is started: signals wait from here on.  A command is to get those that
 * are meant for it.
 */
enum signals_for { SIGNALS_FOR_US, SIGNALS_FOR_COMMAND };
int signals_take(struct launch_signals *before, enum signals_for whom, struct error *e);

/* Is it one of those that people end programs with? */
bool signal_ends(int number);

/* A signal of ours that the command may have to have, too. */
void signal_pass_on(const struct launch *l, const struct launch_signals *before, int number,
		    int code, pid_t sender);

/* Waits until the command has ended, and passes on meanwhile. */
void signals_wait(struct launch *l, const struct launch_signals *before);

/* They do again what they did; those that wait are forgotten. */
void signals_end(struct launch_signals *before);

#endif
