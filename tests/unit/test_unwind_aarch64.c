/*
 * AArch64 programs as gcc and clang made them, before every instruction that they ran: callers must be
 * those whose calls were open.  Return addresses on their stacks are signed.  Left out is only where
 * the compiler says nothing, see scripts/capture-aarch64.
 */
#include "aarch64_captured.h"
#include "base/alloc.h"
#include "image/cfi/cfi_build.h"
#include "tap.h"
#include "unwind/unwind.h"

#include <elf.h>
#include <stdlib.h>

enum { X19 = 19, X20 = 20, X29 = 29, X30 = 30, SP = 31, FRAMES = 32 };

struct program {
	const struct captured *captured;
	struct cfi *cfi;
};

static bool find(void *arg, uint64_t pc, struct unwind_map *map)
{
	const struct program *p = arg;
	const struct captured *c = p->captured;

	*map = (struct unwind_map){ .begin = c->code,
				    .end = c->code + c->code_size,
				    .cfi = p->cfi };
	return pc >= map->begin && pc < map->end;
}

static struct cfi *build(const struct captured *c)
{
	const struct cfi_code code = { .size = c->code_size, .address = c->code };
	struct cfi_section s = { .bytes = c->eh_frame, .address = c->eh_frame_address };
	struct cfi_builder b;
	struct cfi *cfi;

	cfi_builder_init(&b, cfi_machine_find(EM_AARCH64), &code, 1);
	cfi_add_section(&b, &s);
	cfi = cfi_finish(&b);
	cfi_builder_release(&b);
	return cfi;
}

static struct unwind_registers registers(const struct captured_step *step)
{
	static const unsigned number[] = { X19, X20, X29, X30, SP };
	struct unwind_registers r = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(number); i++)
		unwind_set(&r, number[i], step->reg[i]);
	unwind_set(&r, PC_REGISTER, step->pc);
	return r;
}

/* All callers, from the leaf, and nobody else. */
static bool is_right(const struct captured *c, const struct captured_step *step,
		     const struct unwind_frame *frame, size_t nr)
{
	bool right = nr == step->depth + 1 && frame[0].pc == step->pc && !frame[0].is_return;

	for (size_t i = 1; i < nr && right; i++)
		right = frame[i].pc == c->caller[step->depth - i] && frame[i].is_return;
	return right;
}

static bool walk(struct unwinder *u, const struct captured *c, const struct captured_step *step)
{
	struct unwind_registers r = registers(step);
	struct unwind_stack stack = { .begin = r.value[SP],
				      .bytes = span_from(c->stack, r.value[SP] - c->sp) };
	struct unwind_frame frame[FRAMES];
	enum unwind_end end;
	size_t nr;

	end = unwind(u, &r, &stack, frame, FRAMES, &nr);
	if (end == UNWIND_ROOT && is_right(c, step, frame, nr))
		return true;
	printf("# %s: at %llx, depth %u: ends as %d after", c->name, (unsigned long long)step->pc,
	       step->depth, end);
	for (size_t i = 0; i < nr; i++)
		printf(" %llx", (unsigned long long)frame[i].pc);
	puts("");
	return false;
}

static void test(const struct captured *c)
{
	struct program p = { .captured = c, .cfi = build(c) };
	struct unwinder *u = xcalloc(1, sizeof(*u));
	size_t nr_right = 0;
	uint64_t is_signed = 0;

	u->arch = &unwind_aarch64;
	u->find = find;
	u->arg = &p;
	ok(p.cfi && !p.cfi->nr_bad, "the unwind information of a captured program is valid");
	for (size_t i = 0; i < c->nr_step; i++) {
		nr_right += walk(u, c, &c->step[i]);
		is_signed |= c->step[i].reg[3] & ~unwind_aarch64.address_bits;
	}
	ok(c->nr_step > 100 && is_signed,
	   "a captured program has more than 100 steps, and signed return addresses");
	is_int(nr_right, c->nr_step,
	       "all callers are found before every instruction of a captured program");
	cfi_free(p.cfi);
	free(u);
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(captured); i++)
		test(&captured[i]);
	return done();
}
