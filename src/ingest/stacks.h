/*
 * Unwinds the stack copies of samples.  Provides what unwind/ needs: the registers of a sample, the
 * mappings of its process, and the unwind rows of each module, read when first needed.
 */
#ifndef WICK_INGEST_STACKS_H
#define WICK_INGEST_STACKS_H

#include "image/image.h"
#include "ingest/dumps.h"
#include "ingest/process.h"
#include "perf/event.h"
#include "unwind/unwind.h"

struct stacks {
	struct profile *p;
	const struct image_opts *image; /* where to find files; NULL: read none */
	struct dumps *dumps;		/* of JIT-compiled code */
	struct table {
		bool tried; /* opening it was tried */
		struct cfi *cfi;
	} * table; /* by module */
	size_t nr_table;
	struct unwinder *unwinder;     /* NULL until it is needed */
	const struct process *process; /* whose mappings the unwinder caches; NULL: none */
	struct unwind_frame *frame;    /* of the last unwinding, from the leaf */
	size_t nr;
	uint64_t *chain; /* of the current sample: the kernel's return addresses of user code */
	size_t nr_chain, cap_chain;
};

void stacks_init(struct stacks *s, struct profile *p, struct dumps *dumps);
void stacks_release(struct stacks *s);

/* Adds notes about unwind rows that could not be read. */
void stacks_finish(struct stacks *s);

/* To be called when a mapping or a process has changed. */
void stacks_forget(struct stacks *s);

/* The registers of a sample, and their architecture; NULL: there are none. */
const struct unwind_arch *stacks_registers(const struct attr *a, const struct sample *sample,
					   struct unwind_registers *r);

/* Does the sample have registers, with a pc, to start unwinding from? */
bool stacks_start(const struct attr *a, const struct sample *sample);

/* Unwinds the sample's stack copy, and fills frame and nr.  For samples with stacks_start(). */
enum unwind_end stacks_walk(struct stacks *s, const struct process *process, const struct attr *a,
			    const struct sample *sample);

#endif
