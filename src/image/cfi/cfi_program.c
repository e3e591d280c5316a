/* Runs the programs of CIEs and FDEs (DW_CFA_ instructions), which generate unwind rows. */
#include "base/alloc.h"
#include "image/cfi/cfi_build.h"

#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>

enum {
	REMEMBERED_MAX = 32, /* nested DW_CFA_remember_state: compilers need one or two */
	/* AArch64; not in every <dwarf.h>. */
	CFA_NEGATE_RA_STATE_WITH_PC = 0x2c,
	CFA_NEGATE_RA_STATE = 0x2d,
};

struct run {
	struct cfi_builder *b;
	const struct cfi_cie *cie;
	struct fields in;
	struct cfi_state *s;
	struct cfi_range *range; /* NULL: the program of a CIE, which generates no rows */
	uint64_t place;		 /* where the current state begins */
	struct cfi_state *remembered;
	size_t nr_remembered, cap_remembered;
	const char *wrong;
};

static void fail(struct run *r, const char *why)
{
	if (!r->wrong)
		r->wrong = why;
}

/*
 * Go's rows do not say where the frame pointer is saved: the first instructions of each function
 * with a frame save it next to the return address.
 */
static void add_link(struct cfi_state *s)
{
	enum { FRAME_POINTER = 6, STACK_POINTER = 7, LINK = -16 };
	const uint64_t bit = UINT64_C(1) << FRAME_POINTER;

	if (s->saved & bit && s->reg[FRAME_POINTER].value != LINK)
		return;
	s->saved &= ~bit;
	if (s->cfa != CFA_REGISTER || s->base != STACK_POINTER || s->offset < -LINK)
		return;
	s->saved |= bit;
	s->reg[FRAME_POINTER] =
		(struct cfi_saved){ .reg = FRAME_POINTER, .how = SAVE_AT_CFA, .value = LINK };
}

/* Adds the state as a row, if it differs from the previous one. */
static void add_row(struct run *r)
{
	struct cfi_builder *b = r->b;
	uint32_t rule;

	if (b->machine->elf == EM_X86_64 && cfi_is_linked(b->cfi, r->place))
		add_link(r->s);

	if (b->nr_row >= CFI_ROWS_MAX) {
		fail(r, "too many rows");
		return;
	}
	rule = cfi_intern_rule(b, r->s, r->cie->return_register, r->cie->is_signal);
	if (r->range->nr_row && b->row[b->nr_row - 1].rule == rule)
		return;
	GROW(b->row, b->nr_row, b->cap_row);
	b->row[b->nr_row++] = (struct cfi_row){ .place = (uint32_t)r->place, .rule = rule };
	r->range->nr_row++;
}

/* Moves to a distance from the start of the range, at most to its end. */
static void move_to(struct run *r, uint64_t distance)
{
	if (r->place - r->range->begin == distance)
		return;
	add_row(r);
	r->place = distance < r->range->end - r->range->begin ? r->range->begin + distance
							      : r->range->end;
}

static void advance(struct run *r, uint64_t by)
{
	if (!r->range) {
		fail(r, "location advance in a CIE");
		return;
	}
	if (__builtin_mul_overflow(by, r->cie->code_align, &by) ||
	    __builtin_add_overflow(by, r->place - r->range->begin, &by))
		by = UINT64_MAX;
	move_to(r, by);
}

/* Rules have offsets of 32 bits. */
static int32_t checked_offset(struct run *r, int64_t v)
{
	if (v < INT32_MIN || v > INT32_MAX) {
		fail(r, "offset too large");
		return 0;
	}
	return (int32_t)v;
}

static int32_t factored(struct run *r, int64_t v)
{
	if (__builtin_mul_overflow(v, r->cie->data_align, &v))
		v = INT64_MAX;
	return checked_offset(r, v);
}

/* Checks an unsigned operand that is used as a signed one. */
static int64_t checked_unsigned(struct run *r, uint64_t v)
{
	if (v > INT32_MAX)
		fail(r, "offset too large");
	return v > INT32_MAX ? 0 : (int64_t)v;
}

