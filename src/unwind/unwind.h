/*
 * Registers and a copy of the stack → the addresses of all callers.
 *
 * What is not known is not made up: a walk says how it ended, and only one
 * that ended at the root has the whole stack.
 */
#ifndef WICK_UNWIND_UNWIND_H
#define WICK_UNWIND_UNWIND_H

#include "base/fields.h"
#include "image/cfi.h"

/* Whose registers; the numbers of registers are DWARF's. */
struct unwind_arch {
	const char *name;
	uint8_t nr_register;
	uint8_t stack, frame;
	uint8_t link;	       /* where calls leave the return address; NO_LINK: on the stack */
	uint8_t word;	       /* bytes of an address */
	bool has_tables;       /* else there are only frame pointers */
	bool reads_code;       /* files without tables are followed by their code */
	bool frame_ends;       /* behind what a frame pointer points to is the caller's frame */
	uint64_t address_bits; /* of a return address, which may be signed above them */
	const uint8_t
		*kernel; /* by the kernel's number of a register: which one it is, or NO_REGISTER */
	uint8_t nr_kernel;
};

enum { NO_LINK = UINT8_MAX, PC_REGISTER = CFI_REGISTERS - 1, NO_REGISTER = UINT8_MAX };

extern const struct unwind_arch unwind_x86_64, unwind_i386, unwind_aarch64;

struct unwind_registers {
	uint64_t value[CFI_REGISTERS];
	uint64_t known; /* a bit for each that is; the pc's is PC_REGISTER */
};

/* What was copied of the stack, from where the stack pointer was. */
struct unwind_stack {
	uint64_t begin;
	struct span bytes;
	/* Return addresses that the kernel found by frame pointers, at the same moment; may be none. */
	const uint64_t *chain;
	size_t nr_chain;
};

/* A piece of the address space. */
struct unwind_map {
	uint64_t begin, end;
	uint64_t offset; /* in the file, of begin */
	struct cfi *cfi; /* NULL: the file has none, or there is no file */
};

/* What is at the address; false: nothing that could be run. */
typedef bool unwind_find(void *arg, uint64_t pc, struct unwind_map *map);

enum unwind_end {
	UNWIND_ROOT,	/* there is no caller any more */
	UNWIND_CUT,	/* the copy of the stack ends before the stack does */
	UNWIND_NO_COPY, /* nothing was copied: there was no stack, as in the middle of an exec */
	UNWIND_NO_ROW,	/* nobody knows how to go on from here */
	UNWIND_BAD_PC,	/* the next address is not one of code */
	UNWIND_LOOP,	/* it does not get nearer to the root */
	UNWIND_TOO_DEEP /* there was no more room */
};

struct unwind_frame {
	uint64_t pc;
	bool is_return; /* a call's return address; else it was interrupted there */
};

/*
 * Bytes that a walk has proved to be of one stack: what is at `low`, and everything up to `high`, where
 * the last frame's caller begins.
 */
struct unwind_piece {
	uint64_t low, high;
};

enum {
	UNWIND_PIECES = 8,
	/* A larger frame may have another stack inside; none fits into a smaller one. */
	UNWIND_FRAME_SMALL = 4096,
};

/*
 * The pieces of the stack on which a walk ended, from the leaf: between two of them is a large frame.  What
 * is in front of a signal, or of a frame pointer that points far away, was maybe on another stack.
 */
struct unwind_trail {
	struct unwind_piece piece[UNWIND_PIECES];
	size_t nr;
};

enum { UNWIND_MAPS = 4, UNWIND_ROW_BITS = 14 };

struct unwinder {
	const struct unwind_arch *arch;
	unwind_find *find;
	void *arg;
	/* Where walks have just been: last is the latest, next the one to be forgotten. */
	struct unwind_map map[UNWIND_MAPS];
	unsigned last, next;
	uint64_t need; /* of the last walk: bytes of the stack from its leaf to where it ended */
	struct unwind_trail
		trail; /* of the last walk, if that came to a root that says so, or to the end of the copy */
	/* Rules that were found before, by place. */
	struct unwind_row {
		struct cfi *cfi;
		uint32_t place, rule;
	} row[1 << UNWIND_ROW_BITS];
};

