/*
 * The place of a file that is there whole or not at all.  Until it takes its
 * place it has no name, so that nothing is left of it whatever ends us; where the
 * file system cannot do that, it has one of its own beside.
 */
#ifndef WICK_BASE_PLACE_H
#define WICK_BASE_PLACE_H

#include "base/error.h"

#include <sys/types.h>

struct place {
	char *path;	 /* where it will be; NULL: the name is no file's (a terminal, a pipe) */
	char *temporary; /* its name until then; NULL: it has none */
	int fd;		 /* what is written to; ours to close */
	mode_t mode;	 /* of the file that was there, or what the person's mask leaves */
};

/*
 * A link stays one: the place is where it leads to.  Standard output ("-"), devices, pipes and
 * what is only open (/proc/self/fd/1) have none, and that is no error.
 */
int place_open(struct place *p, const char *name, struct error *e);

/* The file is whole: it has its name now, and what had it before is gone or FILE.old; -1: errno. */
enum place_before { PLACE_REPLACES, PLACE_KEEPS_OLD };
int place_take(struct place *p, enum place_before before);

/* To be called in any case: what has not taken its place is gone. */
void place_close(struct place *p);

#endif