/* Ignores registers that unwinding does not need, such as vector registers. */
static void save(struct run *r, uint64_t reg, struct cfi_saved saved)
{
	if (reg >= r->b->machine->nr_register)
		return;
	saved.reg = (uint8_t)reg;
	r->s->reg[reg] = saved;
	r->s->saved |= UINT64_C(1) << reg;
}

/* DW_CFA_restore: the register gets the rule of the CIE again. */
static void restore(struct run *r, uint64_t reg)
{
	const struct cfi_state *first = &r->cie->initial;
	uint64_t bit = reg < CFI_REGISTERS ? UINT64_C(1) << reg : 0;

	if (!r->range) {
		fail(r, "restore in a CIE");
		return;
	}
	r->s->saved &= ~bit;
	if (first->saved & bit)
		save(r, reg, first->reg[reg]);
}

static void set_cfa(struct run *r, enum cfi_cfa kind, uint64_t base, int32_t value)
{
	r->s->cfa = (uint8_t)kind;
	r->s->base = (uint8_t)base;
	r->s->offset = value;
	if (base >= r->b->machine->nr_register)
		r->s->cfa = CFA_NONE;
}

/* DW_CFA_def_cfa_register and _offset change one half of the CFA: the other must exist. */
static bool has_base(struct run *r)
{
	if (r->s->cfa != CFA_REGISTER && r->s->cfa != CFA_NONE)
		fail(r, "the CFA is not a register and an offset");
	return r->s->cfa == CFA_REGISTER;
}

static void set_offset(struct run *r, int32_t value)
{
	if (has_base(r))
		r->s->offset = value;
}

static void set_base(struct run *r, uint64_t base)
{
	if (has_base(r))
		set_cfa(r, CFA_REGISTER, base, r->s->offset);
}

static void remember(struct run *r)
{
	if (r->nr_remembered == REMEMBERED_MAX) {
		fail(r, "too many remembered states");
		return;
	}
	GROW(r->remembered, r->nr_remembered, r->cap_remembered);
	r->remembered[r->nr_remembered++] = *r->s;
}

static void recall(struct run *r)
{
	if (r->nr_remembered)
		*r->s = r->remembered[--r->nr_remembered];
	else
		fail(r, "restore_state without remember_state");
}

/* Expressions */

/* Is the expression a register + offset, followed by the operation `then` (0: by nothing)? */
static bool is_base(struct span x, uint8_t then, uint64_t *base, int64_t *off)
{
	struct fields f = fields_over(x, ORDER_LITTLE);
	uint8_t op = fields_u8(&f);

	if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		*base = op - DW_OP_breg0;
	else if (op == DW_OP_bregx)
		*base = fields_uleb(&f);
	else
		return false;
	*off = fields_sleb(&f);
	if (then && fields_u8(&f) != then)
		return false;
	return !f.failed && !fields_left(&f) && *off >= INT32_MIN && *off <= INT32_MAX;
}

/*
 * Each PLT stub has 16 bytes, and pushes a word in the middle.  Linkers write one row for all of
 * them, with this expression: rsp + 8 + ((rip & 15) >= n) * 8.
 */
static bool is_plt(struct span x, struct cfi_state *s)
{
	/* The operations after n; those before it are breg16 (rip) + 0, lit15, and. */
	static const char tail[] = { DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus };
	struct fields f = fields_over(x, ORDER_LITTLE);
	uint8_t op = fields_u8(&f);
	int64_t off = fields_sleb(&f);
	struct span rest;
	uint8_t from;

	rest = fields_take(&f, 4);
	if (f.failed || op < DW_OP_breg0 || op > DW_OP_breg31 ||
	    !span_eq(rest, (struct span){ "\x80\x00\x3f\x1a", 4 }))
		return false;
	from = (uint8_t)(fields_u8(&f) - DW_OP_lit0);
	rest = fields_take(&f, fields_left(&f));
	if (from > 15 || !span_eq(rest, (struct span){ tail, sizeof(tail) }) || off < 0 ||
	    off > 1024)
		return false;
	s->cfa = CFA_PLT;
	s->base = (uint8_t)(op - DW_OP_breg0);
	s->offset = (int32_t)off;
	s->plt_from = from;
	return true;
}

