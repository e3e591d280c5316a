/* Walks up stacks that are made by hand, and up this program's own. */
#include "unwind/unwind.h"

#include "base/alloc.h"
#include "image/cfi/cfi_build.h"
#include "tap.h"

#include <dwarf.h>
#include <elf.h>
#include <execinfo.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

enum {
	PROGRAM = 0x400000, /* a function at each 0x100 of it */
	JIT = 0x700000,	    /* code without rows */
	STACK = 0x7fff0000,
	WORDS = 64,
	RBX = 3,
	RBP = 6,
	RSP = 7,
	R10 = 10,
	R12 = 12,
};

/* A program that is being written: one range of frame information a function. */
struct program {
	char bytes[4096];
	size_t size, cie;
	unsigned machine;
	struct cfi *cfi;
	/* Functions that change to another stack. */
	struct {
		unsigned number;
		uint8_t what; /* enum cfi_edge */
	} edge[4];
};

static void put(struct program *p, const void *bytes, size_t size)
{
	if (size)
		memcpy(p->bytes + p->size, bytes, size);
	p->size += size;
}

static void put_u32(struct program *p, uint32_t v)
{
	put(p, &v, sizeof(v));
}

static void put_cie(struct program *p, const char *head, size_t head_size, const void *rules,
		    size_t size)
{
	p->cie = p->size;
	put_u32(p, (uint32_t)(4 + head_size + size));
	put_u32(p, 0);
	put(p, head, head_size);
	put(p, rules, size);
}

static void put_function(struct program *p, unsigned number, const void *rules, size_t size)
{
	uint64_t begin = PROGRAM + number * 0x100, length = 0x100;

	put_u32(p, (uint32_t)(4 + 16 + (p->bytes[p->cie + 9] ? 1 : 0) + size));
	put_u32(p, (uint32_t)(p->size - p->cie));
	put(p, &begin, sizeof(begin));
	put(p, &length, sizeof(length));
	if (p->bytes[p->cie + 9])
		put(p, "", 1);
	put(p, rules, size);
}

#define FUNCTION(p, number, ...) \
	do { \
		const uint8_t rules_[] = { __VA_ARGS__ }; \
		put_function(p, number, rules_, sizeof(rules_)); \
	} while (0)

static void put_usual_cie(struct program *p)
{
	static const uint8_t x86_64[] = { DW_CFA_def_cfa, RSP, 8, DW_CFA_offset | 16, 1 };
	static const uint8_t aarch64[] = { DW_CFA_def_cfa, 31, 0 };

	if (p->machine == EM_AARCH64)
		put_cie(p, "\1\0\1\x78\x1e", 5, aarch64, sizeof(aarch64));
	else
		put_cie(p, "\1\0\1\x78\x10", 5, x86_64, sizeof(x86_64));
}

static void add_edge(struct cfi_builder *b, unsigned number, uint8_t what)
{
	struct cfi_state s = { .cfa = CFA_EDGE, .base = what, .offset = (int32_t)number * 0x100 };
	struct cfi_range range = { .begin = number * 0x100,
				   .end = number * 0x100 + 0x100,
				   .first_row = (uint32_t)b->nr_row,
				   .nr_row = 1,
				   .over = true };

	GROW(b->row, b->nr_row, b->cap_row);
	b->row[b->nr_row++] = (struct cfi_row){
		.place = range.begin,
		.rule = cfi_intern_rule(b, &s, b->machine->return_register, false),
	};
	GROW(b->range, b->nr_range, b->cap_range);
	b->range[b->nr_range++] = range;
}

static void finish(struct program *p)
{
	static const struct cfi_code code = { .size = 0x10000, .address = PROGRAM };
	struct cfi_section s = { .bytes = { p->bytes, p->size } };
	struct cfi_builder b;

	cfi_builder_init(&b, cfi_machine_find(p->machine ? p->machine : EM_X86_64), &code, 1);
	for (size_t i = 0; i < ARRAY_SIZE(p->edge) && p->edge[i].number; i++)
		add_edge(&b, p->edge[i].number, p->edge[i].what);
	cfi_add_section(&b, &s);
	p->cfi = cfi_finish(&b);
	cfi_builder_release(&b);
	is_str(p->cfi->why, "", "the unwind information of the program is valid");
}

static bool find(void *arg, uint64_t pc, struct unwind_map *map)
{
	const struct program *p = arg;

	if (pc >= PROGRAM && pc < PROGRAM + 0x10000) {
		*map = (struct unwind_map){ .begin = PROGRAM,
					    .end = PROGRAM + 0x10000,
					    .cfi = p->cfi };
		return true;
	}
	if (pc >= JIT && pc < JIT + 0x10000) {
		*map = (struct unwind_map){ .begin = JIT, .end = JIT + 0x10000 };
		return true;
	}
	return false;
}

