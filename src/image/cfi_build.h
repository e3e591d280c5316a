/* Sections of frame information → cfi: cfi_parse.c reads entries, cfi_program.c runs them. */
#ifndef WICK_IMAGE_CFI_BUILD_H
#define WICK_IMAGE_CFI_BUILD_H

#include "base/fields.h"
#include "image/cfi.h"

/* What differs between machines. */
struct cfi_machine {
	uint16_t elf;	     /* EM_ */
	uint8_t nr_register; /* that are kept */
	uint8_t return_register;
	bool signs_returns; /* has the instruction that says so */
};

/* The machine of an ELF file, or NULL. */
const struct cfi_machine *cfi_machine_find(unsigned elf);

/* A piece of the file with code in it, and where the program expects it. */
struct cfi_code {
	uint64_t offset, size, address;
};

/* What is known at one place of a program that is being run. */
struct cfi_state {
	uint8_t cfa, base, plt_from;
	int32_t offset;
	uint64_t saved; /* a bit for each register that has an entry below */
	struct cfi_saved reg[CFI_REGISTERS];
};

/* One piece of code with rows of its own: an FDE. */
struct cfi_range {
	uint32_t begin, end;
	uint32_t first_row, nr_row;
};

enum cfi_format { CFI_EH_FRAME, CFI_DEBUG_FRAME };

struct cfi_section {
	enum cfi_format format;
	struct span bytes;
	uint64_t address; /* where the program expects it */
};

struct cfi_builder {
	const struct cfi_machine *machine;
	const struct cfi_code *code;
	size_t nr_code;
	struct cfi *cfi; /* that is being built: so far it has the rules */
	struct cfi_range *range;
	size_t nr_range, cap_range;
	struct cfi_row *row;
	size_t nr_row, cap_row;
	const struct cfi_section *section; /* that is being read */
	struct cfi_cie *kept;		   /* of it, those that were seen */
	size_t cies_left, ranges_left;	   /* bytes of it that may still be read as such */
	uint64_t range_address;		   /* where the program has the range */
};

enum {
	/* Ten times what the largest programs have. */
	CFI_POOL_MAX = 64 * 1024 * 1024,
	CFI_ROWS_MAX = 128 * 1024 * 1024,
};

void cfi_builder_init(struct cfi_builder *b, const struct cfi_machine *m,
		      const struct cfi_code *code, size_t nr_code);
void cfi_builder_release(struct cfi_builder *b);

/* cfi_parse.c: all of one section.  Of ranges that are told twice the first counts. */
void cfi_add_section(struct cfi_builder *b, const struct cfi_section *s);

/* … or one range after the other, of a section that stays: that which is written there. */
void cfi_begin_section(struct cfi_builder *b, const struct cfi_section *s);
void cfi_add_range(struct cfi_builder *b, uint64_t offset);

/*
 * Where the program begins, which nobody called: a root even where no section says so, as in the
 * assembly of dynamic linkers.  To be told after the sections, which know better.
 */
void cfi_add_entry(struct cfi_builder *b, uint64_t address);

/* Where in the file so many bytes at an address are; false when there is no code at it. */
bool cfi_find_code(const struct cfi_builder *b, uint64_t address, uint64_t size,
		   struct cfi_range *range);

/* All that was added; NULL when that is nothing. */
struct cfi *cfi_finish(struct cfi_builder *b);

/* Where the section is that an index is of; false when it is not one that we know. */
bool cfi_indexed(const struct cfi_section *index, uint64_t *address);

/*
 * cfi_lazy.c: the ranges of a section that the linker's index of it (.eh_frame_hdr) has, whose rows
 * are made one by one.  Both are copied.  False when the index is not one that we know.
 */
bool cfi_add_lazy(struct cfi_builder *b, const struct cfi_section *s,
		  const struct cfi_section *index);
uint32_t cfi_lazy_find(struct cfi_lazy *l, uint64_t place);

/* Where behind a place the next range begins; UINT64_MAX when there is none. */
uint64_t cfi_lazy_next(const struct cfi_lazy *l, uint64_t place);
void cfi_lazy_free(struct cfi_lazy *l);

/*
 * cfi_grown.c: a table that is added to, a piece of code after the other, each further on in the dump.  Its section is expected
 * behind the code, as perf puts both into a file.  NULL where nothing is known of the machine.
 */
struct cfi *cfi_new_growing(unsigned elf);
void cfi_grow(struct cfi *c, const struct cfi_code *code, struct span eh_frame);
uint32_t cfi_grown_find(const struct cfi_grown *g, uint64_t place);
void cfi_grown_free(struct cfi_grown *g);

/* The rule of a place in the rows of a range, or 0. */
uint32_t cfi_row_find(const struct cfi_row *row, size_t nr, uint64_t place);

/* The rule of a state, as a number; 0 when it is none. */
uint32_t cfi_intern_rule(struct cfi_builder *b, const struct cfi_state *s, uint8_t return_register,
			 bool is_signal);

/* Numbers of DWARF: seven bits a byte; what is more than 64 bits is lost. */
uint64_t cfi_uleb(struct fields *f);
int64_t cfi_sleb(struct fields *f);

/* An address in one of the ways to write one; false when that is none we know. */
bool cfi_address(struct fields *f, uint8_t encoding, const struct cfi_section *s,
		 uint64_t *address);

/* cfi_program.c */
struct cfi_cie {
	uint64_t offset; /* in the section */
	bool is_sound;
	uint64_t code_align;
	int64_t data_align;
	uint8_t return_register;
	uint8_t encoding; /* of addresses in its FDEs */
	bool has_size;	  /* its FDEs tell how much data of the language they have */
	bool is_signal;
	struct cfi_state initial;
};

/* Runs instructions.  Each place that is left behind becomes a row, where range is not NULL. */
const char *cfi_run(struct cfi_builder *b, const struct cfi_cie *cie, struct fields program,
		    struct cfi_state *s, struct cfi_range *range);

#endif
