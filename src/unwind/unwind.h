/*
 * Registers and a stack copy → the addresses of all callers.
 *
 * From frame to frame, the first of these that applies is used:
 *
 *	the unwind row of .eh_frame or .debug_frame for the address (image/cfi/cfi.h)
 *	what the instructions there do to the stack (by_code.c)
 *	the frame pointer, if its value is plausible (frame_pointer.c)
 *
 * If a row needs the frame pointer and only the stack pointer is known, it is found from the code
 * or the stack (find_frame.c).  Where the copy ends, or the function has switched stacks, the
 * kernel's own call chain continues (splice.c).  Frames are never invented: the result says how
 * unwinding ended, and only a stack that ended at the root is complete.
 */
#ifndef WICK_UNWIND_UNWIND_H
#define WICK_UNWIND_UNWIND_H

#include "base/fields.h"
#include "image/cfi/cfi.h"

/* A machine.  Registers have its DWARF numbers. */
struct unwind_arch {
	const char *name;
	uint8_t nr_register;  /* number of DWARF register numbers */
	uint8_t stack, frame; /* the stack pointer and the frame pointer */
	uint8_t link; /* register in which a call leaves the return address; NO_LINK: on the stack */
	uint8_t word;	       /* bytes of an address */
	bool has_tables;       /* unwind rows are used; else there are only frame pointers */
	bool reads_code;       /* by_code.c supports its instructions */
	bool frame_ends;       /* a frame ends with its saved frame pointer and return address */
	uint64_t address_bits; /* of a return address: bits above may be a signature */
	const uint8_t *kernel; /* DWARF numbers by the kernel's (perf_regs), or NO_REGISTER */
	uint8_t nr_kernel;
};

enum { NO_LINK = UINT8_MAX, PC_REGISTER = CFI_REGISTERS - 1, NO_REGISTER = UINT8_MAX };

extern const struct unwind_arch unwind_x86_64, unwind_i386, unwind_aarch64;

struct unwind_registers {
	uint64_t value[CFI_REGISTERS]; /* the pc is PC_REGISTER */
	uint64_t known;		       /* a bit for each register whose value is known */
};

/* The stack copy of a sample. */
struct unwind_stack {
	uint64_t begin; /* its address: the stack pointer */
	struct span bytes;
	/*
	 * The kernel's call chain of the same sample: return addresses by frame pointers; may be
	 * empty.
	 */
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
	UNWIND_ROOT,	  /* there are no more callers */
	UNWIND_TRUNCATED, /* the stack copy ends before the stack does */
	UNWIND_NO_COPY,	  /* nothing was copied: there was no stack, as in the middle of an exec */
	UNWIND_NO_ROW,	  /* neither rows nor code nor frame pointers give the caller */
	UNWIND_BAD_PC,	  /* the return address is not in a mapping of code */
	UNWIND_LOOP,	  /* the caller's frame is not further up the stack */
	UNWIND_EDGE,	  /* the caller is on another stack, which was not copied */
	UNWIND_TOO_DEEP	  /* limit of frames reached */
};

struct unwind_frame {
	uint64_t pc;
	bool is_return; /* a return address; else the frame was interrupted there: leaf, or signal */
};

/*
 * Addresses, low <= a < high, that unwinding has proved to be of one stack: a range of its frames.
 */
struct unwind_piece {
	uint64_t low, high;
};

enum {
	UNWIND_PIECES = 8,
	/*
	 * A frame up to this size is all on one stack; a larger one may contain the stack of a
	 * fiber.
	 */
	UNWIND_FRAME_SMALL = 4096,
};

/*
 * What unwinding has proved about the stack on which it ended, for ingest/origins.h: ranges from
 * the leaf on, with a large frame between two of them.  Frames that were called before a signal, or
 * before a frame pointer that leads far away, may be on another stack, and are excluded.
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
	/* The mappings found last: `last` is the latest, `next` will be replaced next. */
	struct unwind_map map[UNWIND_MAPS];
	unsigned last, next;
	/* Results of the last call of unwind(): */
	uint64_t need; /* bytes of the stack from the leaf to where it ended */
	/* UNWIND_EDGE, UNWIND_TRUNCATED: the root, beyond unknown frames; 0: it is unknown, too. */
	uint64_t root;
	/*
	 * Empty, unless it ended where the copy does (UNWIND_TRUNCATED, without a known root), or at a
	 * root that a row proves.
	 */
	struct unwind_trail trail;
	/* A cache of rules, by a hash of the place. */
	struct unwind_row {
		struct cfi *cfi;
		uint32_t place, rule;
	} row[1 << UNWIND_ROW_BITS];
};