/* Of the last walk: */
static struct unwind_trail trail;
static uint64_t root;

/* What a walk finds, as text: "110 220! root", where ! is one that was interrupted. */
static const char *walk_stack(struct program *p, const struct unwind_arch *arch,
			      const struct unwind_registers *r, const struct unwind_stack *stack)
{
	static const char *const ends[] = {
		[UNWIND_ROOT] = "root",		[UNWIND_TRUNCATED] = "cut",
		[UNWIND_NO_COPY] = "no copy",	[UNWIND_NO_ROW] = "no row",
		[UNWIND_BAD_PC] = "bad pc",	[UNWIND_LOOP] = "loop",
		[UNWIND_TOO_DEEP] = "too deep", [UNWIND_EDGE] = "edge",
	};
	static char text[512];
	struct unwinder *u = calloc(1, sizeof(*u));
	struct unwind_frame frame[16];
	enum unwind_end end;
	size_t nr, n = 0;

	u->arch = arch;
	u->find = find;
	u->arg = p;
	end = unwind(u, r, stack, frame, 16, &nr);
	for (size_t i = 0; i < nr; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%llx%s ",
				      (unsigned long long)(frame[i].pc & 0x30ffff),
				      frame[i].is_return || !i ? "" : "!");
	snprintf(text + n, sizeof(text) - n, "%s", ends[end]);
	trail = u->trail;
	root = u->root;
	free(u);
	return text;
}

static const char *walk(struct program *p, const struct unwind_arch *arch,
			const struct unwind_registers *r, const void *words, size_t size)
{
	struct unwind_stack stack = { .begin = r->value[arch->stack], .bytes = { words, size } };

	return walk_stack(p, arch, r, &stack);
}

static struct unwind_registers start(uint64_t pc)
{
	struct unwind_registers r = { 0 };

	unwind_set(&r, PC_REGISTER, pc);
	unwind_set(&r, RSP, STACK);
	unwind_set(&r, RBP, 0x1234567);
	unwind_set(&r, RBX, 0x7654321);
	unwind_set(&r, R10, 1);
	unwind_set(&r, R12, 2);
	return r;
}

/*
 * 0: the root.  1: 16 bytes of its own.  2: has a frame pointer.  3: keeps rbx and rbp, and is
 * past popping them at 0x80.  4: CFA from rbx.  5: realigns, with r10.  6: a stub of the PLT.
 * 7: CFA by an expression.  8: nowhere.  9: 8 kB of its own.
 */
static void put_functions(struct program *p)
{
	put_usual_cie(p);
	FUNCTION(p, 0, DW_CFA_undefined, 16);
	FUNCTION(p, 1, DW_CFA_def_cfa_offset, 24);
	FUNCTION(p, 2, DW_CFA_def_cfa, RBP, 16, DW_CFA_offset | RBP, 2);
	FUNCTION(p, 3, DW_CFA_def_cfa_offset, 24, DW_CFA_offset | RBX, 2, DW_CFA_offset | RBP, 3,
		 DW_CFA_advance_loc2, 0x80, 0, DW_CFA_def_cfa_offset, 8);
	FUNCTION(p, 4, DW_CFA_def_cfa, RBX, 24);
	FUNCTION(p, 5, DW_CFA_def_cfa, R10, 0, DW_CFA_advance_loc | 0x10, DW_CFA_expression, RBP, 2,
		 DW_OP_breg6, 0, DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref);
	FUNCTION(p, 6, DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15,
		 DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus);
	FUNCTION(p, 7, DW_CFA_def_cfa_expression, 9, DW_OP_breg7, 0, DW_OP_dup, DW_OP_deref,
		 DW_OP_const1u, 8, DW_OP_mul, DW_OP_plus, DW_OP_nop);
	FUNCTION(p, 8, DW_CFA_def_cfa_expression, 4, DW_OP_breg7, 0, DW_OP_skip, 0xfd);
	FUNCTION(p, 9, DW_CFA_def_cfa_offset, 0x88, 0x40);
	finish(p);
}

#define WALK(p, r, ...) \
	walk(p, &unwind_x86_64, r, (const uint64_t[]){ __VA_ARGS__ }, \
	     sizeof((const uint64_t[]){ __VA_ARGS__ }))

#define IN(function, at) (PROGRAM + (function)*0x100 + (at))

