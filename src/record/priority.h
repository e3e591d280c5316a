/*
 * wick's own scheduling priority.  wick needs little CPU time, but without delay: opening the events
 * of thousands of busy threads takes a tenth of a second, or a minute if each of them runs first.
 * Without the permission to raise its priority, wick keeps its own.
 */
#ifndef WICK_RECORD_PRIORITY_H
#define WICK_RECORD_PRIORITY_H

#include <stdbool.h>

/* Sets a real-time priority, which child processes do not inherit. */
void priority_raise(void);

/* Undoes priority_raise(), but no change made by others since. */
void priority_restore(void);

/*
 * Raises the priority of this thread, and of those it creates, for so many milliseconds, because
 * the user is waiting for the result.  Returns the nice value for priority_calm(), which restores this
 * thread's priority before that time: needed before a fork, since children inherit it.
 */
int priority_hurry(unsigned ms);
void priority_calm(int nice);

/* Instead of priority_calm(): keeps the priority until the time is over, but children do not inherit it. */
void priority_keep(void);

/* Are so many threads runnable that one with normal priority waits long for a CPU? */
bool priority_is_crowded(void);

#endif
