/*
 * How to get from a function to its caller, for every place in a file: what
 * .eh_frame and .debug_frame come to when all their programs are run once.
 *
 * A place is an offset in the file, as a recording of its mappings has it.
 * Programs repeat the same few rules all the time, so a row is a place and the
 * number of a rule: eight bytes, and rules can say all that the format can.
 * Registers have the numbers that DWARF gives them on the machine.
 *
 * Most of a large program is never seen on a stack: where the linker left an
 * index of its ranges, the rows of one are made when it is first asked for.  So
 * looking up changes the table, which belongs to one thread.
 *
 * Code that is made at run time has its rows in a dump, and a place is one in that dump (jitdump.h): the table grows.
 */
#ifndef WICK_IMAGE_CFI_H
#define WICK_IMAGE_CFI_H

#include "base/intern.h"
#include "image/image.h"

/* Where the caller's stack pointer was before the call: the CFA, in DWARF's words. */
enum cfi_cfa {
	CFA_NONE,	/* nobody knows */
	CFA_ROOT,	/* nobody called this */
	CFA_PLAIN,	/* base + offset, and all that is saved is stored below it: most are so */
	CFA_REGISTER,	/* base + offset */
	CFA_MEMORY,	/* what is stored at base + offset */
	CFA_PLT,	/* base + offset, and a word more from that byte of a stub on */
	CFA_EXPRESSION, /* the expression of that number (offset) */
};

/* What a register of the caller was. */
enum cfi_save {
	SAVE_AT_CFA,	    /* stored at CFA + value */
	SAVE_AT_REGISTER,   /* stored at base + value */
	SAVE_AT_EXPRESSION, /* stored where the expression of that number says */
	SAVE_IS_CFA,	    /* CFA + value */
	SAVE_IS_REGISTER,   /* what base is now */
	SAVE_IS_EXPRESSION,
	SAVE_LOST, /* it was not kept */
};

struct cfi_saved {
	uint8_t reg, how, base, unused;
	int32_t value;
};

/* A register that is not among the saved ones has kept its value. */
struct cfi_rule {
	uint8_t cfa, base;
	uint8_t nr_saved:7;
	uint8_t is_signal:1; /* what was called, to end it, is somebody who was interrupted */
	union {
		uint8_t plt_from; /* see CFA_PLT */
		uint8_t words;	  /* CFA_PLAIN: so many below the CFA hold all that is saved */
	};
	int32_t offset;
	struct cfi_saved saved[]; /* the return address first, if it is among them */
};

enum {
	/* Those that can lead to a caller: others (vectors, flags) are left out. */
	CFI_REGISTERS = 33,
};

struct cfi_row {
	uint32_t place, rule; /* where in the file it begins, and where in the pool its rule is */
};

/* Rules, each kept once, and the bytes of their expressions by number. */
struct cfi_rules {
	char *pool; /* the first one is CFA_NONE */
	size_t size, cap;
	uint32_t *slot; /* where they are, by content; 0: empty */
	size_t nr_slot, nr;
	struct intern expressions;
};

struct cfi {
	struct cfi_row *row; /* by place */
	size_t nr;
	uint32_t *first; /* for each 2^shift bytes of the file: the row that they begin in */
	unsigned shift;
	size_t nr_first;
	struct cfi_rules rules;
	struct cfi_lazy *lazy;	 /* ranges whose rows are made later, or NULL */
	struct cfi_grown *grown; /* all there is of a table that grows, or NULL */
	struct cfi_text *text;	 /* the code itself, for places without a row, or NULL */
	uint8_t return_register;
	/* How many ranges were read, how many of them make no sense, and why the first does not. */
	size_t nr_read, nr_bad;
	char why[128];
};

/*
 * The rows of a file, opened as image_open() does; NULL when there are none.
 * What cannot be read of them is left out, and counted.
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

/* Where in the pool the rule for a place is; 0, which is CFA_NONE, where there is no row. */
uint32_t cfi_find(struct cfi *c, uint64_t place);

/*
 * The same for a place without a row, as its code has it: where it goes on, not where it called.  The first try looks
 * for how the function returns, the others for what it has done since it began: *start, if that is known.  What comes of
 * it has to be looked at: a function that is called may not return.
 */
enum { CFI_TRIES = 5 };
uint32_t cfi_find_by_code(struct cfi *c, uint64_t place, unsigned try, uint64_t *start);

/*
 * Could the function that starts there (0: any) have been called from before the place?  Yes where there is no code to
 * be seen.
 */
bool cfi_is_returned_to(struct cfi *c, uint64_t place, uint64_t start);

/* Does the file itself tell of its frames? */
static inline bool cfi_has_rows(const struct cfi *c)
{
	return c->nr_read || c->lazy || c->grown;
}

#endif
