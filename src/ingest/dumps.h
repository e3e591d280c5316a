/* The dumps that JIT compilers write (jit-PID.dump): each is read when a process maps it. */
#ifndef WICK_INGEST_DUMPS_H
#define WICK_INGEST_DUMPS_H

#include "image/jit/jitdump.h"
#include "ingest/process.h"
#include "unwind/unwind.h"

/*
 * While a program is recorded, its dump grows.  It is read again if a sample is newer than the last
 * check, or is in code that was not in it.
 */
struct dumps {
	const struct profile *p;
	const struct image_opts *image; /* where to find files */
	struct dump {
		module_id module; /* the dump's file */
		struct jit_codes codes;
		uint64_t size;	 /* of the file, when it was read */
		uint64_t read;	 /* when it was read: ns of CLOCK_MONOTONIC */
		uint64_t looked; /* when it was read, or last checked for growth */
	} * dump;
	size_t nr, cap;
	uint64_t now; /* the time of the current sample; JIT_ANY_TIME if by another clock */
};

enum {
	/* A process has one: JIT-compiled code of further processes stays unresolved. */
	DUMPS_MAX = 4096,
};

void dumps_release(struct dumps *d);

/*
 * To be called when the process maps the file with that path, as it sees it: if that is a dump,
 * reads it.
 */
void dumps_map(struct dumps *d, struct profile *p, struct process *process, struct span path,
	       const struct image_opts *image);

/* Sets the frame to its position in the process's dump; false: that has no code at the address. */
bool dumps_place(struct dumps *d, const struct process *process, uint64_t ip, struct frame *f);

/* Finds the code at an address for the unwinder, as it is at the time of the current sample. */
bool dumps_find(struct dumps *d, const struct process *process, uint64_t pc,
		struct unwind_map *map);

#endif
