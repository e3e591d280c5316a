/* A decoder of x86-64 instructions: their length and operands, not what they do. */
#ifndef WICK_IMAGE_CODE_X86_INSN_H
#define WICK_IMAGE_CODE_X86_INSN_H

#include "base/span.h"

/* The opcode map: one byte, 0f, 0f 38, 0f 3a; vector instructions (VEX, EVEX) are X86_OTHER. */
enum x86_map { X86_ONE, X86_0F, X86_0F38, X86_0F3A, X86_OTHER };

struct x86_insn {
	uint8_t size;
	uint8_t map, opcode;
	uint8_t rex, modrm, sib; /* 0 where there is none */
	int64_t disp, imm;	 /* sign-extended; 0 where there is none */
};

enum { X86_INSN_MAX = 15 /* bytes; the processor's limit */ };

/* Decodes the first instruction of the bytes; false when it is invalid or incomplete. */
bool x86_decode(struct span bytes, struct x86_insn *insn);

/* The reg and r/m fields of modrm, with their fourth bit from rex. */
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