static struct span take_expression(struct run *r)
{
	uint64_t size = fields_uleb(&r->in);

	return fields_take(&r->in, size);
}

static int32_t keep_expression(struct run *r, struct span x)
{
	return (int32_t)intern(&r->b->cfi->rules.expressions, x);
}

static void cfa_expression(struct run *r)
{
	struct span x = take_expression(r);
	uint64_t base;
	int64_t off;

	if (is_base(x, 0, &base, &off))
		set_cfa(r, CFA_REGISTER, base, (int32_t)off);
	else if (is_base(x, DW_OP_deref, &base, &off))
		set_cfa(r, CFA_MEMORY, base, (int32_t)off);
	else if (!is_plt(x, r->s))
		set_cfa(r, CFA_EXPRESSION, 0, keep_expression(r, x));
}

static void save_expression(struct run *r)
{
	uint64_t reg = fields_uleb(&r->in), base;
	struct span x = take_expression(r);
	int64_t off;

	if (is_base(x, 0, &base, &off) && base < r->b->machine->nr_register)
		save(r, reg,
		     (struct cfi_saved){ .how = SAVE_AT_REGISTER,
					 .base = (uint8_t)base,
					 .value = (int32_t)off });
	else
		save(r, reg,
		     (struct cfi_saved){ .how = SAVE_AT_EXPRESSION,
					 .value = keep_expression(r, x) });
}

static void save_value(struct run *r)
{
	uint64_t reg = fields_uleb(&r->in);
	struct span x = take_expression(r);

	save(r, reg,
	     (struct cfi_saved){ .how = SAVE_IS_EXPRESSION, .value = keep_expression(r, x) });
}

static void save_in_register(struct run *r)
{
	uint64_t reg = fields_uleb(&r->in), base = fields_uleb(&r->in);
	struct cfi_saved saved = { .how = SAVE_IS_REGISTER, .base = (uint8_t)base };

	if (base >= r->b->machine->nr_register)
		saved.how = SAVE_LOST;
	save(r, reg, saved);
}

/* DW_CFA_set_loc: moves to an address. */
static void set_place(struct run *r)
{
	uint64_t address, distance;

	if (!cfi_address(&r->in, r->cie->encoding, r->b->section, &address))
		fail(r, "unknown address encoding");
	distance = address - r->b->range_address;
	if (!r->range || distance < r->place - r->range->begin) {
		fail(r, "location goes backwards");
		return;
	}
	move_to(r, distance);
}

static void same_value(struct run *r, uint64_t reg)
{
	if (reg < CFI_REGISTERS)
		r->s->saved &= ~(UINT64_C(1) << reg);
}

static void save_at(struct run *r, uint64_t reg, enum cfi_save how, int32_t value)
{
	save(r, reg, (struct cfi_saved){ .how = (uint8_t)how, .value = value });
}

