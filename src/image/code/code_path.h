/* The effect of instructions on the stack pointer, along one path through the code. */
#ifndef WICK_IMAGE_CODE_CODE_PATH_H
#define WICK_IMAGE_CODE_CODE_PATH_H

#include "image/code/x86_insn.h"

enum {
	/* Register numbers of instructions, which differ from DWARF's. */
	CODE_SP = 4,
	CODE_FP = 5,
	CODE_REGISTERS = 16,
};

/* All distances are in bytes, from the stack pointer that the path began with. */
struct code_path {
	uint64_t place; /* of the next instruction, in its file */
	int64_t sp;
	bool by_frame; /* rsp was set from rbp: distances count from the initial rbp */
	bool lost;     /* an instruction moves rsp by an unknown distance */
	bool has_frame;
	int64_t frame;	/* has_frame: the path set rbp to this */
	uint16_t saved; /* a bit for each register that was restored from the stack */
	int64_t at[CODE_REGISTERS];
	uint16_t pushed; /* … that was saved there; put: where it was saved first */
	int64_t put[CODE_REGISTERS];
};

/* What an instruction does to the path. */
enum next {
	GO_ON,
	BRANCH, /* a conditional jump: imm is the distance of its target from the next place */
	JUMP,	/* the same, always */
	CALL,	/* continues after the call, if that returns */
	RETURN,
	DEAD_END, /* an indirect jump, or the end of the path */
	LOST,	  /* the stack pointer is unknown */
};

/* Applies an instruction to the path, except to path->place. */
enum next code_path_step(struct code_path *path, const struct x86_insn *insn);

#endif
