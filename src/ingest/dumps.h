/* The dumps of JIT compilers that a recording tells of: each is read when it is first mapped. */
#ifndef WICK_INGEST_DUMPS_H
#define WICK_INGEST_DUMPS_H

#include "image/jitdump.h"
#include "ingest/process.h"
#include "unwind/unwind.h"

/*
 * While a program is being recorded, its dump grows: it is read again when a sample is younger
 * than what was read, or is of code that is not in it.
 */
struct dumps {
	const struct profile *p;
	const struct image_opts *image;
	struct dump {
		module_id module;
		struct jit_codes codes;
		uint64_t size;	 /* as it was read */
		uint64_t read;	 /* when, in ns of CLOCK_MONOTONIC */
		uint64_t looked; /* … and when it still had nothing more */
	} * dump;
	size_t nr, cap;
	uint64_t now; /* of the sample that is looked at; JIT_ANY_TIME: by another clock */
};

enum {
	/* One a process: past this, generated code has no names. */
	DUMPS_MAX = 4096,
};

void dumps_release(struct dumps *d);

/* The process writes into this file (as it sees it); image says where files are (NULL: nowhere). */
void dumps_map(struct dumps *d, struct profile *p, struct process *process, struct span path,
	       const struct image_opts *image);

/* Makes the frame a place in the dump of its process; false when that has nothing there. */
bool dumps_place(struct dumps *d, const struct process *process, uint64_t ip, struct frame *f);

/* The same for a walk: what is there just now. */
bool dumps_find(struct dumps *d, const struct process *process, uint64_t pc,
		struct unwind_map *map);

#endif
