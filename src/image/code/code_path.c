#include "image/code/code_path.h"

enum { FRAME_MAX = 1 << 24 /* bytes: with more on its stack, a function was misread */ };

static enum next move(struct way *w, int64_t bytes)
{
	w->sp += bytes;
	return w->sp > -FRAME_MAX && w->sp < FRAME_MAX ? GO_ON : LOST;
}

/*
 * A register is loaded from the stack.  The last load counts.  One from what this path pushed
 * itself only undoes that push: the register keeps the value it had at first.
 */
static void restore(struct way *w, unsigned reg, int64_t at)
{
	if (!w->by_frame && at < 0)
		return;
	w->saved |= (uint16_t)(1u << reg);
	w->at[reg] = at;
}

static enum next pop(struct way *w, unsigned reg)
{
	if (reg == WAY_SP)
		return LOST;
	restore(w, reg, w->sp);
	return move(w, 8);
}

/* The first store counts: a register that functions keep for their callers is saved before it changes. */
static void save(struct way *w, unsigned reg, int64_t at)
{
	if (w->pushed >> reg & 1 || w->by_frame || at >= 0)
		return;
	w->pushed |= (uint16_t)(1u << reg);
	w->put[reg] = at;
}

static enum next push(struct way *w, unsigned reg)
{
	enum next next = move(w, -8);

	save(w, reg, w->sp);
	return next;
}

/* rsp = rbp + distance */
static enum next to_frame(struct way *w, int64_t distance)
{
	if (w->has_frame || w->by_frame) {
		if (!w->has_frame)
			return LOST;
		w->sp = w->frame;
	} else {
		if (w->saved)
			return LOST;
		w->by_frame = true;
		w->sp = 0;
	}
	return move(w, distance);
}

/* rbp = rsp + distance */
static enum next set_frame(struct way *w, int64_t distance)
{
	if (w->by_frame)
		return LOST;
	w->has_frame = true;
	w->frame = w->sp + distance;
	return GO_ON;
}

static enum next apply_lea(struct way *w, const struct x86_insn *i)
{
	bool from_sp = (i->modrm & 7) == WAY_SP && i->sib == 0x24 && !(i->rex & 3);
	bool from_fp = (i->modrm & 7) == WAY_FP && i->modrm >> 6 && !(i->rex & 1);

	if (x86_reg(i) == WAY_FP && from_sp)
		return set_frame(w, i->disp);
	if (x86_reg(i) != WAY_SP)
		return GO_ON;
	if (from_sp)
		return move(w, i->disp);
	return from_fp ? to_frame(w, i->disp) : LOST;
}

static enum next apply_move(struct way *w, const struct x86_insn *i)
{
	unsigned to = i->opcode == 0x89 ? x86_rm(i) : x86_reg(i);
	unsigned from = i->opcode == 0x89 ? x86_reg(i) : x86_rm(i);

	if (!x86_is_register(i)) {
		bool on_stack = (i->modrm & 7) == WAY_SP && i->sib == 0x24 && !(i->rex & 3);

		if (on_stack && i->opcode == 0x8b)
			restore(w, to, w->sp + i->disp);
		/* Go's functions make room first, and store rbp there. */
		if (on_stack && i->opcode == 0x89 && i->rex & 8)
			save(w, from, w->sp + i->disp);
		return i->opcode == 0x8b && to == WAY_SP ? LOST : GO_ON;
	}
	if (to == WAY_SP)
		return from == WAY_FP ? to_frame(w, 0) : LOST;
	return to == WAY_FP && from == WAY_SP ? set_frame(w, 0) : GO_ON;
}

/* add, or, adc, sbb, and, sub, xor, cmp with an immediate */
static enum next apply_number(struct way *w, const struct x86_insn *i)
{
	enum { ADD = 0, SUB = 5, CMP = 7 };
	unsigned what = i->modrm >> 3 & 7;

	if (!x86_is_register(i) || x86_rm(i) != WAY_SP || what == CMP)
		return GO_ON;
	if (what == ADD)
		return move(w, i->imm);
	return what == SUB ? move(w, -i->imm) : LOST;
}

