#include "image/code/disassemble.h"

#include "base/alloc.h"

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* The version that wick was compiled for: structures of others differ. */
#define TEXT_OF(number)	  #number
#define LIBRARY_OF(major) "libcapstone.so." TEXT_OF(major)
#define LIBRARY		  LIBRARY_OF(CS_API_MAJOR)

/* The functions of the library that are used. */
struct library {
	__typeof__(&cs_open) open;
	__typeof__(&cs_close) close;
	__typeof__(&cs_malloc) malloc;
	__typeof__(&cs_free) free;
	__typeof__(&cs_disasm_iter) disasm_iter;
	__typeof__(&cs_option) option;
	__typeof__(&cs_insn_group) insn_group;
};

struct disassembler {
	struct library lib;
	csh handle;
	cs_insn *room;
	size_t step; /* minimum size of an instruction */
};

/* capstone's names of the machines that Linux runs on. */
static const struct known {
	unsigned number;
	cs_arch arch;
	cs_mode mode, mode_64;
	size_t step;
} machines[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_32, CS_MODE_64, 1 },
	{ EM_386, CS_ARCH_X86, CS_MODE_32, CS_MODE_32, 1 },
	{ EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, CS_MODE_ARM, 4 },
	{ EM_ARM, CS_ARCH_ARM, CS_MODE_ARM, CS_MODE_ARM, 4 },
	{ EM_PPC64, CS_ARCH_PPC, CS_MODE_32, CS_MODE_64, 4 },
	{ EM_S390, CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN, CS_MODE_BIG_ENDIAN, 2 },
	{ EM_MIPS, CS_ARCH_MIPS, CS_MODE_MIPS32, CS_MODE_MIPS64, 4 },
};

static const struct known *find_machine(unsigned number)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].number == number)
			return &machines[i];
	return NULL;
}

/* Loads capstone on demand: its tables take longer to load than the rest of wick. */
static int load(struct library *lib, struct error *e)
{
	static const struct {
		const char *name;
		size_t at;
	} functions[] = {
		{ "cs_open", offsetof(struct library, open) },
		{ "cs_close", offsetof(struct library, close) },
		{ "cs_malloc", offsetof(struct library, malloc) },
		{ "cs_free", offsetof(struct library, free) },
		{ "cs_disasm_iter", offsetof(struct library, disasm_iter) },
		{ "cs_option", offsetof(struct library, option) },
		{ "cs_insn_group", offsetof(struct library, insn_group) },
	};
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *function = handle ? dlsym(handle, functions[i].name) : NULL;

		if (!function) {
			error_set(e, ERROR_SYSTEM, "cannot load %s (needed for disassembly)",
				  LIBRARY);
			return error_hint(e, "install capstone (libcapstone%d on Debian)",
					  CS_API_MAJOR);
		}
		memcpy((char *)lib + functions[i].at, &function, sizeof(function));
	}
	return 0;
}

static int open_machine(struct disassembler *d, const struct machine *m, enum syntax syntax,
			struct error *e)
{
	const struct known *known = find_machine(m->number);
	unsigned mode = 0;

	if (known) {
		mode = (unsigned)(m->is_64 ? known->mode_64 : known->mode);
		if (m->order == ORDER_BIG)
			mode |= (unsigned)CS_MODE_BIG_ENDIAN;
	}
	if (!known || d->lib.open(known->arch, (cs_mode)mode, &d->handle) != CS_ERR_OK)
		return error_set(
			e, ERROR_INPUT,
			"disassembly is not supported for this architecture (ELF machine %u)",
			m->number);
	/* Calls can only be recognized with details. */
	d->lib.option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	if (known->arch == CS_ARCH_X86 && syntax == SYNTAX_ATT)
		d->lib.option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	d->room = d->lib.malloc(d->handle);
	d->step = known->step;
	return 0;
}

struct disassembler *disassembler_new(const struct machine *m, enum syntax syntax, struct error *e)
{
	struct disassembler *d = xcalloc(1, sizeof(*d));

	if (!load(&d->lib, e) && !open_machine(d, m, syntax, e))
		return d;
	free(d);
	return NULL;
}

void disassembler_free(struct disassembler *d)
{
	if (!d)
		return;
	if (d->room)
		d->lib.free(d->room, 1);
	d->lib.close(&d->handle);
	free(d);
}

/* Shows bytes that are not an instruction as data. */
static void take_data(struct disassembler *d, struct span *code, uint64_t *address,
		      struct instruction *i)
{
	size_t at = (size_t)snprintf(i->text, sizeof(i->text), ".byte");

	i->size = d->step < code->size ? d->step : code->size;
	for (size_t k = 0; k < i->size; k++)
		at += (size_t)snprintf(i->text + at, sizeof(i->text) - at, "%s0x%02x",
				       k ? ", " : " ", (unsigned char)code->at[k]);
	*code = span_from(*code, i->size);
	*address += i->size;
}

/* "0x1040", "#0x1040", "x0, #0x1040": the target of a call or a jump is its last operand. */
static bool find_target(const struct disassembler *d, uint64_t *target)
{
	struct span operands = span_of(d->room->op_str), word = operands;
	size_t blank = span_rfind(operands, ' ');

	if (!d->lib.insn_group(d->handle, d->room, CS_GRP_CALL) &&
	    !d->lib.insn_group(d->handle, d->room, CS_GRP_JUMP))
		return false;
	if (blank < operands.size)
		word = span_from(operands, blank + 1);
	if (span_starts(word, "#"))
		word = span_from(word, 1);
	return span_starts(word, "0x") && span_hex(span_from(word, 2), target);
}

bool disassembler_next(struct disassembler *d, struct span *code, uint64_t *address,
		       struct instruction *i)
{
	const uint8_t *at = (const uint8_t *)code->at;
	size_t left = code->size;

	if (!left)
		return false;
	*i = (struct instruction){ .address = *address };
	if (!d->room || !d->lib.disasm_iter(d->handle, &at, &left, address, d->room)) {
		take_data(d, code, address, i);
		return true;
	}
	i->size = code->size - left;
	*code = span_from(*code, i->size);
	i->goes = find_target(d, &i->target);
	snprintf(i->text, sizeof(i->text), "%s%s%s", d->room->mnemonic,
		 d->room->op_str[0] ? " " : "", d->room->op_str);
	return true;
}
