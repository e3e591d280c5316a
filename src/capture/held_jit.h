/*
 * The files that JIT compilers write for perf, kept open until symbols are resolved: in a
 * container, they disappear when its last process ends.  A dump (jit-PID.dump) is mapped, so it is
 * kept open like other files.  A map (/tmp/perf-PID.map) may not exist yet when a process generates
 * its first code, so its directory is kept open.
 */
#ifndef WICK_CAPTURE_HELD_JIT_H
#define WICK_CAPTURE_HELD_JIT_H

#include "base/intern.h"
#include "perf/event.h"
#include "record/targets/held_files.h"

enum {
	/* Maps of further processes are only found if these still run at the end. */
	HELD_LISTS_MAX = 4096,
	HELD_FOLDERS_MAX = 64,
};

struct held_jit {
	/* PIDs (as bytes) of processes with generated code */
	struct intern processes;
	struct held_list {
		uint32_t pid, own_pid;
		int folder; /* the process's /tmp; -1: none, or its map is already open */
	} * list;	    /* by index in `processes` */
	size_t nr, cap;
	struct held_folder {
		int fd;
		uint64_t device, inode;
	} folder[HELD_FOLDERS_MAX];
	size_t nr_folder;
};

void held_jit_release(struct held_jit *h);

/* Opens what a record refers to: a mapped file, or the directory of a map. */
void held_jit_add(struct held_jit *h, struct held_files *files, const struct record *r);

/* Opens the maps that exist by now, and adds them to the files. */
void held_jit_open(struct held_jit *h, struct held_files *files);

#endif