/* Mappings are remembered from walk to walk: this is another process, or it has mapped something. */
void unwind_forget(struct unwinder *u);

/* The unwinder has to be zeroed; its arch, find and arg are set by the caller. */
enum unwind_end unwind(struct unwinder *u, const struct unwind_registers *start,
		       const struct unwind_stack *stack, struct unwind_frame *frame, size_t max,
		       size_t *nr);

/* What the parts below share. */

struct unwind_walk {
	struct unwinder *u;
	const struct unwind_stack *stack;
	const struct unwind_registers *start;
	struct unwind_registers r;
	bool missed; /* something is behind the end of the copy */
	bool framed; /* the frame pointer is one: who had it before had it from code that has no rows */
};

enum {
	/* No stack is larger: what is further away was never an address of it. */
	UNWIND_STACK_MAX = 1024 * 1024 * 1024,
};

/* One word of the stack; false when it was not copied. */
static inline bool unwind_load(struct unwind_walk *w, uint64_t address, uint64_t *value)
{
	const struct unwind_stack *s = w->stack;
	uint64_t at = address - s->begin;
	uint8_t word = w->u->arch->word;

	if (s->bytes.size >= word && at <= s->bytes.size - word) {
		*value = word == 8 ? load_u64(s->bytes.at + at, ORDER_LITTLE)
				   : load_u32(s->bytes.at + at, ORDER_LITTLE);
		return true;
	}
	/* Copies also end at a page that was never touched: how much was asked for says nothing. */
	w->missed |= at < UNWIND_STACK_MAX;
	return false;
}

static inline bool unwind_known(const struct unwind_registers *r, unsigned reg)
{
	return r->known >> reg & 1;
}

static inline void unwind_set(struct unwind_registers *r, unsigned reg, uint64_t value)
{
	r->value[reg] = value;
	r->known |= UINT64_C(1) << reg;
}

/* The map of an address, remembered. */
const struct unwind_map *unwind_search_map(struct unwinder *u, uint64_t pc);
static inline const struct unwind_map *unwind_map(struct unwinder *u, uint64_t pc)
{
	const struct unwind_map *m = &u->map[u->last];

	return pc - m->begin < m->end - m->begin ? m : unwind_search_map(u, pc);
}

/* The rule for an address; CFA_NONE where there is none.  Valid until the next one is looked for. */
const struct cfi_rule *unwind_rule(struct unwinder *u, uint64_t pc, struct cfi **cfi);

/* The rule of a frame, which for a caller is that of its call. */
const struct cfi_rule *unwind_frame_rule(struct unwinder *u, const struct unwind_frame *f,
					 struct cfi **cfi);

/* expression.c: bytes of DWARF; first is what the stack holds at the start, if it is not NULL. */
bool unwind_expression(struct unwind_walk *w, struct span program, const uint64_t *first,
		       uint64_t *result);

/*
 * by_code.c: one step where there is no row but code to be read; false: it tells nothing that fits.  Then the copy
 * may have ended too soon (missed).
 */
bool unwind_by_code(struct unwind_walk *w, const struct unwind_frame *f, bool is_leaf,
		    bool *is_signal);

/* One step by a rule; false when the caller's address is not known, or further down. */
bool unwind_step(struct unwind_walk *w, const struct cfi *cfi, const struct cfi_rule *rule,
		 bool is_leaf);

/* frame_pointer.c: one step where there is no row. */
enum unwind_guess { GUESS_STEPPED, GUESS_ROOT, GUESS_FAILED };
enum unwind_guess unwind_guess(struct unwind_walk *w, bool is_leaf);

/* splice.c: what the kernel's chain knows of a walk that came to the end of the copy. */
enum unwind_end unwind_splice(struct unwind_walk *w, enum unwind_end end,
			      struct unwind_frame *frame, size_t max, size_t *nr);

#endif
