/*
 * Which stacks of one thread begin where: pure bookkeeping of intervals, so that the root of a stack whose copy was
 * cut off can be told by proof, or not at all.
 *
 * A walk that came to the root has seen bytes of that root's stack (see unwind_trail), and one that was cut off has
 * seen bytes of some stack.  Where both have seen the same byte, it is the same stack, and a stack has one
 * root as long as its thread lives: the first function never returns.  Cut walks that share bytes with each
 * other are of one stack too, and so reach through one another.
 */
#ifndef WICK_INGEST_ORIGINS_H
#define WICK_INGEST_ORIGINS_H

#include "profile/profile.h"
#include "unwind/unwind.h"

enum {
	/* More pieces than this are of fibers and the like: then nothing is certain. */
	ORIGIN_PIECES_MAX = 1024,
	ORIGIN_GROUPS_MAX = 16 * 1024,
	/* The loader's roots, and then the program's. */
	ORIGIN_ROOTS_MAX = 4,
	ORIGIN_NONE = UINT32_MAX,
};

/* Where nobody called: the outermost frame. */
struct origin {
	uint64_t pc;
	frame_id frame;
	bool of_program; /* in the file that was started, not in its loader or a library */
};

/*
 * A thread from its beginning, or its exec, to its end.  The first thread of a process runs its loader,
 * and then its program, with another root in the same place: only what comes after the program was seen is the program's.
 */
struct origins {
	uint32_t pid;
	bool is_first;	    /* thread of its process */
	bool uncertain;	    /* several stacks have roots, or one has them in turns */
	unsigned nr_cut;    /* tickets that others have of it */
	unsigned nr_look;   /* how often it was looked at itself, see beyond.h, … */
	uint64_t next_look; /* … and when that is worth while again */
	struct origin_piece {
		uint64_t low, high;
		uint32_t group;
	} * piece; /* by address, none over another */
	size_t nr, cap;
	struct origin_group {
		uint32_t of;	 /* the group that it became part of, or itself */
		uint32_t ticket; /* that walks of it have now, see cuts.h; 0: none */
	} * group;		 /* of pieces that are of one stack */
	size_t nr_group, cap_group;
	struct origin root[ORIGIN_ROOTS_MAX]; /* in the order in which they were seen */
	uint32_t root_group;
	uint64_t top; /* where the first of them was */
	unsigned nr_root;
};

struct origins *origins_new(uint32_t pid, uint32_t tid);
void origins_free(struct origins *o);

/* Is this what the last walk that came to a root came to?  Then its frame need not be looked for. */
bool origins_knows(const struct origins *o, uint64_t pc);

/* A walk that came to this root. */
void origins_add_root(struct origins *o, const struct unwind_trail *t, const struct origin *root);

/* One that did not: which pieces it belongs to; or ORIGIN_NONE. */
uint32_t origins_add_cut(struct origins *o, const struct unwind_trail *t);

/* The root of these pieces, for a walk of the time when so many roots were known; NULL: that is not certain. */
const struct origin *origins_find(struct origins *o, uint32_t group, unsigned nr_root);

/* The number of pieces that are of one stack with these, as far as that is known now. */
uint32_t origins_group(struct origins *o, uint32_t group);

#endif
