/*
 * The stacks of one thread and their roots, as intervals of addresses: so that a sample whose copy
 * was too short gets the root of its stack by proof, or not at all (docs/decisions/0017).
 *
 * Unwinding to a root covers addresses of the root's stack (see unwind_trail); unwinding a
 * truncated copy covers addresses of some stack.  If both cover the same address, it is the same
 * stack; and a stack has one root as long as its thread lives, because the first function never
 * returns.  Truncated stacks that share an address are one stack, too: together they may reach an
 * address that a complete one covers.  Addresses known to be of one stack are a group.
 */
#ifndef WICK_INGEST_ORIGINS_H
#define WICK_INGEST_ORIGINS_H

#include "profile/profile.h"
#include "unwind/unwind.h"

enum {
	/* Beyond these limits the thread has many stacks, as with fibers, and is `uncertain`. */
	ORIGIN_PIECES_MAX = 1024,
	ORIGIN_GROUPS_MAX = 16 * 1024,
	/* The dynamic linker has one or two roots, then the program has its own. */
	ORIGIN_ROOTS_MAX = 4,
	ORIGIN_NONE = UINT32_MAX,
};

/* A root: the outermost frame, such as _start or clone3. */
struct origin {
	uint64_t pc;
	frame_id frame;
	bool of_program; /* in the file that was executed, not in the dynamic linker or a library */
};

/*
 * One thread, from its start or exec to its end.  The first thread of a process runs the dynamic
 * linker, and then the program from the same position on the stack, with another root: only samples
 * taken after the program's root was seen are known to be of the program.
 */
struct origins {
	uint32_t pid;
	bool is_first; /* it is the first thread of its process */
	bool uncertain; /* it has several stacks with roots, or changing roots: nothing can be proved */
	unsigned nr_truncated; /* tickets that refer to this, see truncated.h */
	unsigned nr_read;      /* how often the thread's memory was read, see late_root.h */
	uint64_t next_read;    /* the time of the sample from which it may be read again: ns */
	struct origin_piece {
		uint64_t low, high;
		uint32_t group;
	} * piece; /* sorted by address, without overlaps */
	size_t nr, cap;
	struct origin_group {
		uint32_t of; /* the group that it was merged into, or itself: a union-find tree */
		/* for truncated stacks of the group, see truncated.h; 0: none yet */
		uint32_t ticket;
	} * group;
	size_t nr_group, cap_group;
	struct origin root[ORIGIN_ROOTS_MAX]; /* in the order in which they were seen */
	unsigned nr_root;
	uint32_t root_group; /* the group of the stack that has the roots */
	uint64_t top;	     /* the address above the first root's frame */
};

struct origins *origins_new(uint32_t pid, uint32_t tid);
void origins_free(struct origins *o);

/* Is it the newest root?  Then only the pc of the root that is added matters. */
bool origins_knows(const struct origins *o, uint64_t pc);

/* Adds the addresses covered by unwinding to this root. */
void origins_add_root(struct origins *o, const struct unwind_trail *t, const struct origin *root);

/*
 * Adds the addresses covered by unwinding a truncated stack; returns its group, or ORIGIN_NONE if
 * uncertain.
 */
uint32_t origins_add_truncated(struct origins *o, const struct unwind_trail *t);

/* The root of a group, for a stack that was sampled when nr_root roots were known; NULL: not proved. */
const struct origin *origins_find(struct origins *o, uint32_t group, unsigned nr_root);

/* The group that this one now belongs to. */
uint32_t origins_group(struct origins *o, uint32_t group);

#endif
