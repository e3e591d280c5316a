/* Machine code → instructions, as people write them.  The only folder that sees capstone. */
#ifndef WICK_CODE_DISASSEMBLE_H
#define WICK_CODE_DISASSEMBLE_H

#include "base/error.h"
#include "base/fields.h"
#include "base/span.h"

/* Whose code it is, as the header of an ELF file says it. */
struct machine {
	unsigned number; /* EM_X86_64, … */
	bool is_64;
	enum byte_order order;
};

/* How x86 is written: as objdump and perf do, or as its maker does. */
enum syntax { SYNTAX_ATT, SYNTAX_INTEL };

/* One instruction; a byte (or what the machine takes as one step) that is none is data. */
struct instruction {
	uint64_t address;
	size_t size;
	char text[224];
	bool goes; /* it calls or jumps to an address that it names: */
	uint64_t target;
};

struct disassembler;

/* NULL: nobody here knows the instructions of that machine. */
struct disassembler *disassembler_new(const struct machine *m, enum syntax syntax, struct error *e);
void disassembler_free(struct disassembler *d);

/* Cuts the next one off *code, which is at *address; false at its end. */
bool disassembler_next(struct disassembler *d, struct span *code, uint64_t *address,
		       struct instruction *i);

#endif
