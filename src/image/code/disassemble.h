/* Machine code → instructions as text.  Only this folder uses capstone. */
#ifndef WICK_IMAGE_CODE_DISASSEMBLE_H
#define WICK_IMAGE_CODE_DISASSEMBLE_H

#include "base/error.h"
#include "base/fields.h"
#include "base/span.h"

/* The machine, as in the header of an ELF file. */
struct machine {
	unsigned number; /* EM_X86_64, … */
	bool is_64;
	enum byte_order order;
};

/* Syntax of x86: as in objdump and perf, or Intel's own. */
enum syntax { SYNTAX_ATT, SYNTAX_INTEL };

/*
 * One instruction; a byte (or the smallest unit of the machine) that is not an instruction is data.
 */
struct instruction {
	uint64_t address;
	size_t size;
	char text[224];
	bool goes; /* it calls or jumps to a known address, target */
	uint64_t target;
};

struct disassembler;

/* NULL: the machine is unsupported, or capstone cannot be loaded. */
struct disassembler *disassembler_new(const struct machine *m, enum syntax syntax, struct error *e);
void disassembler_free(struct disassembler *d);

/* Decodes the next one and removes it from *code, which is at *address; false at the end. */
bool disassembler_next(struct disassembler *d, struct span *code, uint64_t *address,
		       struct instruction *i);

#endif