static void test_x86_64(void)
{
	struct program p = { 0 };
	struct unwind_registers r = start(IN(1, 0x10));

	put_functions(&p);
	is_str(WALK(&p, &r, 0, 0, IN(1, 0x20), 0, 0, IN(0, 0x30)), "110 120 30 root",
	       "unwinding by the stack pointer ends at an undefined return address");
	is_str(WALK(&p, &r, 0, 0, 0), "110 root", "a return address of 0 is the root");
	is_str(WALK(&p, &r, 0, 0, IN(2, 0)), "110 200 cut",
	       "a return address at the start of a function belongs to the function before it");

	r = start(IN(2, 0x10));
	unwind_set(&r, RBP, STACK + 16);
	is_str(WALK(&p, &r, 9, 9, STACK + 48, IN(2, 0x20), 9, 9, 0, IN(0, 0x30)), "210 220 30 root",
	       "a function with its CFA from the frame pointer is unwound");

	r = start(IN(3, 0x90));
	unwind_set(&r, RBP, STACK + 8);
	is_str(WALK(&p, &r, IN(2, 0x20), 0, IN(0, 0x30)), "390 220 30 root",
	       "a popped register is taken from the registers, not from below the copy");

	r = start(IN(3, 0x10));
	is_str(WALK(&p, &r, 7, STACK + 32, IN(4, 0x20), 9, 9, 9, IN(0, 0x30)), "310 420 30 root",
	       "a register that a callee saved is restored for its caller's CFA");

	r = start(IN(5, 8));
	unwind_set(&r, R10, STACK + 24);
	is_str(WALK(&p, &r, 9, 9, IN(0, 0x30)), "508 30 root",
	       "realigning: r10 is the CFA before it is stored");
	r = start(IN(5, 0x20));
	unwind_set(&r, RBP, STACK + 16);
	is_str(WALK(&p, &r, 9, STACK + 48, STACK + 56, 9, 9, IN(2, 0x20), 9, 0, IN(0, 0x30)),
	       "520 220 30 root",
	       "realigning: the CFA and the frame pointer are loaded from the stack");

	r = start(IN(6, 0x10));
	is_str(WALK(&p, &r, IN(0, 0x30), 9), "610 30 root",
	       "a PLT stub that has pushed nothing is unwound");
	r = start(IN(6, 0x1b));
	is_str(WALK(&p, &r, 9, IN(0, 0x30)), "61b 30 root",
	       "a PLT stub that has pushed a word is unwound");

	r = start(IN(7, 0x10));
	is_str(WALK(&p, &r, 3, 9, IN(0, 0x30)), "710 30 root",
	       "a CFA given by a DWARF expression is computed");
	r = start(IN(8, 0x10));
	is_str(WALK(&p, &r, 3, 9, IN(0, 0x30)), "810 no row",
	       "a DWARF expression that never ends gives no caller");
	cfi_free(p.cfi);
}

static void test_ends(void)
{
	struct program p = { 0 };
	struct unwind_registers r = start(IN(1, 0x10));

	put_functions(&p);
	is_str(WALK(&p, &r, 0, 0, IN(1, 0x20), 0), "110 120 cut",
	       "unwinding beyond the end of the stack copy ends as truncated");
	is_str(walk(&p, &unwind_x86_64, &r, "", 0), "110 no copy",
	       "unwinding with an empty stack copy ends as UNWIND_NO_COPY");
	is_str(WALK(&p, &r, 0, 0, 0x12345678), "110 bad pc",
	       "a return address outside of code is not a caller");
	r = start(IN(2, 0x10));
	unwind_set(&r, RBP, STACK - 64);
	is_str(WALK(&p, &r, 0, 0, 0), "210 loop",
	       "a frame pointer that points down the stack ends unwinding as a loop");
	unwind_set(&r, RBP, UINT64_MAX - 7);
	ok(strstr(WALK(&p, &r, 0, 0, 0), "210 "),
	   "a frame pointer at the end of the address space keeps the leaf");
	r.known &= ~(UINT64_C(1) << RBP);
	is_str(WALK(&p, &r, 0, 0, 0), "210 no row",
	       "a row that needs an unknown register gives no caller");
	r.known = 0;
	is_str(WALK(&p, &r, 0), "bad pc", "unwinding without registers finds no frame");
	cfi_free(p.cfi);
}

/* Only the pc and the stack pointer are known, as of a blocked thread. */
static void test_blocked(void)
{
	struct program p = { 0 };
	struct unwind_registers r = { 0 };

	put_functions(&p);
	unwind_set(&r, PC_REGISTER, IN(2, 0x10));
	unwind_set(&r, RSP, STACK);
	is_str(WALK(&p, &r, 9, 9, STACK + 48, IN(2, 0x20), 9, 9, 0, IN(0, 0x30)), "210 220 30 root",
	       "an unknown frame pointer is the only stack word that leads to the root");
	is_str(WALK(&p, &r, STACK + 64, IN(2, 0x20), STACK + 64, IN(2, 0x24), 9, 9, 9, 9, 0,
		    IN(0, 0x30)),
	       "210 no row",
	       "an unknown frame pointer is not found if two stack words lead to the root");
	is_str(WALK(&p, &r, 9, IN(0, 0x30), STACK + 48, IN(2, 0x20), 9, 9, 0, IN(0, 0x30)),
	       "210 220 30 root",
	       "an unknown frame pointer is found beyond a word that looks like a root");
	is_str(WALK(&p, &r, 9, 9, STACK + 48, IN(2, 0x20), 9, 9, 0, 0), "210 no row",
	       "an unknown frame pointer is not found if no stack word leads to a proved root");
	unwind_set(&r, PC_REGISTER, IN(3, 0x10));
	is_str(WALK(&p, &r, STACK + 32, 7, IN(2, 0x20), 9, 9, IN(0, 0x30)), "310 220 30 root",
	       "an unknown frame pointer is restored from a callee that saved it");
	cfi_free(p.cfi);
}