/* Clears the cached mappings: the next sample is of another process, or mappings have changed. */
void unwind_forget(struct unwinder *u);

/*
 * Fills up to max frames, from the leaf, and *nr.  The unwinder must be zeroed before its first
 * use; the caller sets its arch, find and arg.
 */
enum unwind_end unwind(struct unwinder *u, const struct unwind_registers *start,
		       const struct unwind_stack *stack, struct unwind_frame *frame, size_t max,
		       size_t *nr);

/* Shared by the files of this folder. */

struct unwind_walk {
	struct unwinder *u;
	const struct unwind_stack *stack;
	const struct unwind_registers *start; /* of the leaf */
	struct unwind_registers r;	      /* of the current frame */
	bool missed; /* unwinding needed a word beyond the end of the copy */
	bool linked; /* the last step was by a frame pointer */
	bool told;   /* … by an unwind row */
	bool trial;  /* tests a guess: makes no further guesses */
};

enum {
	/* No stack is larger: an address further up cannot be on it. */
	UNWIND_STACK_MAX = 1024 * 1024 * 1024,
};

/*
 * Loads a word of the stack; false if it was not copied: sets missed if the stack may be that
 * large.
 */
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

/* The mapping of an address, or NULL; usually that of the last one. */
const struct unwind_map *unwind_search_map(struct unwinder *u, uint64_t pc);
static inline const struct unwind_map *unwind_map(struct unwinder *u, uint64_t pc)
{
	const struct unwind_map *m = &u->map[u->last];

	return pc - m->begin < m->end - m->begin ? m : unwind_search_map(u, pc);
}

/* The rule of the row for an address, CFA_NONE if there is no row.  Valid until the next call. */
const struct cfi_rule *unwind_rule(struct unwinder *u, uint64_t pc, struct cfi **cfi);

/* The rule of a frame: for a return address, the rule of the call before it. */
const struct cfi_rule *unwind_frame_rule(struct unwinder *u, const struct unwind_frame *f,
					 struct cfi **cfi);

/* What the rule of a CFA_EDGE says about the caller. */
static inline enum cfi_edge unwind_edge(const struct cfi_rule *rule)
{
	return (enum cfi_edge)(rule->base & ~EDGE_BITS);
}

/* expression.c: runs a DWARF expression.  first, if not NULL, is on its stack at the start. */
bool unwind_expression(struct unwind_walk *w, struct span program, const uint64_t *first,
		       uint64_t *result);

/*
 * by_code.c: one step if there is no row, but a file with the code.  False: the code leads to no
 * possible caller, or to a word that was not copied (missed).
 */
bool unwind_by_code(struct unwind_walk *w, const struct unwind_frame *f, bool is_leaf,
		    bool *is_signal);

/* unwind.c: one step by a rule; false if the caller is unknown, or not further up the stack. */
bool unwind_step(struct unwind_walk *w, const struct cfi *cfi, const struct cfi_rule *rule,
		 bool is_leaf);

/* frame_pointer.c: one step if there is no row, and the code is inconclusive. */
enum unwind_guess { GUESS_STEPPED, GUESS_ROOT, GUESS_FAILED };
enum unwind_guess unwind_guess(struct unwind_walk *w, bool is_leaf);

/*
 * find_frame.c: sets the frame pointer if a row needs it and it is unknown, as for a blocked
 * thread.  False: it cannot be found with certainty.
 */
bool unwind_find_frame(struct unwind_walk *w, const struct unwind_frame *f, bool is_leaf);

/* unwind.c: from a frame that is not a leaf to its caller; false: *end says how unwinding ends. */
bool unwind_next(struct unwind_walk *w, struct unwind_frame *f, enum unwind_end *end);

/* by_code.c: is the pc after a call that may have called the function at `start` of that file? */
bool unwind_is_called(struct unwind_walk *w, const struct cfi *from, uint64_t start);

/*
 * splice.c: continues with the kernel's call chain where the copy ended, or at the edge of a stack;
 * returns the new end.
 */
enum unwind_end unwind_splice(struct unwind_walk *w, enum unwind_end end,
			      struct unwind_frame *frame, size_t max, size_t *nr);

#endif
