/* What instructions do to the stack: one way through some code, step by step, without running anything. */
#ifndef WICK_IMAGE_CODE_WAY_H
#define WICK_IMAGE_CODE_WAY_H

#include "image/x86_insn.h"

enum {
	/* The machine's numbers of registers. */
	WAY_SP = 4,
	WAY_FP = 5,
	WAY_REGISTERS = 16,
};

struct way {
	uint64_t place; /* of the next instruction, in its file */
	int64_t sp; /* how far the stack pointer is from where it was, or from the frame pointer */
	bool by_frame;
	bool has_frame; /* it has set up a frame pointer: that is so far from the stack pointer of the beginning */
	int64_t frame;
	uint16_t saved;
	int64_t at[WAY_REGISTERS]; /* where registers were taken from, as sp */
	uint16_t pushed;
	int64_t put[WAY_REGISTERS]; /* where they were put first */
};

enum next {
	GO_ON,
	BRANCH, /* here or there: imm is how far it is from the next place */
	JUMP,	/* there */
	CALL,	/* and most come back */
	RETURN,
	DEAD_END, /* nobody knows where it goes, or nowhere */
	LOST,	  /* nobody knows where the stack pointer is */
};

enum next way_step(struct way *w, const struct x86_insn *insn);

#endif
