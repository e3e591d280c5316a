/*
 * Builds unwind rows from .eh_frame and .debug_frame: cfi_parse.c parses their entries (CIEs and
 * FDEs), cfi_program.c runs the programs in them.
 */
#ifndef WICK_IMAGE_CFI_CFI_BUILD_H
#define WICK_IMAGE_CFI_CFI_BUILD_H

#include "base/fields.h"
#include "image/cfi/cfi.h"

#include <gelf.h>

/* What differs between machines. */
struct cfi_machine {
	uint16_t elf;	     /* EM_ */
	uint8_t nr_register; /* registers below this number have rules */
	uint8_t return_register;
	bool signs_returns; /* return addresses may be signed, which an instruction indicates */
};

/* By e_machine; NULL: unwinding is not supported. */
const struct cfi_machine *cfi_machine_find(unsigned elf);

/* A part of the file with code, and its virtual address. */
struct cfi_code {
	uint64_t offset, size, address;
};

/* The current row of a program: see struct cfi_rule. */
struct cfi_state {
	uint8_t cfa, base, plt_from;
	bool is_planted;
	int32_t offset;
	uint64_t saved; /* a bit for each register that has an entry below */
	struct cfi_saved reg[CFI_REGISTERS];
};

/* The code covered by one FDE, as places, and its rows. */
struct cfi_range {
	uint32_t begin, end;
	uint32_t first_row, nr_row;
	bool over; /* from its begin on, its rows replace those of another range */
};

enum cfi_format { CFI_EH_FRAME, CFI_DEBUG_FRAME };

struct cfi_section {
	enum cfi_format format;
	struct span bytes;
	uint64_t address; /* virtual */
};

struct cfi_builder {
	const struct cfi_machine *machine;
	const struct cfi_code *code;
	size_t nr_code;
	struct cfi *cfi; /* the result: it has the rules already */
	struct cfi_range *range;
	size_t nr_range, cap_range;
	struct cfi_row *row;
	size_t nr_row, cap_row;
	const struct cfi_section *section; /* being parsed */
	struct cfi_cie *kept;		   /* a cache of its CIEs */
	size_t cies_left, ranges_left;	   /* bytes that may still be parsed as CIEs and FDEs */
	uint64_t range_address;		   /* virtual, of the FDE whose program is running */
};

enum {
	/* Limits: ten times what the largest programs need. */
	CFI_POOL_MAX = 64 * 1024 * 1024,
	CFI_ROWS_MAX = 128 * 1024 * 1024,
};

void cfi_builder_init(struct cfi_builder *b, const struct cfi_machine *m,
		      const struct cfi_code *code, size_t nr_code);
void cfi_builder_release(struct cfi_builder *b);

/* cfi_parse.c: all of one section.  If two FDEs overlap, the first wins. */
void cfi_add_section(struct cfi_builder *b, const struct cfi_section *s);

/* … or single FDEs by their offset in the section, which must outlive the builder. */
void cfi_begin_section(struct cfi_builder *b, const struct cfi_section *s);
void cfi_add_range(struct cfi_builder *b, uint64_t offset);

/*
 * Makes the entry point (_start) a root, if no FDE covers it, as in hand-written dynamic linkers.
 * To be called after all sections were added.
 */
void cfi_add_entry(struct cfi_builder *b, uint64_t address);

/*
 * cfi_go.c: for a Go program, adds the functions that switch stacks, and the range with frame
 * pointers, which its sections lack.  To be called before sections are added.
 */
void cfi_add_go(struct cfi_builder *b, Elf *elf);

/*
 * Sets range->begin and end to the places of `size` bytes at a virtual address, clipped to the part
 * of the code that contains it; false if there is no code at the address.
 */
bool cfi_find_code(const struct cfi_builder *b, uint64_t address, uint64_t size,
		   struct cfi_range *range);

/* The result, which the caller frees; NULL if nothing was added. */
struct cfi *cfi_finish(struct cfi_builder *b);

/* The virtual address of the .eh_frame that an .eh_frame_hdr refers to; false: unknown encoding. */
bool cfi_indexed(const struct cfi_section *index, uint64_t *address);

/*
 * cfi_lazy.c: the FDEs of .eh_frame in its index (.eh_frame_hdr), parsed when they are looked up.
 * Both sections are copied.  False if the index is unusable: nothing is added.
 */
bool cfi_add_lazy(struct cfi_builder *b, const struct cfi_section *s,
		  const struct cfi_section *index);
uint32_t cfi_lazy_find(struct cfi_lazy *l, uint64_t place);

/* Where the function of a place begins, by its FDE; false if there is none. */
bool cfi_lazy_start(const struct cfi_lazy *l, uint64_t place, uint64_t *start);

/* Where the first FDE after a place begins; UINT64_MAX if there is none. */
uint64_t cfi_lazy_next(const struct cfi_lazy *l, uint64_t place);
void cfi_lazy_free(struct cfi_lazy *l);

/*
 * cfi_jit.c: a table that grows by one function at a time, in the order of their places in the
 * dump.  Addresses in its .eh_frame are relative: the section is assumed to follow the code at the
 * next multiple of 8, as in the ELF files that perf inject writes.  NULL if the machine is
 * unsupported.
 */
struct cfi *cfi_new_growing(unsigned elf);
void cfi_grow(struct cfi *c, const struct cfi_code *code, struct span eh_frame);
uint32_t cfi_grown_find(const struct cfi_grown *g, uint64_t place);
void cfi_grown_free(struct cfi_grown *g);

/* cfi_code.c: keeps a copy of fd, to read code where there are no rows.  To be called first. */
void cfi_keep_code(struct cfi_builder *b, int fd);

/*
 * The place after the first instruction of a function that switches stacks, that is, sets the stack
 * pointer to something other than a distance from its old value; 0: there is none, or no code.
 * *has_frame: does the function have a frame pointer by then?
 */
uint64_t cfi_find_switch(struct cfi *c, uint64_t begin, uint64_t end, bool *has_frame);

/* The place after the first call from a place on; 0: there is none, or no code. */
uint64_t cfi_find_call(const struct cfi *c, uint64_t begin, uint64_t end);
void cfi_text_free(struct cfi_text *t);

/* The rule at a place, among nr > 0 sorted rows, the first of which is not after it. */
uint32_t cfi_row_find(const struct cfi_row *row, size_t nr, uint64_t place);

/* The offset in the pool of the rule for a state; 0 if its CFA is unknown. */
uint32_t cfi_intern_rule(struct cfi_builder *b, const struct cfi_state *s, uint8_t return_register,
			 bool is_signal);

/* Reads an address in an encoding of .eh_frame (DW_EH_PE_); false if that is unknown. */
bool cfi_address(struct fields *f, uint8_t encoding, const struct cfi_section *s,
		 uint64_t *address);

/* cfi_program.c */
struct cfi_cie {
	uint64_t offset; /* in the section */
	bool is_sound;	 /* it was parsed without errors */
	uint64_t code_align;
	int64_t data_align;
	uint8_t return_register;
	uint8_t encoding; /* of addresses in its FDEs */
	bool has_size;	  /* augmentation 'z': its FDEs have the size of their augmentation data */
	bool is_signal;
	struct cfi_state initial; /* set by its own program, before that of an FDE */
};

/*
 * Runs a program on a state.  For an FDE, adds its rows to range; for a CIE, range is NULL.
 * Returns NULL, or the error.
 */
const char *cfi_run(struct cfi_builder *b, const struct cfi_cie *cie, struct fields program,
		    struct cfi_state *s, struct cfi_range *range);

#endif
