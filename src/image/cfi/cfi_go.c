/*
 * Facts about Go programs that their unwind rows lack.  Go's runtime has stacks of its own:
 * assembly functions switch to them and back, but their rows ignore that.  The caller of such a
 * function is on the goroutine's stack.  The frame pointer leads there, since each function with a
 * frame has one.
 */
#include "base/alloc.h"
#include "image/cfi/cfi_build.h"
#include "image/image_internal.h"

enum {
	DWARF_SP = 7,
	WORD = 8,
	/*
	 * Each of these functions exists once or twice, and is short; a malicious file may have any
	 * number of any size.
	 */
	RANGES_MAX = 64,
	EDGE_SIZE_MAX = 4096,
};

static const struct {
	const char *name;
	enum cfi_edge edge;
	bool whole;	/* from its first byte on, not only from the switch of stacks on */
	bool goroutine; /* it only leaves goroutines' stacks: certain up to its next call */
} edges[] = {
	{ "runtime.systemstack", EDGE_CALLER_WAITS, false, true },
	{ "runtime.asmcgocall", EDGE_CALLER_WAITS, false, true },
	{ "runtime.morestack", EDGE_CALLER_WAITS, false, true },
	{ "runtime.gogo", EDGE_CALLER_WAITS, false, false },
	/* These call the vDSO. */
	{ "runtime.nanotime1", EDGE_CALLER_WAITS, false, false },
	{ "runtime.walltime", EDGE_CALLER_WAITS, false, false },
	{ "time.now", EDGE_CALLER_WAITS, false, false },
	{ "runtime.mcall", EDGE_CALLER_RUNS, false, false },
	/* Only the new thread runs its second half. */
	{ "runtime.clone", EDGE_TOP, false, false },
	{ "runtime.goexit", EDGE_TOP, true, false },
	{ "runtime.rt0_go", EDGE_TOP, true, false },
};

static void add_row(struct cfi_builder *b, struct cfi_range *range, uint64_t place,
		    const struct cfi_state *s)
{
	GROW(b->row, b->nr_row, b->cap_row);
	b->row[b->nr_row++] = (struct cfi_row){
		.place = (uint32_t)place,
		.rule = cfi_intern_rule(b, s, b->machine->return_register, false),
	};
	range->nr_row++;
}

/* A rule for the first byte of a function: nothing was pushed after the return address. */
static void add_planted(struct cfi_builder *b, struct cfi_range *range)
{
	uint8_t reg = b->machine->return_register;
	struct cfi_state s = { .cfa = CFA_REGISTER,
			       .base = DWARF_SP,
			       .offset = WORD,
			       .is_planted = true,
			       .saved = UINT64_C(1) << reg };

	s.reg[reg] = (struct cfi_saved){ .reg = reg, .how = SAVE_AT_CFA, .value = -WORD };
	add_row(b, range, range->begin, &s);
}

static void add_edge(struct cfi_builder *b, struct cfi_range *range, size_t which)
{
	struct cfi_state s = { .cfa = CFA_EDGE,
			       .base = (uint8_t)edges[which].edge,
			       .offset = (int32_t)range->begin };
	uint64_t from = range->begin, behind = 0;
	bool has_frame = false;

	/* A wrapper of the same name, for another calling convention, does not switch stacks. */
	if (!edges[which].whole && b->cfi->text) {
		from = cfi_find_switch(b->cfi, range->begin, range->end, &has_frame);
		if (!from || from >= range->end)
			return;
		if (edges[which].goroutine)
			behind = cfi_find_call(b->cfi, from, range->end);
	}
	s.base |= has_frame ? EDGE_HAS_FRAME : 0;
	range->begin = (uint32_t)from;
	range->over = true;
	if (behind) {
		s.base |= EDGE_GOROUTINE;
		add_row(b, range, from, &s);
		s.base &= (uint8_t)~EDGE_GOROUTINE;
		from = behind;
	}
	if (from < range->end)
		add_row(b, range, from, &s);
}

/*
 * Is it a function of the runtime?  These run on threads' stacks, too, and so do the packages that
 * the runtime imports.  The linker puts those before the runtime, and all others after it.
 */
static bool is_of_runtime(struct span name)
{
	return span_starts(name, "runtime.") || span_starts(name, "runtime/internal/");
}

/* A go_function. */
static void add_function(void *arg, const struct symbol *s, struct span name)
{
	struct cfi_builder *b = arg;
	struct cfi *c = b->cfi;
	struct cfi_range range = { .first_row = (uint32_t)b->nr_row };

	if (!cfi_find_code(b, s->begin, s->end - s->begin, &range))
		return;
	if (!c->linked_end || range.begin < c->linked_begin)
		c->linked_begin = range.begin;
	if (range.end > c->linked_end)
		c->linked_end = range.end;
	if (is_of_runtime(name) && range.end > c->goroutine_begin)
		c->goroutine_begin = range.end;
	/*
	 * Goroutines return to goexit + 1: its first instruction is a nop, so that the byte before
	 * the return address is in goexit, too.
	 */
	if (span_is(name, "runtime.goexit") && b->machine->elf == EM_X86_64)
		c->goexit = range.begin + 1;
	if (b->nr_range == RANGES_MAX || range.end - range.begin > EDGE_SIZE_MAX)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(edges); i++)
		if (span_is(name, edges[i].name))
			add_edge(b, &range, i);
	/*
	 * The runtime puts its address on the stack of a goroutine that waits for a callback from
	 * C, as if the caller of C had called it.
	 */
	if (span_is(name, "runtime.systemstack_switch") && b->machine->elf == EM_X86_64)
		add_planted(b, &range);
	if (!range.nr_row)
		return;
	GROW(b->range, b->nr_range, b->cap_range);
	b->range[b->nr_range++] = range;
}

void cfi_add_go(struct cfi_builder *b, Elf *elf)
{
	go_functions(elf, add_function, b);
}
