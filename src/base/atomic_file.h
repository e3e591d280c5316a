/*
 * A file that appears under its name only when it is complete.  Until then it has no name
 * (O_TMPFILE), so that nothing is left of it if the program is killed; where the file system cannot
 * do that, it has a temporary name in the same folder.
 */
#ifndef WICK_BASE_ATOMIC_FILE_H
#define WICK_BASE_ATOMIC_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct atomic_file {
	char *path;	 /* its final name; NULL: not a regular file (a terminal, a pipe) */
	char *temporary; /* its name until then; NULL: it has none */
	int fd;		 /* to write to; atomic_file_close() closes it */
	mode_t mode;	 /* of the file that it replaces, or by the umask */
	bool is_foreign; /* the file that it replaces has another owner: */
	uid_t uid;
	gid_t gid;
};

/*
 * Symbolic links are followed: the file they lead to is replaced.  For standard output ("-"),
 * devices, pipes and /proc/self/fd/1, path stays NULL, which is not an error.
 */
int atomic_file_open(struct atomic_file *p, const char *name, struct error *e);

/* Gives the file its name; an existing file is deleted, or renamed to FILE.old.  -1: errno. */
enum place_before { PLACE_REPLACES, PLACE_KEEPS_OLD };
int atomic_file_take(struct atomic_file *p, enum place_before before);

/* To be called in any case; without atomic_file_take(), it deletes the file. */
void atomic_file_close(struct atomic_file *p);

#endif
