/*
 * Comparisons exclude interrupts and preemption: they take a program's time, but how much depends
 * on other processes.  docs/diff.md.
 */
#ifndef WICK_FOLD_APART_H
#define WICK_FOLD_APART_H

#include "fold/changes.h"

/*
 * Moves the samples taken in an interrupt, or while the thread was preempted, from each event to a
 * separate one, "NAME: interrupts".  amount[event] is the number of moved samples, or their weight on
 * another basis, by event before the call; an event without any gets no such event.
 */
void apart_split(struct profile *p, enum change_basis basis, double *amount);

/* Undoes apart_split(). */
void apart_join(struct profile *p);

#endif