static void test_frame_pointers(void)
{
	struct program p = { 0 };
	struct unwind_registers r = start(JIT + 0x10);

	put_functions(&p);
	unwind_set(&r, RBP, STACK + 8);
	is_str(WALK(&p, &r, 9, STACK + 32, JIT + 0x20, 9, 7, IN(0, 0x30)), "300010 300020 30 root",
	       "code without rows is unwound by frame pointers");
	is_str(WALK(&p, &r, 9, STACK + 32, 9, 9, 0, IN(0, 0x30)), "300010 no row",
	       "a frame pointer to a return address outside of code gives no caller");
	is_str(WALK(&p, &r, 9, STACK - 32, JIT + 0x20), "300010 no row",
	       "a frame pointer whose saved one points down the stack gives no caller");
	is_str(WALK(&p, &r, 9, STACK + 800, JIT + 0x20), "300010 300020 cut",
	       "frame pointers that lead beyond the stack copy end as truncated");
	unwind_set(&r, RBP, 0);
	is_str(WALK(&p, &r, 9, 9, 9), "300010 no row",
	       "a leaf without rows whose frame pointer is 0 is not the root");
	unwind_set(&r, RBP, STACK + 8);
	is_str(WALK(&p, &r, 9, 0, JIT + 0x20), "300010 300020 root",
	       "a caller without rows whose frame pointer is 0 is the root");
	r = start(IN(1, 0x10));
	unwind_set(&r, RBP, 0);
	is_str(WALK(&p, &r, 9, 9, JIT + 0x20), "110 300020 no row",
	       "a caller without rows whose frame pointer is 0 is not the root after a row");
	r = start(JIT + 0x10);
	unwind_set(&r, RBP, STACK + 8000);
	is_str(WALK(&p, &r, 9, 9, 9), "300010 no row",
	       "a leaf's frame pointer beyond the stack copy gives no caller");
	r = start(IN(1, 0x10));
	is_str(WALK(&p, &r, 9, 9, IN(0x20, 0x10), 9, IN(0, 0x30)), "110 2010 30 root",
	       "a caller without rows is unwound past one word of its own on the stack");
	r = start(IN(0x20, 0x10));
	is_str(WALK(&p, &r, IN(0, 0x30)), "2010 30 root",
	       "a stub without rows is unwound by the return address on top of the stack");
	unwind_set(&r, RBP, 0);
	is_str(WALK(&p, &r, 9, 9), "2010 no row",
	       "a frame pointer of 0 in assembly between functions with rows is not the root");
	unwind_set(&r, RBP, STACK + 8);
	is_str(WALK(&p, &r, 9, 9, 0), "2010 no row",
	       "a frame pointer in assembly to a return address of 0 is not the root");
	cfi_free(p.cfi);
}

/* The walk is at the end of the copy; the kernel went on by frame pointers. */
static const char *walk_chain(struct program *p, uint64_t pc, uint64_t frame, const uint64_t *words,
			      size_t nr, const uint64_t *chain, size_t nr_chain)
{
	struct unwind_registers r = start(pc);
	struct unwind_stack stack = { .begin = STACK,
				      .bytes = { (const char *)words, nr * sizeof(*words) },
				      .chain = chain,
				      .nr_chain = nr_chain };

	unwind_set(&r, RBP, frame);
	return walk_stack(p, &unwind_x86_64, &r, &stack);
}

#define CHAIN(...) \
	(const uint64_t[]){ __VA_ARGS__ }, ARRAY_SIZE(((const uint64_t[]){ __VA_ARGS__ }))

