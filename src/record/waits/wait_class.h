/*
 * Why a blocked thread waits, from its system call, the files behind its descriptors, and the
 * kernel function that put it to sleep.
 *
 * The call decides if it is specific (nanosleep, futex, epoll_wait).  If it can wait for many
 * things (read, write, ioctl), the kind of file decides; if that is unknown too, as in a page
 * fault, the kernel function does.
 *
 * All waits for a futex are locks, including those of condition variables and semaphores, with and
 * without a timeout: a futex does not say what it is for.  pthread_join() waits for a thread, which
 * is a child.
 */
#ifndef WICK_RECORD_WAITS_WAIT_CLASS_H
#define WICK_RECORD_WAITS_WAIT_CLASS_H

#include "record/waits/blocked.h"

/* Sets reason and lock of *b from the rest of it; reads the links in /proc/PID/fd. */
void wait_classify(struct blocked *b);

/* The parts of that, for tests: the reason implied by a kernel function, or WAIT_OTHER … */
enum wait_reason wait_of_channel(const char *wchan);

/* … and that of a file, by its link in /proc/PID/fd. */
enum wait_reason wait_of_link(struct span link);

/* holder.c: sets the holder, and for pthread_join() the reason. */
void wait_find_holder(struct blocked *b);

#endif
