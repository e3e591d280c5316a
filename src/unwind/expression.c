/*
 * DWARF expressions: a small stack machine that reads registers and memory.  Expressions can jump
 * backwards, so the number of steps is limited.
 */
#include "base/fields.h"
#include "unwind/unwind.h"

#include <dwarf.h>

enum { STACK_MAX = 64, STEPS_MAX = 1000 };

struct machine {
	struct unwind_walk *w;	   /* has the registers and the stack copy */
	struct fields in;	   /* the operations that are left */
	const char *begin;	   /* of all of them, for jumps */
	uint64_t stack[STACK_MAX]; /* the machine's own, not the one being unwound */
	size_t nr;
	bool failed;
};

static void push(struct machine *m, uint64_t v)
{
	if (m->nr == STACK_MAX)
		m->failed = true;
	else
		m->stack[m->nr++] = v;
}

static uint64_t pop(struct machine *m)
{
	if (!m->nr)
		m->failed = true;
	return m->nr ? m->stack[--m->nr] : 0;
}

/* The value at a depth below the top: 0 is the top. */
static uint64_t pick(struct machine *m, size_t depth)
{
	if (depth >= m->nr) {
		m->failed = true;
		return 0;
	}
	return m->stack[m->nr - 1 - depth];
}

static void push_register(struct machine *m, uint64_t reg)
{
	int64_t offset = fields_sleb(&m->in);
	const struct unwind_arch *arch = m->w->u->arch;

	/* On x86, the last DWARF number is the return address: here, the pc. */
	if (reg == arch->nr_register - 1u && arch->link == NO_LINK)
		reg = PC_REGISTER;
	if (reg >= CFI_REGISTERS || !unwind_known(&m->w->r, (unsigned)reg))
		m->failed = true;
	else
		push(m, m->w->r.value[reg] + (uint64_t)offset);
}

static void load(struct machine *m, unsigned size)
{
	uint64_t v = 0;

	if ((size != 1 && size != 2 && size != 4 && size != 8) || !unwind_load(m->w, pop(m), &v))
		m->failed = true;
	else
		push(m, size == 8 ? v : v & ((UINT64_C(1) << size * 8) - 1));
}

static void jump(struct machine *m, int16_t by)
{
	if (by < m->begin - m->in.at || by > m->in.end - m->in.at)
		m->failed = true;
	else
		m->in.at += by;
}

static uint64_t divide(struct machine *m, int64_t a, int64_t b)
{
	if (!b || (a == INT64_MIN && b == -1)) {
		m->failed = true;
		return 0;
	}
	return (uint64_t)(a / b);
}

static uint64_t shifted_right(uint64_t a, uint64_t by)
{
	return by < 64 ? a >> by : 0;
}

static uint64_t shifted_signed(uint64_t a, uint64_t by)
{
	return (uint64_t)((int64_t)a >> (by < 63 ? by : 63));
}

/* Runs an operation on the two top values; false: op is not one. */
static bool binary(struct machine *m, uint8_t op)
{
	uint64_t b = m->nr ? m->stack[m->nr - 1] : 0, a = m->nr > 1 ? m->stack[m->nr - 2] : 0;
	uint64_t result;

	switch (op) {
	case DW_OP_and:
		result = a & b;
		break;
	case DW_OP_or:
		result = a | b;
		break;
	case DW_OP_xor:
		result = a ^ b;
		break;
	case DW_OP_plus:
		result = a + b;
		break;
	case DW_OP_minus:
		result = a - b;
		break;
	case DW_OP_mul:
		result = a * b;
		break;
	case DW_OP_div:
		result = divide(m, (int64_t)a, (int64_t)b);
		break;
	case DW_OP_mod:
		result = b ? a % b : 0;
		m->failed |= !b;
		break;
	case DW_OP_shl:
		result = b < 64 ? a << b : 0;
		break;
	case DW_OP_shr:
		result = shifted_right(a, b);
		break;
	case DW_OP_shra:
		result = shifted_signed(a, b);
		break;
	case DW_OP_eq:
		result = a == b;
		break;
	case DW_OP_ne:
		result = a != b;
		break;
	case DW_OP_lt:
		result = (int64_t)a < (int64_t)b;
		break;
	case DW_OP_le:
		result = (int64_t)a <= (int64_t)b;
		break;
	case DW_OP_gt:
		result = (int64_t)a > (int64_t)b;
		break;
	case DW_OP_ge:
		result = (int64_t)a >= (int64_t)b;
		break;
	default:
		return false;
	}
	pop(m);
	pop(m);
	push(m, result);
	return true;
}

