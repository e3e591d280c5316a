/*
 * Frame information, and walks by what it says: the bytes are a section, and the stack too.
 * Whatever they are, rows are in order, rules are whole, and a walk ends.
 */
#include "fuzz.h"

#include "base/alloc.h"
#include "image/cfi_build.h"
#include "unwind/unwind.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

enum { CODE = 0x1000, CODE_SIZE = 0x100000, STACK = 0x7fff0000, FRAMES = 64 };

static void die(const char *why)
{
	fprintf(stderr, "cfi: %s\n", why);
	abort();
}

static void check_rule(const struct cfi *c, const struct cfi_rule *r)
{
	if (r->nr_saved > CFI_REGISTERS || r->cfa > CFA_EXPRESSION)
		die("a rule that is none");
	if (r->cfa == CFA_EXPRESSION && (uint32_t)r->offset >= c->expressions.nr)
		die("a rule with an expression that is not there");
	if (r->cfa == CFA_PLAIN && (r->base >= CFI_REGISTERS || !r->nr_saved || !r->words))
		die("a plain rule that is not");
	for (unsigned i = 0; i < r->nr_saved; i++)
		if (r->saved[i].reg >= CFI_REGISTERS || r->saved[i].how > SAVE_LOST)
			die("a rule about a register that is none");
}

static void check(const struct cfi *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		if (i && c->row[i - 1].place >= c->row[i].place)
			die("rows out of order");
		if (cfi_find(c, c->row[i].place) != c->row[i].rule)
			die("a row that is not found");
		check_rule(c, cfi_rule_at(c, c->row[i].rule));
	}
}

static bool find(void *arg, uint64_t pc, struct unwind_map *map)
{
	*map = (struct unwind_map){ .begin = CODE, .end = CODE + CODE_SIZE, .cfi = arg };
	return pc >= map->begin && pc < map->end;
}

static void walk(struct unwinder *u, const struct cfi *c, const struct unwind_arch *arch,
		 struct span bytes)
{
	static const uint64_t chain[] = { CODE + 1, CODE + 16, CODE + 64, 0 };
	struct unwind_stack stack = {
		.begin = STACK, .bytes = bytes, .chain = chain, .nr_chain = ARRAY_SIZE(chain)
	};
	struct unwind_frame frame[FRAMES];
	struct unwind_registers r = { 0 };
	size_t nr;

	memset(u, 0, sizeof(*u));
	u->arch = arch;
	u->find = find;
	u->arg = (void *)(uintptr_t)c;
	for (unsigned i = 0; i < CFI_REGISTERS; i++)
		unwind_set(&r, i, STACK + i * 8);
	for (size_t i = 0; i < c->nr && i < 16; i++) {
		unwind_set(&r, PC_REGISTER, CODE + c->row[i].place);
		unwind(u, &r, &stack, frame, FRAMES, &nr);
		if (!nr || nr > FRAMES)
			die("a walk that went nowhere");
	}
}

static void run(enum cfi_format format, unsigned machine, struct span bytes)
{
	static const struct cfi_code code = { .size = CODE_SIZE, .address = CODE };
	struct cfi_section s = { .format = format, .bytes = bytes };
	struct unwinder *u = xmalloc(sizeof(*u));
	struct error e = ERROR_INIT;
	struct cfi_builder b;
	struct cfi *c;

	cfi_builder_init(&b, cfi_machine_find(machine), &code, 1, &e);
	cfi_add_section(&b, &s);
	c = cfi_finish(&b);
	cfi_builder_release(&b);
	if (c) {
		check(c);
		walk(u, c, machine == EM_X86_64 ? &unwind_x86_64 : &unwind_aarch64, bytes);
	}
	cfi_free(c);
	free(u);
}

int fuzz_choose(const char *reader)
{
	(void)reader;
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span bytes = { .at = (const char *)data, .size = size };

	run(CFI_EH_FRAME, EM_X86_64, bytes);
	run(CFI_EH_FRAME, EM_AARCH64, bytes);
	run(CFI_DEBUG_FRAME, EM_X86_64, bytes);
	return 0;
}
