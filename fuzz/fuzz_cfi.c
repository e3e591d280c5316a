/*
 * Frame information, and walks by what it says: the bytes are a section, and the stack too.
 * Whatever they are, rows are in order, rules are whole, and a walk ends.
 */
#include "fuzz.h"

#include "base/alloc.h"
#include "image/cfi/cfi_build.h"
#include "unwind/unwind.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

enum { CODE = 0x1000, CODE_SIZE = 0x100000, STACK = 0x7fff0000, FRAMES = 64 };
enum { INDEX = 0x200000, INDEX_MAX = 64 };

static void die(const char *why)
{
	fprintf(stderr, "cfi: %s\n", why);
	abort();
}

static void check_rule(const struct cfi *c, const struct cfi_rule *r)
{
	if (r->nr_saved > CFI_REGISTERS || r->cfa > CFA_EDGE)
		die("a rule that is none");
	if (r->cfa == CFA_EXPRESSION && (uint32_t)r->offset >= c->rules.expressions.nr)
		die("a rule with an expression that is not there");
	if (r->cfa == CFA_PLAIN && (r->base >= CFI_REGISTERS || !r->nr_saved || !r->words))
		die("a plain rule that is not");
	for (unsigned i = 0; i < r->nr_saved; i++)
		if (r->saved[i].reg >= CFI_REGISTERS || r->saved[i].how > SAVE_LOST)
			die("a rule about a register that is none");
}

static void check(struct cfi *c)
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

static void walk(struct unwinder *u, struct cfi *c, const struct unwind_arch *arch,
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
	u->arg = c;
	for (unsigned i = 0; i < CFI_REGISTERS; i++)
		unwind_set(&r, i, STACK + i * 8);
	for (size_t i = 0; i < c->nr && i < 16; i++) {
		unwind_set(&r, PC_REGISTER, CODE + c->row[i].place);
		unwind(u, &r, &stack, frame, FRAMES, &nr);
		if (!nr || nr > FRAMES)
			die("a walk that went nowhere");
	}
}

/* An index that names ranges that were found, and entries that may be anything. */
static struct span write_index(const struct cfi_builder *b, char *to)
{
	static const char head[] = { 1, 0x1b, 0x03, 0x3b };
	uint32_t nr = (uint32_t)(b->nr_range < INDEX_MAX ? b->nr_range : INDEX_MAX);
	uint32_t section = (uint32_t)(0 - (INDEX + 4));

	memcpy(to, head, sizeof(head));
	memcpy(to + 4, &section, sizeof(section));
	memcpy(to + 8, &nr, sizeof(nr));
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t entry[2] = { b->range[i].begin + CODE - INDEX, (uint32_t)i * 4 - INDEX };

		memcpy(to + 12 + i * sizeof(entry), entry, sizeof(entry));
	}
	return (struct span){ .at = to, .size = 12 + nr * 8 };
}

static void run(enum cfi_format format, unsigned machine, struct span bytes)
{
	static const struct cfi_code code = { .size = CODE_SIZE, .address = CODE };
	static char index_bytes[12 + INDEX_MAX * 8];
	struct cfi_section s = { .format = format, .bytes = bytes };
	struct cfi_section index = { .address = INDEX };
	struct unwinder *u = xmalloc(sizeof(*u));
	struct cfi_builder b, lazy;
	struct cfi *c;

	cfi_builder_init(&b, cfi_machine_find(machine), &code, 1);
	cfi_add_section(&b, &s);
	index.bytes = write_index(&b, index_bytes);
	c = cfi_finish(&b);
	cfi_builder_release(&b);
	if (c) {
		check(c);
		walk(u, c, machine == EM_X86_64 ? &unwind_x86_64 : &unwind_aarch64, bytes);
	}
	cfi_free(c);
	cfi_builder_init(&lazy, cfi_machine_find(machine), &code, 1);
	if (cfi_add_lazy(&lazy, &s, &index))
		for (size_t i = 12; i < index.bytes.size; i += 8) {
			uint32_t begin = load_u32(index.bytes.at + i, ORDER_LITTLE) + INDEX - CODE;

			check_rule(lazy.cfi, cfi_rule_at(lazy.cfi, cfi_find(lazy.cfi, begin)));
			check_rule(lazy.cfi, cfi_rule_at(lazy.cfi, cfi_find(lazy.cfi, begin + 9)));
		}
	cfi_builder_release(&lazy);
	free(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span bytes = { .at = (const char *)data, .size = size };

	run(CFI_EH_FRAME, EM_X86_64, bytes);
	run(CFI_EH_FRAME, EM_AARCH64, bytes);
	run(CFI_DEBUG_FRAME, EM_X86_64, bytes);
	return 0;
}
