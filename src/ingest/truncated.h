/*
 * Samples with a truncated stack: a later sample may prove that they belong below the root of their
 * thread (origins.h).  So each gets a ticket, and is put below a placeholder frame of that ticket
 * in the profile.  After the last record, truncated_finish() replaces these frames by the root and
 * `[truncated]`, or by `[truncated]` alone.
 */
#ifndef WICK_INGEST_TRUNCATED_H
#define WICK_INGEST_TRUNCATED_H

#include "ingest/process.h"

struct truncated {
	struct truncated_samples {
		struct origins *origins; /* of the thread */
		uint32_t group;		 /* the parts of the stack that its samples were on */
		unsigned nr_root; /* the number of the thread's roots known when they were taken */
		frame_id frame;	  /* placeholder above its samples; 0: none are in the profile */
		uint64_t nr, nr_wait; /* samples, and those of waits */
	} * samples; /* by ticket - 1; all samples of a ticket will have the same root, or none */
	size_t nr, cap;
	struct origins **ended; /* of threads that have exited, but still have tickets */
	size_t nr_ended, cap_ended;
	bool is_pushed; /* a sample with a ticket is in the profile */
};

enum {
	/* Further samples get no ticket, and no root. */
	TRUNCATED_MAX = 1024 * 1024,
};

void truncated_release(struct truncated *c);

/* To be called when the thread has just started or called exec: its stacks are new from now on. */
void truncated_end(struct truncated *c, struct task *task);

/* What is known about the thread's stacks; created on demand. */
struct origins *truncated_origins(struct truncated *c, struct task *task);

/* A ticket for a sample whose unwinding covered these parts of a stack; 0: it cannot get a root. */
uint32_t truncated_take(struct truncated *c, struct origins *o, const struct unwind_trail *t);

/* Counts a sample with a ticket; `unknown` is the note on it if its root stays unknown. */
void truncated_count(struct truncated *c, uint32_t ticket, enum note_code unknown);

/* The placeholder frame for samples of the ticket; for ticket 0, `[truncated]`. */
frame_id truncated_frame(struct truncated *c, struct profile *p, uint32_t ticket);

/* The root of the ticket's samples, if it is proved by now; or NULL. */
const struct origin *truncated_root(struct truncated *c, uint32_t ticket);

/*
 * To be called after the last record: puts roots into the profile, and notes how many were found.
 */
void truncated_finish(struct truncated *c, struct profile *p);

#endif
