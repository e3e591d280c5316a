/*
 * Registers and a copy of the stack → the addresses of all callers.
 *
 * From frame to frame, the first of these that knows the way is taken:
 *
 *	the row of .eh_frame or .debug_frame for the address (image/cfi.h)
 *	what the instructions there do to the stack (by_code.c)
 *	the frame pointer, if what it says is possible (frame_pointer.c)
 *
 * and where the copy ends, the kernel's own call chain (splice.c).  What is not
 * known is not made up: a walk says how it ended, and only one that ended at the
 * root has the whole stack.
 */
#ifndef WICK_UNWIND_UNWIND_H
#define WICK_UNWIND_UNWIND_H

#include "base/fields.h"
#include "image/cfi.h"

/* A machine.  Registers have the numbers that DWARF gives them there. */
struct unwind_arch {
	const char *name;
	uint8_t nr_register;   /* how many DWARF numbers there are */
	uint8_t stack, frame;  /* the stack pointer and the frame pointer */
	uint8_t link;	       /* where a call leaves the return address; NO_LINK: on the stack */
	uint8_t word;	       /* bytes of an address */
	bool has_tables;       /* unwind rows are used; else there are only frame pointers */
	bool reads_code;       /* by_code.c knows its instructions */
	bool frame_ends;       /* a frame ends with its saved frame pointer and return address */
	uint64_t address_bits; /* of a return address: those above may be a signature */
	const uint8_t *kernel; /* by the kernel's perf_regs number: DWARF's, or NO_REGISTER */
	uint8_t nr_kernel;
};

enum { NO_LINK = UINT8_MAX, PC_REGISTER = CFI_REGISTERS - 1, NO_REGISTER = UINT8_MAX };

extern const struct unwind_arch unwind_x86_64, unwind_i386, unwind_aarch64;

struct unwind_registers {
	uint64_t value[CFI_REGISTERS]; /* the pc is PC_REGISTER */
	uint64_t known;		       /* a bit for each register whose value is known */
};

/* The copy of the stack that came with a sample. */
struct unwind_stack {
	uint64_t begin; /* its address: the stack pointer */
	struct span bytes;
	/* The kernel's call chain of the same sample: return addresses by frame pointers; may be none. */
	const uint64_t *chain;
	size_t nr_chain;
};

/* A mapping of code. */
struct unwind_map {
	uint64_t begin, end;
	uint64_t offset; /* in the file, of begin */
	struct cfi *cfi; /* rows, and code to read; NULL: there is no file, or it has neither */
};

/* Finds the mapping of an address; false: there is no code. */
typedef bool unwind_find(void *arg, uint64_t pc, struct unwind_map *map);

enum unwind_end {
	UNWIND_ROOT,	/* there is no caller any more */
	UNWIND_CUT,	/* the copy of the stack ends before the stack does */
	UNWIND_NO_COPY, /* nothing was copied: there was no stack, as in the middle of an exec */
	UNWIND_NO_ROW,	/* neither rows nor code nor frame pointers know how to go on */
	UNWIND_BAD_PC,	/* the return address is not in a mapping of code */
	UNWIND_LOOP,	/* the caller's frame is not further up the stack */
	UNWIND_TOO_DEEP /* there was no more room for frames */
};

struct unwind_frame {
	uint64_t pc;
	bool is_return; /* a return address; else the frame was interrupted there: leaf, or signal */
};

/* Addresses, low <= a < high, that a walk has proved to be of one stack: a row of its frames. */
struct unwind_piece {
	uint64_t low, high;
};

enum {
	UNWIND_PIECES = 8,
	/* A frame up to this size is all of one stack; a larger one may hold the stack of a fiber. */
	UNWIND_FRAME_SMALL = 4096,
};

