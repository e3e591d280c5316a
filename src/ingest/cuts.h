/*
 * Samples whose stack was cut off: whether they belong below the root of their thread (origins.h)
 * may be proved by a later sample.  So each gets a ticket, and stands in the profile below a frame
 * that only samples of that ticket have.  When there are no more records, cuts_finish() puts the
 * root and `[truncated]`, or `[truncated]` alone, in the place of these frames.
 */
#ifndef WICK_INGEST_CUTS_H
#define WICK_INGEST_CUTS_H

#include "ingest/process.h"

struct cuts {
	struct cut {
		struct origins *origins; /* of the thread */
		uint32_t group;		 /* the pieces of stack that its samples were on */
		unsigned nr_root; /* how many roots the thread had shown when they were taken */
		frame_id frame; /* that its samples stand below; 0: there are none in the profile */
		uint64_t nr;	/* samples */
	} * cut; /* by ticket - 1; all samples of a ticket will have the same root, or none */
	size_t nr, cap;
	struct origins **ended; /* of threads that are gone, but still have tickets */
	size_t nr_ended, cap_ended;
	bool is_pushed; /* a sample with a ticket is in the profile */
};

enum {
	/* Further samples get no ticket, and stay without a root. */
	CUTS_MAX = 1024 * 1024,
};

void cuts_release(struct cuts *c);

/* The stacks of the thread are new ones from here on: it has just started, or made an exec. */
void cuts_end(struct cuts *c, struct task *task);

/* What is known of the thread's stacks; made when it is first asked for. */
struct origins *cuts_origins(struct cuts *c, struct task *task);

/* A ticket for a sample of which a walk has seen these pieces of stack; 0: it can get no root. */
uint32_t cuts_take(struct cuts *c, struct origins *o, const struct unwind_trail *t);

/* The frame that samples of the ticket stand below until the end; of ticket 0, `[truncated]`. */
frame_id cuts_frame(struct cuts *c, struct profile *p, uint32_t ticket);

/* The root of the ticket's samples, if that is proved by now; or NULL. */
const struct origin *cuts_root(struct cuts *c, uint32_t ticket);

/* There are no more records: puts roots into the profile, and notes how many were found. */
void cuts_finish(struct cuts *c, struct profile *p);

#endif
