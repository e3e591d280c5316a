#include "image/code/code_path.h"

enum { FRAME_MAX = 1 << 24 /* bytes: no function uses more stack, so its code was misread */ };

static enum next move(struct code_path *path, int64_t bytes)
{
	path->sp += bytes;
	return path->sp > -FRAME_MAX && path->sp < FRAME_MAX ? GO_ON : LOST;
}

/*
 * A register is loaded from the stack.  The last load counts.  A load of what this path itself has
 * pushed only undoes the push: the register keeps its initial value.
 */
static void restore(struct code_path *path, unsigned reg, int64_t at)
{
	if (!path->by_frame && at < 0)
		return;
	path->saved |= (uint16_t)(1u << reg);
	path->at[reg] = at;
}

static enum next pop(struct code_path *path, unsigned reg)
{
	if (reg == CODE_SP)
		return LOST;
	restore(path, reg, path->sp);
	return move(path, 8);
}

/* The first store counts: a function saves a callee-saved register before it changes it. */
static void save(struct code_path *path, unsigned reg, int64_t at)
{
	if (path->pushed >> reg & 1 || path->by_frame || at >= 0)
		return;
	path->pushed |= (uint16_t)(1u << reg);
	path->put[reg] = at;
}

static enum next push(struct code_path *path, unsigned reg)
{
	enum next next = move(path, -8);

	save(path, reg, path->sp);
	return next;
}

/* rsp = rbp + distance */
static enum next to_frame(struct code_path *path, int64_t distance)
{
	if (path->has_frame || path->by_frame) {
		if (!path->has_frame)
			return LOST;
		path->sp = path->frame;
	} else {
		if (path->saved)
			return LOST;
		path->by_frame = true;
		path->sp = 0;
	}
	return move(path, distance);
}

/* rbp = rsp + distance */
static enum next set_frame(struct code_path *path, int64_t distance)
{
	if (path->by_frame)
		return LOST;
	path->has_frame = true;
	path->frame = path->sp + distance;
	return GO_ON;
}

static enum next apply_lea(struct code_path *path, const struct x86_insn *i)
{
	bool from_sp = (i->modrm & 7) == CODE_SP && i->sib == 0x24 && !(i->rex & 3);
	bool from_fp = (i->modrm & 7) == CODE_FP && i->modrm >> 6 && !(i->rex & 1);

	if (x86_reg(i) == CODE_FP && from_sp)
		return set_frame(path, i->disp);
	if (x86_reg(i) != CODE_SP)
		return GO_ON;
	if (from_sp)
		return move(path, i->disp);
	return from_fp ? to_frame(path, i->disp) : LOST;
}

static enum next apply_move(struct code_path *path, const struct x86_insn *i)
{
	unsigned to = i->opcode == 0x89 ? x86_rm(i) : x86_reg(i);
	unsigned from = i->opcode == 0x89 ? x86_reg(i) : x86_rm(i);

	if (!x86_is_register(i)) {
		bool on_stack = (i->modrm & 7) == CODE_SP && i->sib == 0x24 && !(i->rex & 3);

		if (on_stack && i->opcode == 0x8b)
			restore(path, to, path->sp + i->disp);
		/* Go's functions first decrease rsp, then store rbp. */
		if (on_stack && i->opcode == 0x89 && i->rex & 8)
			save(path, from, path->sp + i->disp);
		return i->opcode == 0x8b && to == CODE_SP ? LOST : GO_ON;
	}
	if (to == CODE_SP)
		return from == CODE_FP ? to_frame(path, 0) : LOST;
	return to == CODE_FP && from == CODE_SP ? set_frame(path, 0) : GO_ON;
}

/* add, or, adc, sbb, and, sub, xor, cmp with an immediate */
static enum next apply_number(struct code_path *path, const struct x86_insn *i)
{
	enum { ADD = 0, SUB = 5, CMP = 7 };
	unsigned what = i->modrm >> 3 & 7;

	if (!x86_is_register(i) || x86_rm(i) != CODE_SP || what == CMP)
		return GO_ON;
	if (what == ADD)
		return move(path, i->imm);
	return what == SUB ? move(path, -i->imm) : LOST;
}

/* Opcode ff: the reg field of modrm selects the instruction. */
static enum next apply_group(struct code_path *path, const struct x86_insn *i)
{
	switch (i->modrm >> 3 & 7) {
	case 2: /* call */
	case 3:
		return CALL;
	case 4: /* jmp */
	case 5:
		return DEAD_END;
	case 6: /* push */
		return move(path, -8);
	default:
		return GO_ON;
	}
}

/* Does one of the remaining instructions of the one-byte map write rsp? */
static bool changes_sp(const struct x86_insn *i)
{
	bool to_rm = x86_is_register(i) && x86_rm(i) == CODE_SP, to_reg = x86_reg(i) == CODE_SP;

	/* add, or, adc, sbb, and, sub, xor: bit 1 selects whether reg or r/m is written */
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

static enum next apply_one(struct code_path *path, const struct x86_insn *i)
{
	switch (i->opcode) {
	case 0x50 ... 0x57:
		return push(path, (i->opcode & 7) | (i->rex & 1 ? 8 : 0));
	case 0x68: /* push imm */
	case 0x6a:
	case 0x9c: /* pushf */
		return move(path, -8);
	case 0x58 ... 0x5f:
		return pop(path, (i->opcode & 7) | (i->rex & 1 ? 8 : 0));
	case 0x8f: /* pop to memory */
	case 0x9d: /* popf */
		return move(path, 8);
	case 0x70 ... 0x7f: /* jcc */
	case 0xe0 ... 0xe3: /* loop, jrcxz */
		return BRANCH;
	case 0x81:
	case 0x83:
		return apply_number(path, i);
	case 0x89:
	case 0x8b:
		return apply_move(path, i);
	case 0x8d:
		return apply_lea(path, i);
	case 0xc9: /* leave */
		return to_frame(path, 0) == LOST ? LOST : pop(path, CODE_FP);
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
		return apply_group(path, i);
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
		return x86_reg(i) == CODE_SP ? LOST : GO_ON;
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

enum next code_path_step(struct code_path *path, const struct x86_insn *i)
{
	if (i->map == X86_ONE)
		return apply_one(path, i);
	return i->map == X86_0F ? apply_0f(i) : GO_ON;
}