/*
 * What a walk has proved about the stack on which it ended, for ingest/origins.h: pieces from the
 * leaf on, with a large frame between two of them.  Frames that were called before a signal, or
 * before a frame pointer that leads far away, may have been on another stack, and are left out.
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
	/* The mappings that were found last: `last` is the latest, `next` will be replaced next. */
	struct unwind_map map[UNWIND_MAPS];
	unsigned last, next;
	/* Of the last walk: */
	uint64_t need; /* bytes of the stack from the leaf to where it ended */
	/* Empty, unless it ended where the copy does (UNWIND_CUT), or at a root that a row proves. */
	struct unwind_trail trail;
	/* A cache of rules, by a hash of the place. */
	struct unwind_row {
		struct cfi *cfi;
		uint32_t place, rule;
	} row[1 << UNWIND_ROW_BITS];
};

/* Forgets the mappings: the next walk is of another process, or it has mapped something. */
void unwind_forget(struct unwinder *u);

/*
 * Fills up to max frames, from the leaf, and *nr.  The unwinder has to be zeroed before its first
 * walk; its arch, find and arg are set by the caller.
 */
enum unwind_end unwind(struct unwinder *u, const struct unwind_registers *start,
		       const struct unwind_stack *stack, struct unwind_frame *frame, size_t max,
		       size_t *nr);

/* What the parts below share. */

struct unwind_walk {
	struct unwinder *u;
	const struct unwind_stack *stack;
	const struct unwind_registers *start; /* of the leaf */
	struct unwind_registers r;	      /* of the frame where the walk is now */
	bool missed; /* a word of the stack was wanted that is behind the end of the copy */
	bool linked; /* the last step was by a frame pointer */
};

enum {
	/* No stack is larger: an address that is further up was never one of it. */
	UNWIND_STACK_MAX = 1024 * 1024 * 1024,
};

/* Loads a word of the stack; false, and maybe missed, when it was not copied. */
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
	/* Even if the copy is not full: the kernel stops at a page that was never touched. */
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

/* The mapping of an address, or NULL; mostly that of the last one. */
const struct unwind_map *unwind_search_map(struct unwinder *u, uint64_t pc);
static inline const struct unwind_map *unwind_map(struct unwinder *u, uint64_t pc)
{
	const struct unwind_map *m = &u->map[u->last];

	return pc - m->begin < m->end - m->begin ? m : unwind_search_map(u, pc);
}

/* The rule of the row for an address, CFA_NONE if there is no row.  Good until the next call. */
const struct cfi_rule *unwind_rule(struct unwinder *u, uint64_t pc, struct cfi **cfi);

/* The rule of a frame: for a return address, the rule of the call in front of it. */
const struct cfi_rule *unwind_frame_rule(struct unwinder *u, const struct unwind_frame *f,
					 struct cfi **cfi);

/* expression.c: runs a DWARF expression.  first, if not NULL, is on its stack at the start. */
bool unwind_expression(struct unwind_walk *w, struct span program, const uint64_t *first,
		       uint64_t *result);

/*
 * by_code.c: one step where there is no row, but a file with the code.  False: the code leads to no
 * possible caller, or to a word that was not copied (missed).
 */
bool unwind_by_code(struct unwind_walk *w, const struct unwind_frame *f, bool is_leaf,
		    bool *is_signal);

/* unwind.c: one step by a rule; false when the caller is not known, or not further up the stack. */
bool unwind_step(struct unwind_walk *w, const struct cfi *cfi, const struct cfi_rule *rule,
		 bool is_leaf);

/* frame_pointer.c: one step where there is no row, and code tells nothing. */
enum unwind_guess { GUESS_STEPPED, GUESS_ROOT, GUESS_FAILED };
enum unwind_guess unwind_guess(struct unwind_walk *w, bool is_leaf);

/* splice.c: goes on by the kernel's call chain where the copy has ended; returns the new end. */
enum unwind_end unwind_splice(struct unwind_walk *w, enum unwind_end end,
			      struct unwind_frame *frame, size_t max, size_t *nr);

#endif