/* Pushes a constant; false: op does not do that. */
static bool constant(struct machine *m, uint8_t op)
{
	switch (op) {
	case DW_OP_addr:
	case DW_OP_const8u:
	case DW_OP_const8s:
		push(m, fields_u64(&m->in));
		return true;
	case DW_OP_const1u:
		push(m, fields_u8(&m->in));
		return true;
	case DW_OP_const1s:
		push(m, (uint64_t)(int8_t)fields_u8(&m->in));
		return true;
	case DW_OP_const2u:
		push(m, fields_u16(&m->in));
		return true;
	case DW_OP_const2s:
		push(m, (uint64_t)(int16_t)fields_u16(&m->in));
		return true;
	case DW_OP_const4u:
		push(m, fields_u32(&m->in));
		return true;
	case DW_OP_const4s:
		push(m, (uint64_t)(int32_t)fields_u32(&m->in));
		return true;
	case DW_OP_constu:
		push(m, fields_uleb(&m->in));
		return true;
	case DW_OP_consts:
		push(m, (uint64_t)fields_sleb(&m->in));
		return true;
	default:
		return false;
	}
}

static void swap(struct machine *m)
{
	uint64_t a = pop(m), b = pop(m);

	push(m, a);
	push(m, b);
}

/* DW_OP_rot: moves the top below the next two values. */
static void rotate(struct machine *m)
{
	uint64_t a = pop(m), b = pop(m), c = pop(m);

	push(m, a);
	push(m, c);
	push(m, b);
}

static void branch(struct machine *m)
{
	int16_t by = (int16_t)fields_u16(&m->in);

	if (pop(m))
		jump(m, by);
}

static void absolute(struct machine *m)
{
	uint64_t v = pop(m);

	push(m, v >> 63 ? 0 - v : v);
}

static void other(struct machine *m, uint8_t op)
{
	switch (op) {
	case DW_OP_bregx:
		push_register(m, fields_uleb(&m->in));
		break;
	case DW_OP_deref:
		load(m, m->w->u->arch->word);
		break;
	case DW_OP_deref_size:
		load(m, fields_u8(&m->in));
		break;
	case DW_OP_dup:
		push(m, pick(m, 0));
		break;
	case DW_OP_over:
		push(m, pick(m, 1));
		break;
	case DW_OP_pick:
		push(m, pick(m, fields_u8(&m->in)));
		break;
	case DW_OP_drop:
		pop(m);
		break;
	case DW_OP_swap:
		swap(m);
		break;
	case DW_OP_rot:
		rotate(m);
		break;
	case DW_OP_abs:
		absolute(m);
		break;
	case DW_OP_neg:
		push(m, 0 - pop(m));
		break;
	case DW_OP_not:
		push(m, ~pop(m));
		break;
	case DW_OP_plus_uconst: {
		uint64_t v = fields_uleb(&m->in);

		push(m, pop(m) + v);
		break;
	}
	case DW_OP_skip:
		jump(m, (int16_t)fields_u16(&m->in));
		break;
	case DW_OP_bra:
		branch(m);
		break;
	case DW_OP_nop:
		break;
	default:
		m->failed = true;
	}
}

static void step(struct machine *m)
{
	uint8_t op = fields_u8(&m->in);

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
		push(m, op - DW_OP_lit0);
	else if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		push_register(m, op - DW_OP_breg0);
	else if (!binary(m, op) && !constant(m, op))
		other(m, op);
}

bool unwind_expression(struct unwind_walk *w, struct span program, const uint64_t *first,
		       uint64_t *result)
{
	struct machine m = { .w = w,
			     .in = fields_over(program, ORDER_LITTLE),
			     .begin = program.at };
	unsigned steps = 0;

	if (first)
		push(&m, *first);
	while (fields_left(&m.in) && !m.failed && !m.in.failed)
		if (steps++ < STEPS_MAX)
			step(&m);
		else
			m.failed = true;
	*result = pop(&m);
	return !m.failed && !m.in.failed;
}
