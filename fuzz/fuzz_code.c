/*
 * Code without rows, and walks by what it does: the bytes are the file of a program, and the stack too.
 * Whatever they are, rules are whole, and a walk ends.
 */
#include "fuzz.h"

#include "base/alloc.h"
#include "image/cfi/cfi_build.h"
#include "unwind/unwind.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CODE = 0x1000, STACK = 0x7fff0000, FRAMES = 64, PLACES = 8 };

static void die(const char *why)
{
	fprintf(stderr, "code: %s\n", why);
	abort();
}

static void check_rule(const struct cfi_rule *r)
{
	if (r->nr_saved > CFI_REGISTERS || r->cfa > CFA_EXPRESSION || r->cfa == CFA_EXPRESSION)
		die("a rule that is none");
	for (unsigned i = 0; i < r->nr_saved; i++)
		if (r->saved[i].reg >= CFI_REGISTERS || r->saved[i].how > SAVE_LOST)
			die("a rule about a register that is none");
}

static bool find(void *arg, uint64_t pc, struct unwind_map *map)
{
	*map = (struct unwind_map){ .begin = CODE, .end = CODE + 65536, .cfi = arg };
	return pc >= map->begin && pc < map->end;
}

static void walk(struct unwinder *u, struct span bytes, uint64_t place)
{
	struct unwind_stack stack = { .begin = STACK, .bytes = bytes };
	struct unwind_frame frame[FRAMES];
	struct unwind_registers r = { 0 };
	size_t nr;

	for (unsigned i = 0; i < CFI_REGISTERS; i++)
		unwind_set(&r, i, STACK + i * 8);
	unwind_set(&r, PC_REGISTER, CODE + place);
	unwind(u, &r, &stack, frame, FRAMES, &nr);
	if (!nr || nr > FRAMES)
		die("a walk that went nowhere");
}

static void run(struct cfi *c, struct span bytes)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	u->arch = &unwind_x86_64;
	u->find = find;
	u->arg = c;
	for (uint64_t i = 0; i < PLACES; i++) {
		uint64_t place = i * bytes.size / PLACES, start;

		for (unsigned try = 0; try < CFI_TRIES; try++)
			check_rule(cfi_rule_at(c, cfi_find_by_code(c, place, try, &start)));
		cfi_is_returned_to(c, place, 0);
		walk(u, bytes, place);
	}
	free(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span bytes = { .at = (const char *)data, .size = size };
	struct cfi_code code = { .size = size, .address = CODE };
	int fd = memfd_create("code", MFD_CLOEXEC);
	struct cfi_builder b;
	struct cfi *c;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		die("there is no room for a file");
	cfi_builder_init(&b, cfi_machine_find(EM_X86_64), &code, 1);
	cfi_keep_code(&b, fd);
	c = cfi_finish(&b);
	cfi_builder_release(&b);
	if (c && size)
		run(c, bytes);
	cfi_free(c);
	close(fd);
	return 0;
}
