/*
 * Rules for code without unwind rows, as from assembly, some compilers, or a C library built
 * without them (musl).  They are derived from the instructions, once for each place that is looked
 * up.  x86-64 only.
 */
#include "base/alloc.h"
#include "image/code/code_path.h"
#include "image/code/code_text.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	/* Highest descriptor that is kept open: most systems allow a process 1024. */
	FD_MAX = 512,
	DWARF_SP = 7,
};

static_assert(CFI_TRIES == 1 + CODE_STARTS, "one for the return, and the starts");

/* The rules derived for a place, by try: see cfi_find_by_code(). */
struct known {
	uint32_t place;	 /* 0: an empty slot */
	bool has_return; /* try 0 is done */
	bool has_starts; /* … and the others */
	uint32_t rule[CFI_TRIES], start[CFI_TRIES];
	enum { FRAME_NOT_READ, FRAME_UNKNOWN, FRAME_KNOWN } has_frame;
	struct code_frame frame; /* see cfi_frame_by_code() */
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

/* Try 0: follows the code to where the function returns. */
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

/* The other tries: follow the code from possible starts of the function. */
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

/* The entry of a place, which is new if nothing was derived yet; NULL: there is no code to read. */
static struct known *get_known(struct cfi *c, uint64_t place)
{
	struct known *k;

	if (!c->text || !place || place > UINT32_MAX)
		return NULL;
	if (c->text->nr_known * 2 >= c->text->nr_slot)
		grow_known(c->text);
	k = find_slot(c->text, (uint32_t)place);
	if (!k->place) {
		k->place = (uint32_t)place;
		c->text->nr_known++;
	}
	return k;
}

uint32_t cfi_find_by_code(struct cfi *c, uint64_t place, unsigned try, uint64_t *start)
{
	struct known *k = get_known(c, place);

	*start = 0;
	if (!k)
		return 0;
	if (!k->has_return) {
		k->has_return = true;
		k->rule[0] = read_rule(c, place);
	}
	if (try && !k->has_starts)
		read_starts(c, k);
	*start = k->start[try];
	return k->rule[try];
}

/*
 * Without an index of functions, tries the places where the function may begin, until the code from
 * one of them sets a frame pointer.
 */
static bool read_frame(struct cfi *c, uint64_t place, enum code_reached how, struct code_frame *f)
{
	struct text_file *t = &c->text->file;
	uint64_t start[CODE_STARTS] = { cfi_function_start(c, place - (how == REACHED_BY_RETURN)) };
	size_t nr = start[0] ? 1 : code_find_starts(t, place, start);

	for (size_t i = 0; i < nr; i++)
		if (code_frame_at(t, start[i], place, f))
			return true;
	return false;
}

uint64_t cfi_function_start(const struct cfi *c, uint64_t place)
{
	uint64_t start;

	return c->lazy && cfi_lazy_start(c->lazy, place, &start) ? start : 0;
}

bool cfi_frame_by_code(struct cfi *c, uint64_t place, enum code_reached how, struct code_frame *f)
{
	struct known *k = get_known(c, place);

	if (!k)
		return false;
	if (k->has_frame == FRAME_NOT_READ)
		k->has_frame = read_frame(c, place, how, &k->frame) ? FRAME_KNOWN : FRAME_UNKNOWN;
	*f = k->frame;
	return k->has_frame == FRAME_KNOWN;
}

uint64_t cfi_find_switch(struct cfi *c, uint64_t begin, uint64_t end, bool *has_frame)
{
	struct code_path path = { .place = begin };
	struct x86_insn i;

	while (c->text && path.place < end &&
	       x86_decode(text_bytes(&c->text->file, path.place, X86_INSN_MAX), &i)) {
		path.place += i.size;
		if (code_path_step(&path, &i) != LOST)
			continue;
		*has_frame = path.has_frame;
		return path.place;
	}
	return 0;
}

static bool is_call(const struct x86_insn *i)
{
	enum { DIRECT = 0xe8, GROUP = 0xff, GROUP_CALL = 2 };

	return i->map == X86_ONE &&
	       (i->opcode == DIRECT || (i->opcode == GROUP && (i->modrm >> 3 & 7) == GROUP_CALL));
}

uint64_t cfi_find_call(const struct cfi *c, uint64_t begin, uint64_t end)
{
	struct x86_insn i;

	while (c->text && begin < end &&
	       x86_decode(text_bytes(&c->text->file, begin, X86_INSN_MAX), &i)) {
		begin += i.size;
		if (is_call(&i))
			return begin;
	}
	return 0;
}

bool cfi_is_birth(struct cfi *c, uint64_t place)
{
	/* mov $number,%eax; syscall; test %rax,%rax, as in the C library's clone3() and clone() */
	static const char clone3[] = "\xb8\xb3\x01\0\0\x0f\x05\x48\x85\xc0";
	static const char clone[] = "\xb8\x38\0\0\0\x0f\x05\x48\x85\xc0";
	enum { SIZE = sizeof(clone) - 1, BEFORE = 7 };
	struct span code;

	if (!c->text || place < BEFORE || !text_is_code(&c->text->file, place))
		return false;
	code = text_bytes(&c->text->file, place - BEFORE, SIZE);
	return span_eq(code, (struct span){ clone, SIZE }) ||
	       span_eq(code, (struct span){ clone3, SIZE });
}

uint64_t cfi_called(struct cfi *c, uint64_t place)
{
	struct text_call call;

	return c->text && text_call_before(&c->text->file, place, &call) && call.is_direct
		       ? call.target
		       : 0;
}

bool cfi_is_stub(struct cfi *c, uint64_t place)
{
	/* optional endbr64 and bnd, then jmp *offset(%rip) */
	static const char landing[] = "\xf3\x0f\x1e\xfa", jump[] = "\xff\x25";
	struct span code;

	if (!c->text || !text_is_code(&c->text->file, place))
		return false;
	code = text_bytes(&c->text->file, place, X86_INSN_MAX);
	if (span_starts(code, landing))
		code = span_from(code, sizeof(landing) - 1);
	if (span_starts(code, "\xf2"))
		code = span_from(code, 1);
	return span_starts(code, jump);
}

unsigned cfi_calls(struct cfi *c, uint64_t start, uint64_t target, uint64_t *behind)
{
	enum { FUNCTION_MAX = 64 * 1024, PADDING = 0xcc };
	struct x86_insn i;
	unsigned nr = 0;

	for (uint64_t at = start; c->text && at - start < FUNCTION_MAX; at += i.size) {
		if (!x86_decode(text_bytes(&c->text->file, at, X86_INSN_MAX), &i) ||
		    (i.map == X86_ONE && i.opcode == PADDING))
			break;
		if (i.map != X86_ONE || i.opcode != 0xe8 || at + i.size + (uint64_t)i.imm != target)
			continue;
		if (!nr++)
			*behind = at + i.size;
	}
	return nr;
}

bool cfi_is_returned_to(struct cfi *c, uint64_t place, uint64_t start)
{
	struct text_call call;

	if (!c->text || text_is_signal_return(&c->text->file, place))
		return true;
	if (!text_call_before(&c->text->file, place, &call))
		return false;
	/*
	 * The function that a root calls (musl's _start) may have reached this one by tail calls.
	 */
	return !start || !call.is_direct || call.target == start ||
	       cfi_rule_at(c, cfi_find(c, place - 1))->cfa == CFA_ROOT;
}
