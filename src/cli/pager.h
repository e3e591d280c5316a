/*
 * What is longer than the screen, as git shows it: $WICK_PAGER, $PAGER or less,
 * and only on a terminal.
 */
#ifndef WICK_CLI_PAGER_H
#define WICK_CLI_PAGER_H

#include <sys/types.h>

struct pager {
	pid_t pid;    /* 0: there is none */
	int terminal; /* what was standard output before */
};

/* From here on standard output goes through the pager; to nowhere else if there is none. */
void pager_begin(struct pager *p);

/* Waits until the person has seen enough. */
void pager_end(struct pager *p);

#endif
