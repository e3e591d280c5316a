/*
 * Copies of stacks → call chains: which tables the modules of a profile have,
 * each read when the first walk comes by, and the walk itself.
 */
#ifndef WICK_INGEST_STACKS_H
#define WICK_INGEST_STACKS_H

#include "event/event.h"
#include "image/image.h"
#include "ingest/dumps.h"
#include "ingest/process.h"
#include "unwind/unwind.h"

struct stacks {
	struct profile *p;
	const struct image_opts *image; /* where modules are found; NULL: nowhere */
	struct dumps *dumps;		/* of code that is in no module */
	struct table {
		bool tried;
		struct cfi *cfi;
	} * table; /* by module */
	size_t nr_table;
	struct unwinder *unwinder;     /* NULL until it is needed */
	const struct process *process; /* that was walked last, if it has mapped nothing since */
	struct unwind_frame *frame;
	size_t nr;	 /* of the last walk, from the leaf */
	uint64_t *chain; /* of the sample: what the kernel found of the process's own stack */
	size_t nr_chain, cap_chain;
};

void stacks_init(struct stacks *s, struct profile *p, struct dumps *dumps);
void stacks_release(struct stacks *s);

/* Tells what of the tables that were needed could not be read. */
void stacks_finish(struct stacks *s);

/* Something was mapped, or a process started over. */
void stacks_forget(struct stacks *s);

/* The registers of a sample, and whose they are; NULL when there are none. */
const struct unwind_arch *stacks_registers(const struct attr *a, const struct sample *sample,
					   struct unwind_registers *r);

/* Is there anything to start from? */
bool stacks_start(const struct attr *a, const struct sample *sample);

/* Fills frame and nr.  The sample must have something to start from. */
enum unwind_end stacks_walk(struct stacks *s, const struct process *process, const struct attr *a,
			    const struct sample *sample);

#endif
