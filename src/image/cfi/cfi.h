/*
 * Call frame information: the unwind rows of a file, which say how to get from any place in it to
 * the caller.  They are the result of running each program in .eh_frame and .debug_frame once.
 *
 * A place is an offset in the file, as in recorded mappings.  Few rules are distinct, so each is
 * stored once, and a row is a place and the offset of a rule: eight bytes.  Registers have DWARF's
 * numbers.
 *
 * Most functions of a large program never appear on a stack.  If the linker wrote an index
 * (.eh_frame_hdr), the rows of a function are built when it is first looked up.  So lookups change
 * the table: it must not be shared between threads.
 *
 * The rows of JIT-compiled code come from a jitdump, whose offsets are then the places (jitdump.h).
 * Such a table grows.
 */
#ifndef WICK_IMAGE_CFI_CFI_H
#define WICK_IMAGE_CFI_CFI_H

#include "base/intern.h"
#include "image/image.h"

/* Where the caller's stack pointer was before the call: the CFA, in DWARF's words. */
enum cfi_cfa {
	CFA_NONE,	/* unknown: there is no row */
	CFA_ROOT,	/* there is no caller: the stack ends here */
	CFA_PLAIN,	/* CFA_REGISTER, with all saved registers right below it: the usual case */
	CFA_REGISTER,	/* base + offset */
	CFA_MEMORY,	/* what is stored at base + offset */
	CFA_PLT,	/* base + offset; in a PLT stub, from its byte plt_from on, 8 more */
	CFA_EXPRESSION, /* of a DWARF expression, whose number is in offset */
	CFA_EDGE,	/* the stack ends here; the caller may be on another: see cfi_edge */
};

/*
 * Where the caller of a function that switches stacks is.  It is stored in the base of the
 * function's rule; the rule's offset is the place where the function begins.  The new stack has no
 * return address to the caller, only leftovers of earlier calls: only frame pointers lead to the
 * caller.
 */
enum cfi_edge {
	EDGE_TOP,	    /* it has no caller */
	EDGE_CALLER_WAITS,  /* its caller's stack does not change until it returns */
	EDGE_CALLER_RUNS,   /* … or another thread may run on that meanwhile */
	EDGE_HAS_FRAME = 4, /* a bit: the frame pointer is its own, else its caller's */
	EDGE_GOROUTINE = 8, /* a bit: the caller's stack is certainly a goroutine's */
	EDGE_BITS = EDGE_HAS_FRAME | EDGE_GOROUTINE
};

/* Where the value is that a register had in the caller. */
enum cfi_save {
	SAVE_AT_CFA,	    /* stored at CFA + value */
	SAVE_AT_REGISTER,   /* stored at base + value */
	SAVE_AT_EXPRESSION, /* stored at the address that expression `value` computes */
	SAVE_IS_CFA,	    /* it is CFA + value */
	SAVE_IS_REGISTER,   /* it is in the register base */
	SAVE_IS_EXPRESSION, /* it is what expression `value` computes */
	SAVE_LOST,	    /* overwritten */
};

struct cfi_saved {
	uint8_t reg, how, base, unused;
	int32_t value;
};

/* Registers that are not among the saved ones still have the caller's value. */
struct cfi_rule {
	uint8_t cfa, base;
	uint8_t nr_saved:6;
	uint8_t is_signal:1;  /* signal trampoline: its "caller" was interrupted, not calling */
	uint8_t is_planted:1; /* never called: its first byte is put on stacks as a return address */
	union {
		uint8_t plt_from; /* see CFA_PLT */
		uint8_t words; /* CFA_PLAIN: this many words below the CFA hold all saved registers */
	};
	int32_t offset;
	struct cfi_saved saved[]; /* the return address first, if it is among them */
};

enum {
	/*
	 * General registers and the return address; unwinding needs no vector and flag registers.
	 */
	CFI_REGISTERS = 33,
};

struct cfi_row {
	uint32_t place; /* the row is valid from here to the next row */
	uint32_t rule;	/* offset of its rule in the pool */
};

/* Rules, each stored once, and the bytes of their expressions by number. */
struct cfi_rules {
	char *pool;	  /* rules one after the other; that at 0 is CFA_NONE */
	size_t size, cap; /* bytes */
	uint32_t *slot;	  /* a hash table of their offsets, by content; 0: empty */
	size_t nr_slot, nr;
	struct intern expressions;
};