static void test_splice(void)
{
	/* Two frames of function 2, and the second one's frame pointer points behind the copy. */
	static const uint64_t words[] = { 9, STACK + 32, IN(2, 0x20), 9, STACK + 400 };
	enum { NR = ARRAY_SIZE(words) };
	struct program p = { 0 };

	put_functions(&p);
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, NR, NULL, 0), "210 220 cut",
	       "splicing: a truncated stack without a kernel call chain stays truncated");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, NR,
			  CHAIN(IN(2, 0x20), IN(2, 0x30), IN(2, 0x40), IN(0, 0x30))),
	       "210 220 230 240 30 root",
	       "splicing: the kernel's chain goes on where the frame pointers are the same");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, NR,
			  CHAIN(IN(2, 0x20), IN(2, 0x30), IN(1, 0x40), IN(0, 0x30))),
	       "210 220 230 140 cut",
	       "splicing: a function without a frame pointer hides its caller from the kernel");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, NR, CHAIN(IN(2, 0x20), IN(2, 0x30))),
	       "210 220 230 cut",
	       "splicing: a chain that ends before the root leaves the stack truncated");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, NR, CHAIN(IN(2, 0x20), 0x12345678)),
	       "210 220 cut", "splicing: an address of the chain outside of code is not used");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, NR,
			  CHAIN(IN(2, 0x24), IN(2, 0x30), IN(0, 0x30))),
	       "210 220 cut",
	       "splicing: a chain that does not contain the last caller is not used");
	is_str(walk_chain(&p, IN(1, 0x10), STACK + 400, words, 2, CHAIN(IN(2, 0x30), IN(0, 0x30))),
	       "110 cut",
	       "splicing: a stack truncated in a frame that the chain does not have stays truncated");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, 0, CHAIN(IN(2, 0x20), IN(0, 0x30))),
	       "210 220 30 root",
	       "splicing: the kernel's chain goes on from the leaf if nothing was copied");
	cfi_free(p.cfi);
}

/* The bytes that the last walk has seen to be of the stack it ended on, from where it began: "0-30 2000-2008". */
static const char *trail_text(void)
{
	static char text[512];
	size_t n = 0;

	text[0] = 0;
	for (size_t i = 0; i < trail.nr; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%llx-%llx", i ? " " : "",
				      (unsigned long long)(trail.piece[i].low - STACK),
				      (unsigned long long)(trail.piece[i].high - STACK));
	return text;
}

/*
 * 10 to 13 change to another stack: 2 was called there by 10, 11 or 12, and left on its own stack is
 * what looks like a caller.  The frame pointer leads to the stack that was left.
 */
static void test_edges(void)
{
	enum { OTHER = 0x1000000 };
	struct program p = { .edge = { { 10, EDGE_CALLER_WAITS },
				       { 11, EDGE_CALLER_RUNS },
				       { 12, EDGE_CALLER_WAITS | EDGE_HAS_FRAME },
				       { 13, EDGE_TOP } } };
	uint64_t words[] = { 0, OTHER, IN(10, 0x20), IN(1, 0x20), 0, 0, IN(0, 0x30) };

	put_functions(&p);
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, 7, NULL, 0), "210 a20 edge",
	       "at the edge of a stack, what an earlier call left there is no caller");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, 7,
			  CHAIN(IN(10, 0x20), IN(2, 0x40), IN(0, 0x30))),
	       "210 a20 240 30 root", "the kernel's chain leads from the edge to the other stack");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, 7,
			  CHAIN(IN(10, 0x20), IN(2, 0x40), IN(13, 0x30))),
	       "210 a20 240 d30 root", "the first function of a stack has no caller");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, 7,
			  CHAIN(IN(2, 0x20), IN(2, 0x40), IN(0, 0x30))),
	       "210 a20 edge",
	       "a chain that does not contain the edge does not lead to the other stack");
	words[1] = STACK + 8;
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, 7,
			  CHAIN(IN(10, 0x20), IN(2, 0x40), IN(0, 0x30))),
	       "210 a20 edge",
	       "a frame pointer to the same stack does not lead from the edge to another stack");
	words[1] = 0;
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, 7, CHAIN(IN(10, 0x20))),
	       "210 a20 root", "an edge whose frame pointer is 0 is the root");
	words[1] = OTHER;
	words[2] = IN(11, 0x20);
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, 7,
			  CHAIN(IN(11, 0x20), IN(2, 0x40), IN(0, 0x30))),
	       "210 b20 root",
	       "an edge to a stack that others may run on is the root, whatever the chain has");
	words[2] = IN(12, 0x20);
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, 7,
			  CHAIN(IN(12, 0x20), IN(2, 0x40), IN(0, 0x30))),
	       "210 c20 240 30 root",
	       "the kernel's chain leads from an edge with a frame of its own to the other stack");
	cfi_free(p.cfi);
}