/* Runs an instruction whose low 6 bits are part of the opcode. */
static void run_extended(struct run *r, uint8_t op)
{
	struct fields *in = &r->in;
	uint64_t reg;

	switch (op) {
	case DW_CFA_nop:
		break;
	case DW_CFA_set_loc:
		set_place(r);
		break;
	case DW_CFA_advance_loc1:
		advance(r, fields_u8(in));
		break;
	case DW_CFA_advance_loc2:
		advance(r, fields_u16(in));
		break;
	case DW_CFA_advance_loc4:
		advance(r, fields_u32(in));
		break;
	case DW_CFA_MIPS_advance_loc8:
		advance(r, fields_u64(in));
		break;
	case DW_CFA_offset_extended:
		reg = fields_uleb(in);
		save_at(r, reg, SAVE_AT_CFA, factored(r, checked_unsigned(r, fields_uleb(in))));
		break;
	case DW_CFA_offset_extended_sf:
		reg = fields_uleb(in);
		save_at(r, reg, SAVE_AT_CFA, factored(r, fields_sleb(in)));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		reg = fields_uleb(in);
		save_at(r, reg, SAVE_AT_CFA, factored(r, -checked_unsigned(r, fields_uleb(in))));
		break;
	case DW_CFA_val_offset:
		reg = fields_uleb(in);
		save_at(r, reg, SAVE_IS_CFA, factored(r, checked_unsigned(r, fields_uleb(in))));
		break;
	case DW_CFA_val_offset_sf:
		reg = fields_uleb(in);
		save_at(r, reg, SAVE_IS_CFA, factored(r, fields_sleb(in)));
		break;
	case DW_CFA_restore_extended:
		restore(r, fields_uleb(in));
		break;
	case DW_CFA_undefined:
		save_at(r, fields_uleb(in), SAVE_LOST, 0);
		break;
	case DW_CFA_same_value:
		same_value(r, fields_uleb(in));
		break;
	case DW_CFA_register:
		save_in_register(r);
		break;
	case DW_CFA_remember_state:
		remember(r);
		break;
	case DW_CFA_restore_state:
		recall(r);
		break;
	case DW_CFA_def_cfa:
		reg = fields_uleb(in);
		set_cfa(r, CFA_REGISTER, reg,
			checked_offset(r, checked_unsigned(r, fields_uleb(in))));
		break;
	case DW_CFA_def_cfa_sf:
		reg = fields_uleb(in);
		set_cfa(r, CFA_REGISTER, reg, factored(r, fields_sleb(in)));
		break;
	case DW_CFA_def_cfa_register:
		set_base(r, fields_uleb(in));
		break;
	case DW_CFA_def_cfa_offset:
		set_offset(r, checked_offset(r, checked_unsigned(r, fields_uleb(in))));
		break;
	case DW_CFA_def_cfa_offset_sf:
		set_offset(r, factored(r, fields_sleb(in)));
		break;
	case DW_CFA_def_cfa_expression:
		cfa_expression(r);
		break;
	case DW_CFA_expression:
		save_expression(r);
		break;
	case DW_CFA_val_expression:
		save_value(r);
		break;
	case DW_CFA_GNU_args_size:
		fields_uleb(in);
		break;
	default:
		/*
		 * The return address becomes signed here, or unsigned again.  The unwinder strips
		 * signatures from all addresses, so there is nothing to store.
		 */
		if ((op == CFA_NEGATE_RA_STATE || op == CFA_NEGATE_RA_STATE_WITH_PC) &&
		    r->b->machine->signs_returns)
			break;
		fail(r, "unknown instruction");
	}
}

static void run_instruction(struct run *r)
{
	uint8_t op = fields_u8(&r->in), low = op & 0x3f;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		advance(r, low);
		break;
	case DW_CFA_offset:
		save_at(r, low, SAVE_AT_CFA, factored(r, checked_unsigned(r, fields_uleb(&r->in))));
		break;
	case DW_CFA_restore:
		restore(r, low);
		break;
	default:
		run_extended(r, op);
	}
}

const char *cfi_run(struct cfi_builder *b, const struct cfi_cie *cie, struct fields program,
		    struct cfi_state *s, struct cfi_range *range)
{
	struct run r = { .b = b, .cie = cie, .in = program, .s = s, .range = range };

	if (range)
		r.place = range->begin;
	while (fields_left(&r.in) && !r.wrong && !(range && r.place >= range->end))
		run_instruction(&r);
	if (range && r.place < range->end && !r.wrong)
		add_row(&r);
	if (r.in.failed)
		fail(&r, "truncated instruction");
	free(r.remembered);
	return r.wrong;
}