/* Opcode ff: the middle of modrm says which instruction it is. */
static enum next apply_group(struct way *w, const struct x86_insn *i)
{
	switch (i->modrm >> 3 & 7) {
	case 2: /* call */
	case 3:
		return CALL;
	case 4: /* jmp */
	case 5:
		return DEAD_END;
	case 6: /* push */
		return move(w, -8);
	default:
		return GO_ON;
	}
}

/* Does any other instruction of the one-byte table write rsp? */
static bool changes_sp(const struct x86_insn *i)
{
	bool to_rm = x86_is_register(i) && x86_rm(i) == WAY_SP, to_reg = x86_reg(i) == WAY_SP;

	/* add, or, adc, sbb, and, sub, xor: bit 1 says whether reg or r/m is written */
	if (i->opcode < 0x38)
		return (i->opcode & 7) < 2 ? to_rm : (i->opcode & 7) < 4 && to_reg;
	switch (i->opcode) {
	case 0x63: /* movsxd */
	case 0x69: /* imul */
	case 0x6b:
		return to_reg;
	case 0x87: /* xchg */
		return to_rm || to_reg;
	case 0x94: /* xchg rax, rsp */
	case 0xbc: /* mov rsp, imm */
		return !(i->rex & 1);
	case 0xc7: /* mov */
	case 0xf7: /* not, neg */
		return to_rm && (i->opcode == 0xc7 || (i->modrm >> 3 & 6) == 2);
	default:
		return false;
	}
}

static enum next apply_one(struct way *w, const struct x86_insn *i)
{
	switch (i->opcode) {
	case 0x50 ... 0x57:
		return push(w, (i->opcode & 7) | (i->rex & 1 ? 8 : 0));
	case 0x68: /* push imm */
	case 0x6a:
	case 0x9c: /* pushf */
		return move(w, -8);
	case 0x58 ... 0x5f:
		return pop(w, (i->opcode & 7) | (i->rex & 1 ? 8 : 0));
	case 0x8f: /* pop to memory */
	case 0x9d: /* popf */
		return move(w, 8);
	case 0x70 ... 0x7f: /* jcc */
	case 0xe0 ... 0xe3: /* loop, jrcxz */
		return BRANCH;
	case 0x81:
	case 0x83:
		return apply_number(w, i);
	case 0x89:
	case 0x8b:
		return apply_move(w, i);
	case 0x8d:
		return apply_lea(w, i);
	case 0xc9: /* leave */
		return to_frame(w, 0) == LOST ? LOST : pop(w, WAY_FP);
	case 0xc2: /* ret */
	case 0xc3:
		return RETURN;
	case 0xe8:
		return CALL;
	case 0xe9: /* jmp */
	case 0xeb:
		return JUMP;
	case 0xc8: /* enter */
		return LOST;
	case 0xca ... 0xcc: /* retf, int3 */
	case 0xcf:	    /* iret */
	case 0xf1:	    /* int1 */
	case 0xf4:	    /* hlt */
		return DEAD_END;
	case 0xff:
		return apply_group(w, i);
	default:
		return changes_sp(i) ? LOST : GO_ON;
	}
}

static enum next apply_0f(const struct x86_insn *i)
{
	switch (i->opcode) {
	case 0x80 ... 0x8f: /* jcc */
		return BRANCH;
	case 0x40 ... 0x4f: /* cmovcc */
		return x86_reg(i) == WAY_SP ? LOST : GO_ON;
	case 0x07: /* sysret */
	case 0x0b: /* ud2 */
	case 0x35: /* sysexit */
	case 0xb9: /* ud1 */
	case 0xff: /* ud0 */
		return DEAD_END;
	default:
		return GO_ON;
	}
}

enum next way_step(struct way *w, const struct x86_insn *i)
{
	if (i->map == X86_ONE)
		return apply_one(w, i);
	return i->map == X86_0F ? apply_0f(i) : GO_ON;
}