/* 10 and 12 change to another stack; 10 only from that of a goroutine, which returns to 13. */
static void test_goroutine(void)
{
	enum { OTHER = 0x1000000 };
	struct program p = { .edge = { { 10, EDGE_CALLER_WAITS | EDGE_GOROUTINE },
				       { 12, EDGE_CALLER_WAITS },
				       { 13, EDGE_TOP } } };
	uint64_t words[] = { 0, OTHER, IN(10, 0x20), IN(1, 0x20) };

	put_functions(&p);
	walk_chain(&p, IN(2, 0x10), STACK + 8, words, ARRAY_SIZE(words), NULL, 0);
	is_int(root, 0, "a program without goexit has no root of goroutines");
	p.cfi->goexit = 0xd01;
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, ARRAY_SIZE(words), NULL, 0),
	       "210 a20 edge", "the edge of a goroutine's stack ends unwinding");
	is_int(root, IN(13, 1),
	       "unwinding that ends at the edge of a goroutine's stack knows the root");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, ARRAY_SIZE(words),
			  CHAIN(IN(10, 0x20), IN(2, 0x40), IN(13, 0x30))),
	       "210 a20 240 d30 root", "the kernel's chain leads to the goroutine's frames");
	is_int(root, 0, "unwinding that has reached the root reports no root beyond a gap");
	words[1] = 0;
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, ARRAY_SIZE(words), NULL, 0),
	       "210 a20 edge",
	       "the edge of a goroutine's stack is not the root if its frame pointer is 0");
	is_int(root, IN(13, 1),
	       "unwinding that ends at a goroutine's edge knows the root if the frame pointer is 0");
	words[1] = OTHER;
	words[2] = IN(12, 0x20);
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, ARRAY_SIZE(words), NULL, 0),
	       "210 c20 edge", "the edge of a stack that may not be a goroutine's ends unwinding");
	is_int(root, 0,
	       "unwinding that ends at the edge of any other stack does not know the root");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, 1, NULL, 0), "210 cut",
	       "a copy of one word ends unwinding as truncated");
	is_int(root, 0, "unwinding that ends as truncated does not know the root");
	p.cfi->goroutine_begin = 0x100;
	p.cfi->linked_end = 0x300;
	walk_chain(&p, IN(2, 0x10), STACK + 8, words, 1, NULL, 0);
	is_int(root, IN(13, 1),
	       "unwinding truncated in a function that only goroutines run knows the root");
	is_str(trail_text(), "", "trail: a truncated stack whose root is known has none");
	is_str(walk_chain(&p, IN(2, 0x10), STACK + 8, words, ARRAY_SIZE(words),
			  CHAIN(IN(12, 0x20), IN(2, 0x40))),
	       "210 c20 240 edge", "a chain that ends before the root leaves the edge as the end");
	is_int(root, IN(13, 1),
	       "unwinding knows the root if the chain ends in a function that only goroutines run");
	walk_chain(&p, IN(3, 0x10), STACK + 8, words, 1, NULL, 0);
	is_int(root, 0, "unwinding truncated in a function that others run does not know the root");
	cfi_free(p.cfi);
}

static void test_trail(void)
{
	uint64_t large[0x4000 / sizeof(uint64_t)] = { 0 };
	struct unwind_registers r = start(IN(1, 0x10));
	struct program p = { 0 };

	put_functions(&p);
	WALK(&p, &r, 0, 0, IN(1, 0x20), 0, 0, IN(0, 0x30));
	is_str(trail_text(), "0-30",
	       "trail: a complete stack has one from the leaf up to the root's callee");
	WALK(&p, &r, 0, 0, IN(1, 0x20), 0);
	is_str(trail_text(), "0-30",
	       "trail: a truncated frame is part of it up to its end, copied or not");
	WALK(&p, &r, 0, 0, 0);
	is_str(trail_text(), "", "trail: a stack whose root is a return address of 0 has none");
	WALK(&p, &r, 0, 0, 0x12345678);
	is_str(trail_text(), "", "trail: a stack that could not be unwound has none");

	WALK(&p, &r, 0, 0, IN(9, 0x20), 0);
	is_str(trail_text(), "0-18 2018-2020", "trail: the inside of a large frame is left out");
	r = start(IN(9, 0x10));
	large[0x2000 / 8] = IN(1, 0x20);
	large[0x2018 / 8] = IN(0, 0x30);
	is_str(walk(&p, &unwind_x86_64, &r, large, sizeof(large)), "910 120 30 root",
	       "a large frame that was copied is unwound");
	is_str(trail_text(), "0-0 2000-2020", "trail: it goes on after a large frame at the leaf");

	r = start(IN(2, 0x10));
	unwind_set(&r, RBP, STACK + 0x1ff8);
	is_str(walk(&p, &unwind_x86_64, &r, large, sizeof(large)), "210 120 30 root",
	       "a frame pointer that points far up the stack copy is used");
	is_str(trail_text(), "2008-2020",
	       "trail: it begins where a far frame pointer leads, perhaps on another stack");
	WALK(&p, &r, 9, 9);
	is_str(trail_text(), "0-0", "trail: a frame pointer beyond the copy adds nothing to it");

	r = start(JIT + 0x10);
	unwind_set(&r, RBP, STACK + 8);
	is_str(WALK(&p, &r, 9, 0, JIT + 0x20), "300010 300020 root",
	       "a caller in JIT code whose frame pointer is 0 is the root");
	is_str(trail_text(), "", "trail: a stack whose root is a frame pointer of 0 has none");
	walk_chain(&p, IN(2, 0x10), STACK + 8, large, 0, CHAIN(IN(2, 0x20), IN(0, 0x30)));
	is_str(trail_text(), "", "trail: a stack whose root is from the kernel's chain has none");
	cfi_free(p.cfi);
}

