/*
 * Rules for code without unwind rows: assembly, a C library that is built without them (musl),
 * some compilers.  They are derived from the instructions, once for each place that is looked
 * up.  x86-64 only.
 */
#include "base/alloc.h"
#include "image/code_text.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	/* No more files are kept open than this; most systems allow a process 1024. */
	FD_MAX = 512,
	DWARF_SP = 7,
};

static_assert(CFI_TRIES == 1 + CODE_STARTS, "one for the return, and the starts");

/* What was derived for a place, by try; see cfi_find_by_code(). */
struct known {
	uint32_t place;	 /* 0: an empty slot */
	bool has_starts; /* tries after the first are there, too */
	uint32_t rule[CFI_TRIES], start[CFI_TRIES];
};

struct cfi_text {
	struct text_file file;
	struct cfi_code *code;
	struct known *known; /* a hash table by place, of nr_slot slots */
	size_t nr_known, nr_slot;
};

void cfi_keep_code(struct cfi_builder *b, int fd)
{
	struct cfi_text *t;
	int kept;

	if (b->machine->elf != EM_X86_64 || fd < 0 || !b->nr_code)
		return;
	kept = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (kept > FD_MAX)
		close(kept);
	if (kept < 0 || kept > FD_MAX)
		return;
	t = xcalloc(1, sizeof(*t));
	t->code = xmemdup(b->code, b->nr_code * sizeof(*t->code));
	t->file.fd = kept;
	t->file.code = t->code;
	t->file.nr_code = b->nr_code;
	b->cfi->text = t;
}

void cfi_text_free(struct cfi_text *t)
{
	if (!t)
		return;
	close(t->file.fd);
	free(t->code);
	free(t->known);
	free(t);
}

static void set_saved(struct cfi_state *s, unsigned reg, int32_t value)
{
	s->saved |= UINT64_C(1) << reg;
	s->reg[reg] = (struct cfi_saved){
		.reg = (uint8_t)reg, .how = SAVE_AT_REGISTER, .base = DWARF_SP, .value = value
	};
}

/*
 * The trampoline that calls rt_sigreturn: the stack pointer is at the kernel's struct ucontext,
 * which has all registers of the code that was interrupted.
 */
static uint32_t rule_of_signal(struct cfi *c)
{
	/* DWARF's numbers of r8 … r15, rdi, rsi, rbp, rbx, rdx, rax, rcx; rsp and rip follow. */
	static const uint8_t order[] = { 8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2 };
	/* uc_mcontext begins 40 bytes into struct ucontext. */
	enum { REGISTERS = 40, STACK = REGISTERS + 8 * (int)sizeof(order) };
	struct cfi_state s = { .cfa = CFA_MEMORY, .base = DWARF_SP, .offset = STACK };
	struct cfi_builder b = { .cfi = c };

	for (size_t i = 0; i < sizeof(order); i++)
		set_saved(&s, order[i], REGISTERS + 8 * (int32_t)i);
	set_saved(&s, c->return_register, STACK + 8);
	return cfi_intern_rule(&b, &s, c->return_register, true);
}

static uint32_t rule_of(struct cfi *c, const struct cfi_state *s)
{
	struct cfi_builder b = { .cfi = c };

	return cfi_intern_rule(&b, s, c->return_register, false);
}

/* Try 0: how the function returns. */
static uint32_t read_rule(struct cfi *c, uint64_t place)
{
	struct text_file *f = &c->text->file;
	struct cfi_state s;

	if (!text_is_code(f, place))
		return 0;
	if (text_is_signal_return(f, place))
		return rule_of_signal(c);
	return code_find_return(f, place, &s) ? rule_of(c, &s) : 0;
}

/* The other tries: what it did since it began. */
static void read_starts(struct cfi *c, struct known *k)
{
	uint64_t start[CODE_STARTS];
	size_t nr = code_find_starts(&c->text->file, k->place, start);
	struct cfi_state s;

	k->has_starts = true;
	for (size_t i = 0; i < nr; i++)
		if (code_from_start(&c->text->file, start[i], k->place, &s)) {
			k->rule[i + 1] = rule_of(c, &s);
			k->start[i + 1] = (uint32_t)start[i];
		}
}

static struct known *find_slot(struct cfi_text *t, uint32_t place)
{
	size_t i = place * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (t->nr_slot - 1);

	while (t->known[i].place && t->known[i].place != place)
		i = (i + 1) & (t->nr_slot - 1);
	return &t->known[i];
}

static void grow_known(struct cfi_text *t)
{
	struct known *old = t->known;
	size_t nr = t->nr_slot;

	t->nr_slot = nr ? nr * 2 : 256;
	t->known = xcalloc(t->nr_slot, sizeof(*t->known));
	for (size_t i = 0; i < nr; i++)
		if (old[i].place)
			*find_slot(t, old[i].place) = old[i];
	free(old);
}

uint32_t cfi_find_by_code(struct cfi *c, uint64_t place, unsigned try, uint64_t *start)
{
	struct known *k;

	*start = 0;
	if (!c->text || !place || place > UINT32_MAX)
		return 0;
	if (c->text->nr_known * 2 >= c->text->nr_slot)
		grow_known(c->text);
	k = find_slot(c->text, (uint32_t)place);
	if (!k->place) {
		k->place = (uint32_t)place;
		k->rule[0] = read_rule(c, place);
		c->text->nr_known++;
	}
	if (try && !k->has_starts)
		read_starts(c, k);
	*start = k->start[try];
	return k->rule[try];
}

bool cfi_is_returned_to(struct cfi *c, uint64_t place, uint64_t start)
{
	struct text_call call;

	if (!c->text || text_is_signal_return(&c->text->file, place))
		return true;
	if (!text_call_before(&c->text->file, place, &call))
		return false;
	/* What a root calls (musl's _start) may have led to this function by tail calls. */
	return !start || !call.is_direct || call.target == start ||
	       cfi_rule_at(c, cfi_find(c, place - 1))->cfa == CFA_ROOT;
}
