/*
 * Why a thread is off CPU: the classes that pictures, labels and summaries use.  They follow from
 * the system call in which it waits, the kind of file behind its descriptor, and the kernel
 * function that put it to sleep (record/waits/wait_class.h).
 */
#ifndef WICK_PERF_WAIT_REASON_H
#define WICK_PERF_WAIT_REASON_H

enum wait_reason {
	WAIT_OTHER,   /* none of those below, or unknown */
	WAIT_SLEEP,   /* until a time, or until a signal: nanosleep, pause, a timerfd */
	WAIT_LOCK,    /* all futexes (mutexes, condition variables, semaphores), file locks */
	WAIT_DISK,    /* the contents or the metadata of a file */
	WAIT_NETWORK, /* a socket, also between processes of this machine */
	WAIT_PIPE,    /* a pipe, a FIFO, an eventfd, a message queue, a terminal */
	WAIT_POLL,    /* any of several files: poll, select, epoll, io_uring */
	WAIT_FAULT,   /* a page fault: the page is not in memory */
	WAIT_CHILD,   /* the exit of a process or thread that it started: wait4, pthread_join */
	WAIT_CPU,     /* a CPU: it could run, but every CPU was busy */
	NR_WAIT_REASONS,
};

/* "sleep", "cpu wait" */
const char *wait_reason_name(enum wait_reason reason);

/* The same as the name of a frame: "[sleep]". */
const char *wait_reason_frame(enum wait_reason reason);

#endif
