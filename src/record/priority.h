/*
 * wick's own priority.  It needs a CPU seldom and for a short time, but then at once: events of
 * thousands of busy threads are opened in a tenth of a second, or in a minute if each of them has
 * its turn first.  Who may not raise it goes without.
 */
#ifndef WICK_RECORD_PRIORITY_H
#define WICK_RECORD_PRIORITY_H

#include <stdbool.h>

/* In front of all that has no real-time priority; what is forked meanwhile gets none of it. */
void priority_raise(void);

/* Undoes priority_raise(), and nothing that somebody else has set. */
void priority_restore(void);

/*
 * Puts this thread, and those it creates, in front of others for so many milliseconds: somebody
 * waits for the result.  What takes longer goes on with the usual priority.  Returns the nice
 * value for priority_calm(), which ends that for this thread before: what is forked would inherit it.
 */
int priority_hurry(unsigned ms);
void priority_calm(int nice);

/* Do so many threads want a CPU that one with the usual priority waits long for its turn? */
bool priority_is_crowded(void);

#endif
