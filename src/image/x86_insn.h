/* Instructions of x86-64: how long they are, and the parts of those that move the stack pointer. */
#ifndef WICK_IMAGE_X86_INSN_H
#define WICK_IMAGE_X86_INSN_H

#include "base/span.h"

/* Which table the opcode is of. */
enum x86_map { X86_ONE, X86_0F, X86_0F38, X86_0F3A, X86_OTHER };

struct x86_insn {
	uint8_t size;
	uint8_t map, opcode;
	uint8_t rex, modrm, sib; /* 0 where there is none */
	int64_t disp, imm;	 /* with their signs */
};

enum { X86_INSN_MAX = 15 };

/* The first one of the bytes; false when it is none, or not all there. */
bool x86_decode(struct span bytes, struct x86_insn *insn);

/* Register numbers as the machine has them, with the bit that a prefix adds; the middle field of the second byte, and the last. */
static inline unsigned x86_reg(const struct x86_insn *i)
{
	return (i->modrm >> 3 & 7) | (i->rex & 4 ? 8 : 0);
}

static inline unsigned x86_rm(const struct x86_insn *i)
{
	return (i->modrm & 7) | (i->rex & 1 ? 8 : 0);
}

static inline bool x86_is_register(const struct x86_insn *i)
{
	return i->modrm >> 6 == 3;
}

#endif