/* Where a signal came in between: all registers are in its frame, and it was not a call. */
static void test_signal(void)
{
	static const uint8_t rules[] = {
		DW_CFA_def_cfa_expression,
		4,
		DW_OP_breg7,
		0x10,
		DW_OP_deref,
		DW_OP_nop,
		DW_CFA_expression,
		RBX,
		2,
		DW_OP_breg7,
		0x08,
		DW_CFA_expression,
		16,
		2,
		DW_OP_breg7,
		0x18,
	};
	struct unwind_registers r = start(IN(1, 0x10));
	struct program p = { 0 };

	put_usual_cie(&p);
	FUNCTION(&p, 0, DW_CFA_undefined, 16);
	FUNCTION(&p, 1, DW_CFA_def_cfa_offset, 8);
	FUNCTION(&p, 4, DW_CFA_def_cfa, RBX, 8);
	put_cie(&p, "\1zS\0\1\x78\x10\0", 8, NULL, 0);
	put_function(&p, 3, rules, sizeof(rules));
	finish(&p);
	is_str(WALK(&p, &r, IN(3, 0), 9, STACK + 48, STACK + 40, IN(4, 0), 9, IN(0, 0x30)),
	       "110 300 400! 30 root",
	       "neither a signal frame nor the pc that it interrupted is looked up as a return address");
	is_str(trail_text(), "28-38",
	       "trail: frames of a signal handler are left out, perhaps on another stack");
	cfi_free(p.cfi);
}

static void test_i386(void)
{
	static const uint32_t words[] = { 9, STACK + 16, JIT + 0x20, 9, 0, JIT + 0x30 };
	struct unwind_registers r = { 0 };
	struct program p = { 0 };

	unwind_set(&r, PC_REGISTER, JIT + 0x10);
	unwind_set(&r, unwind_i386.stack, STACK);
	unwind_set(&r, unwind_i386.frame, STACK + 4);
	is_str(walk(&p, &unwind_i386, &r, words, sizeof(words)), "300010 300020 300030 root",
	       "a 32-bit program is unwound by frame pointers");
}

/* As gcc writes it for  stp x29, x30, [sp, -32]!  with signed return addresses. */
static void test_aarch64(void)
{
	enum { X29 = 29, X30 = 30, SP = 31 };
	const uint64_t signature = UINT64_C(0x2a) << 48;
	const uint64_t words[] = {
		STACK + 32, IN(1, 0x20) | signature, 9, 9, 0, IN(0, 0x30), 9, 9
	};
	struct unwind_registers r = { 0 };
	struct program p = { .machine = EM_AARCH64 };

	put_usual_cie(&p);
	FUNCTION(&p, 0, DW_CFA_undefined, X30);
	FUNCTION(&p, 1, DW_CFA_advance_loc | 4, 0x2d, DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset,
		 32, DW_CFA_offset | X29, 4, DW_CFA_offset | X30, 3, DW_CFA_advance_loc | 0x30,
		 DW_CFA_restore | X30, DW_CFA_restore | X29, DW_CFA_def_cfa_offset, 0);
	FUNCTION(&p, 2, DW_CFA_nop);
	finish(&p);
	unwind_set(&r, SP, STACK);
	unwind_set(&r, X29, STACK);
	unwind_set(&r, X30, 0x99);
	unwind_set(&r, PC_REGISTER, IN(1, 0x10));
	is_str(walk(&p, &unwind_aarch64, &r, words, sizeof(words)), "110 120 30 root",
	       "aarch64: a return address on the stack loses its signature");
	unwind_set(&r, PC_REGISTER, IN(2, 0x10));
	unwind_set(&r, X30, IN(1, 0x20) | signature);
	is_str(walk(&p, &unwind_aarch64, &r, words, sizeof(words)), "210 120 120 30 root",
	       "aarch64: a leaf is unwound by the link register");
	unwind_set(&r, PC_REGISTER, IN(0x20, 0x10));
	is_str(walk(&p, &unwind_aarch64, &r, words, sizeof(words)), "2010 120 120 30 root",
	       "aarch64: a stub without rows is unwound by the link register");
	unwind_set(&r, PC_REGISTER, JIT + 0x10);
	is_str(walk(&p, &unwind_aarch64, &r, words, sizeof(words)), "300010 120 30 root",
	       "aarch64: code without rows is unwound by frame pointers");
	cfi_free(p.cfi);
}

/* This very program: its tables, its stack, and what the C library says of both. */

struct self {
	struct {
		uint64_t begin, end, offset;
		struct cfi *cfi;
	} map[64];
	size_t nr;
	size_t nr_found, nr_same;
	enum unwind_end end;
};