struct cfi {
	struct cfi_row *row; /* by place */
	size_t nr;
	uint32_t *first; /* for each 2^shift bytes of the file: the row of their first byte */
	unsigned shift;
	size_t nr_first;
	struct cfi_rules rules;
	struct cfi_lazy *lazy;	 /* functions whose rows are built on demand, or NULL */
	struct cfi_grown *grown; /* the rows of a jitdump, instead of all others, or NULL */
	struct cfi_text *text;	 /* the machine code, for places without a row, or NULL */
	/* Range of places where every function with a frame has a frame pointer. */
	uint32_t linked_begin, linked_end;
	/* The place that the first function of each goroutine returns to; 0: none. */
	uint32_t goexit;
	/* From here to linked_end, functions only run on goroutines' stacks; 0: none is known to. */
	uint32_t goroutine_begin;
	uint8_t return_register;
	size_t nr_read; /* FDEs so far */
	size_t nr_bad;	/* … and the number of malformed ones */
	char why[128];	/* the error in the first of these */
};

/*
 * The unwind rows of a file, which is found as by image_open(); NULL if there are none.  Malformed
 * entries are skipped and counted.
 */
struct cfi *cfi_open(struct span path, struct span build_id, const struct image_opts *o);
void cfi_free(struct cfi *c);

/* Valid until the next cfi_find(). */
static inline const struct cfi_rule *cfi_rule_at(const struct cfi *c, uint32_t at)
{
	return (const void *)(c->rules.pool + at);
}

static inline struct span cfi_expression(const struct cfi *c, int32_t number)
{
	return intern_peek(&c->rules.expressions, (uint32_t)number);
}

/* The rule at a place, for cfi_rule_at(); 0, which is CFA_NONE, where there is no row. */
uint32_t cfi_find(struct cfi *c, uint64_t place);

/*
 * The same for a place without a row, from the machine code.  The place is where execution
 * continues: for a caller, that is its return address, not the call before it.  Try 0 follows the
 * code to where the function returns; tries 1 to 4 follow it from places where the function may
 * begin, and set *start to them (else 0).  A rule is only a guess, as the search may have passed a
 * call that never returns: check it with cfi_is_returned_to().
 */
enum { CFI_TRIES = 5 };
uint32_t cfi_find_by_code(struct cfi *c, uint64_t place, unsigned try, uint64_t *start);

/*
 * The frame of a function that has set its frame pointer, derived from its code up to the place
 * where execution continues: bytes from the stack pointer there.  False if the code is
 * inconclusive.
 */
struct code_frame {
	int64_t frame; /* to what the frame pointer points to */
	int64_t cfa;   /* to the CFA */
	bool is_bound; /* both are lower bounds: alloca() has moved the stack pointer */
};
enum code_reached { REACHED_BY_RETURN, REACHED_OTHERWISE };
bool cfi_frame_by_code(struct cfi *c, uint64_t place, enum code_reached how, struct code_frame *f);

/* The place where the function of a place begins; 0: the file has no index of functions. */
uint64_t cfi_function_start(const struct cfi *c, uint64_t place);

/*
 * Is there a call instruction before the place, and could it have called the function at `start`
 * (0: any function)?  True if there is no code to check.
 */
bool cfi_is_returned_to(struct cfi *c, uint64_t place, uint64_t start);

/*
 * Is the place right after the system call that creates a thread, from which both threads return?
 * In the new thread, that call returns 0, and the stack is still empty.
 */
bool cfi_is_birth(struct cfi *c, uint64_t place);

/* The function called by the instruction before the place; 0: unknown. */
uint64_t cfi_called(struct cfi *c, uint64_t place);

/* Is that a PLT stub, which jumps to a function of any file? */
bool cfi_is_stub(struct cfi *c, uint64_t place);

/*
 * The number of calls of `target` in the function at `start`, and the place after the first of
 * them.
 */
unsigned cfi_calls(struct cfi *c, uint64_t start, uint64_t target, uint64_t *behind);

/* Does the function there only run on goroutines' stacks? */
static inline bool cfi_is_goroutine(const struct cfi *c, uint64_t place)
{
	return c->goroutine_begin && place >= c->goroutine_begin && place < c->linked_end;
}

/* Does every function there that has a frame also have a frame pointer? */
static inline bool cfi_is_linked(const struct cfi *c, uint64_t place)
{
	return place - c->linked_begin < c->linked_end - c->linked_begin;
}

/* Does the file have unwind rows, not only code? */
static inline bool cfi_has_rows(const struct cfi *c)
{
	return c->nr_read || c->lazy || c->grown;
}

#endif
