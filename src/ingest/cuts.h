/*
 * Samples whose stack was cut off, until it is known what they stand below: the root of their thread, or nothing.
 * What proves it may come later, so such a sample has a ticket; in the profile it stands below a frame of that
 * ticket, which gives way when there are no more records.
 */
#ifndef WICK_INGEST_CUTS_H
#define WICK_INGEST_CUTS_H

#include "ingest/process.h"

struct cuts {
	struct cut {
		struct origins *origins;
		uint32_t group;	  /* of its pieces */
		unsigned nr_root; /* … when so many roots were known */
		frame_id frame; /* that its samples stand below; 0: there are none in the profile */
		uint64_t nr;	/* samples */
	} * cut; /* by ticket, from 1 on; all samples of one have the same root, or none */
	size_t nr, cap;
	struct origins **ended; /* of threads that are gone */
	size_t nr_ended, cap_ended;
	bool is_pushed; /* some sample is in the profile */
};

enum {
	/* Past so many tickets, what is cut off stays so. */
	CUTS_MAX = 1024 * 1024,
};

void cuts_release(struct cuts *c);

/* What the thread has had of stacks is gone: it is a new one, or has made an exec. */
void cuts_end(struct cuts *c, struct task *task);

/* What is known of the thread's stacks. */
struct origins *cuts_origins(struct cuts *c, struct task *task);

/* A ticket for a sample whose walk ended like this; 0: nothing will ever be known. */
uint32_t cuts_take(struct cuts *c, struct origins *o, const struct unwind_trail *t);

/* The frame that such samples stand below until then; `[truncated]` for all if the ticket is 0. */
frame_id cuts_frame(struct cuts *c, struct profile *p, uint32_t ticket);

/* The root of the ticket's samples, as far as that is certain now; or NULL. */
const struct origin *cuts_root(struct cuts *c, uint32_t ticket);

/* All is known: samples get their roots in the profile, and are counted there. */
void cuts_finish(struct cuts *c, struct profile *p);

#endif