static void read_maps(struct self *s)
{
	FILE *f = fopen("/proc/self/maps", "re");
	struct image_opts o = { 0 };
	char line[1024];

	while (f && fgets(line, sizeof(line), f) && s->nr < 64) {
		unsigned long long begin, end, offset;
		char path[512] = "", access[8];

		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %511s", &begin, &end, access, &offset,
			   path) < 4 ||
		    access[2] != 'x')
			continue;
		s->map[s->nr].begin = begin;
		s->map[s->nr].end = end;
		s->map[s->nr].offset = offset;
		s->map[s->nr++].cfi = cfi_open(span_of(path), SPAN(""), &o);
	}
	if (f)
		fclose(f);
}

static bool find_self(void *arg, uint64_t pc, struct unwind_map *map)
{
	const struct self *s = arg;

	for (size_t i = 0; i < s->nr; i++)
		if (pc >= s->map[i].begin && pc < s->map[i].end) {
			*map = (struct unwind_map){ .begin = s->map[i].begin,
						    .end = s->map[i].end,
						    .offset = s->map[i].offset,
						    .cfi = s->map[i].cfi };
			return true;
		}
	return false;
}

#if defined(__x86_64__)
static struct unwind_registers own_registers(const ucontext_t *c)
{
	static const int from[] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				    REG_RBP, REG_RSP, REG_R8,  REG_R9,	REG_R10, REG_R11,
				    REG_R12, REG_R13, REG_R14, REG_R15 };
	struct unwind_registers r = { 0 };

	for (unsigned i = 0; i < 16; i++)
		unwind_set(&r, i, (uint64_t)c->uc_mcontext.gregs[from[i]]);
	unwind_set(&r, PC_REGISTER, (uint64_t)c->uc_mcontext.gregs[REG_RIP]);
	return r;
}
#define OWN_ARCH unwind_x86_64
#elif defined(__aarch64__)
static struct unwind_registers own_registers(const ucontext_t *c)
{
	struct unwind_registers r = { 0 };

	for (unsigned i = 0; i < 31; i++)
		unwind_set(&r, i, c->uc_mcontext.regs[i]);
	unwind_set(&r, 31, c->uc_mcontext.sp);
	unwind_set(&r, PC_REGISTER, c->uc_mcontext.pc);
	return r;
}
#define OWN_ARCH unwind_aarch64
#endif

#ifdef OWN_ARCH
/* Nothing of it may be kept in registers that a copy of the stack does not show. */
__attribute__((noinline)) static int look_around(const void *a, const void *b, void *arg)
{
	struct self *s = arg;
	struct unwinder *u = calloc(1, sizeof(*u));
	struct unwind_frame frame[64];
	struct unwind_registers r;
	struct unwind_stack stack;
	void *want[64];
	ucontext_t context;
	size_t nr;
	int nr_want, k = 0;

	(void)a;
	(void)b;
	getcontext(&context);
	nr_want = backtrace(want, 64);
	r = own_registers(&context);
	stack.begin = r.value[OWN_ARCH.stack];
	/* The environment is above all frames. */
	stack.bytes = (struct span){ .at = (const char *)(uintptr_t)stack.begin,
				     .size = (size_t)((uintptr_t)environ - stack.begin) };
	u->arch = &OWN_ARCH;
	u->find = find_self;
	u->arg = s;
	s->end = unwind(u, &r, &stack, frame, 64, &nr);
	free(u);
	s->nr_found = nr;
	s->nr_same = 0;
	/* Sanitizers put a function of theirs before this one. */
	while (k < nr_want && (uint64_t)(uintptr_t)want[k] != frame[1].pc)
		k++;
	for (size_t i = 1; i < nr && k < nr_want; i++)
		s->nr_same += frame[i].pc == (uint64_t)(uintptr_t)want[k++];
	return 0;
}

static void test_self(void)
{
	struct self s = { 0 };
	int pair[] = { 2, 1 };

	read_maps(&s);
	/* The C library stands in between, which was compiled without frame pointers. */
	qsort_r(pair, 2, sizeof(*pair), look_around, &s);
	is_int(s.end, UNWIND_ROOT, "this program's own stack is unwound up to the root");
	ok(s.nr_found > 4, "this program's own stack has more than 4 frames");
	is_int(s.nr_same, s.nr_found - 1,
	       "this program's own stack has the callers of backtrace()");
	for (size_t i = 0; i < s.nr; i++)
		cfi_free(s.map[i].cfi);
}
#else
static void test_self(void)
{
}
#endif

int main(void)
{
	test_x86_64();
	test_ends();
	test_blocked();
	test_frame_pointers();
	test_splice();
	test_edges();
	test_goroutine();
	test_trail();
	test_signal();
	test_i386();
	test_aarch64();
	test_self();
	return done();
}
