/* Frame information, by hand: every instruction, every way to write an address, and damage. */
#include "base/error.h"
#include "image/cfi/cfi_build.h"

#include "tap.h"

#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>

enum { CODE = 0x1000, CODE_SIZE = 0x1000, OFFSET = 0x400 };

static const struct cfi_code code = { .offset = OFFSET, .size = CODE_SIZE, .address = CODE };

/* A section that is being written. */
struct section {
	char bytes[1024];
	size_t size, cie, begin;
	enum cfi_format format;
	unsigned machine;
};

static void put(struct section *s, const void *bytes, size_t size)
{
	if (size)
		memcpy(s->bytes + s->size, bytes, size);
	s->size += size;
}

static void put_u8(struct section *s, unsigned v)
{
	s->bytes[s->size++] = (char)v;
}

static void put_u32(struct section *s, uint32_t v)
{
	put(s, &v, sizeof(v));
}

static void put_u64(struct section *s, uint64_t v)
{
	put(s, &v, sizeof(v));
}

static void begin_entry(struct section *s)
{
	s->begin = s->size;
	put_u32(s, 0);
}

static void end_entry(struct section *s)
{
	uint32_t size;

	while (s->size % 4)
		put_u8(s, DW_CFA_nop);
	size = (uint32_t)(s->size - s->begin - 4);
	memcpy(s->bytes + s->begin, &size, sizeof(size));
}

/* rsp + 8, and the return address below that. */
static const uint8_t usual[] = { DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1 };

static void put_cie_with(struct section *s, const char *augmentation, const void *data,
			 size_t data_size, const void *program, size_t size)
{
	s->cie = s->size;
	begin_entry(s);
	put_u32(s, s->format == CFI_EH_FRAME ? 0 : UINT32_MAX);
	put_u8(s, 1);
	put(s, augmentation, strlen(augmentation) + 1);
	put_u8(s, 1);	 /* code */
	put_u8(s, 0x78); /* data: -8 */
	put_u8(s, s->machine == EM_AARCH64 ? 30 : 16);
	if (augmentation[0] == 'z') {
		put_u8(s, (unsigned)data_size);
		put(s, data, data_size);
	}
	put(s, program, size);
	end_entry(s);
}

static void put_cie(struct section *s)
{
	put_cie_with(s, "", NULL, 0, usual, sizeof(usual));
}

static void begin_fde(struct section *s)
{
	begin_entry(s);
	put_u32(s, (uint32_t)(s->format == CFI_EH_FRAME ? s->size - s->cie : s->cie));
}

static void put_fde(struct section *s, uint64_t address, uint64_t size, const void *program,
		    size_t program_size)
{
	begin_fde(s);
	put_u64(s, address);
	put_u64(s, size);
	put(s, program, program_size);
	end_entry(s);
}

#define FDE(s, ...) \
	do { \
		const uint8_t program_[] = { __VA_ARGS__ }; \
		put_fde(s, CODE, 64, program_, sizeof(program_)); \
	} while (0)

static struct cfi *build(const struct section *s, struct error *e)
{
	struct cfi_section section = { .format = s->format,
				       .bytes = { s->bytes, s->size },
				       .address = 0x8000 };
	/* Exactly as large as it is, so that a read past its end is seen. */
	char *bytes = malloc(s->size ? s->size : 1);
	struct cfi_builder b;
	struct cfi *c;

	memcpy(bytes, s->bytes, s->size);
	section.bytes.at = bytes;
	cfi_builder_init(&b, cfi_machine_find(s->machine ? s->machine : EM_X86_64), &code, 1);
	cfi_add_section(&b, &section);
	if (b.cfi->why[0])
		error_set(e, ERROR_INPUT, "%s", b.cfi->why);
	c = cfi_finish(&b);
	cfi_builder_release(&b);
	free(bytes);
	return c;
}

/* The rule so many bytes behind the beginning of the code, as text: "r7+16 r16=c-8 r6=c-16". */
static const char *rule_text(struct cfi *c, uint64_t distance)
{
	static const char *const ways[] = {
		[SAVE_AT_CFA] = "c",  [SAVE_AT_REGISTER] = "m", [SAVE_AT_EXPRESSION] = "x",
		[SAVE_IS_CFA] = "C",  [SAVE_IS_REGISTER] = "R", [SAVE_IS_EXPRESSION] = "X",
		[SAVE_LOST] = "lost",
	};
	static const char *const kinds[] = { "none", "root", "r", "r", "*r", "plt r", "x" };
	static char text[256];
	const struct cfi_rule *r = cfi_rule_at(c, cfi_find(c, OFFSET + distance));
	int n;

	if (r->cfa == CFA_NONE || r->cfa == CFA_ROOT)
		return kinds[r->cfa];
	n = snprintf(text, sizeof(text), "%s%d%+d%s", kinds[r->cfa], r->base, r->offset,
		     r->is_signal ? "!" : "");
	for (unsigned i = 0; i < r->nr_saved; i++) {
		const struct cfi_saved *s = &r->saved[i];

		n += snprintf(text + n, sizeof(text) - (size_t)n, " r%d=%s", s->reg, ways[s->how]);
		if (s->how == SAVE_AT_REGISTER || s->how == SAVE_IS_REGISTER)
			n += snprintf(text + n, sizeof(text) - (size_t)n, "%d", s->base);
		if (s->how != SAVE_LOST && s->how != SAVE_IS_REGISTER)
			n += snprintf(text + n, sizeof(text) - (size_t)n, "%+d", s->value);
	}
	return text;
}

static void is_rule(struct section *s, uint64_t distance, const char *want, const char *what)
{
	struct error e = ERROR_INIT;
	struct cfi *c = build(s, &e);

	is_str(e.text, "", "valid unwind information is parsed without an error");
	if (ok(c, "valid unwind information has rows"))
		is_str(rule_text(c, distance), want, what);
	cfi_free(c);
}

/* One function with these instructions, and what holds 8 bytes into it. */
#define IS_RULE(want, what, ...) \
	do { \
		struct section s_ = { 0 }; \
		put_cie(&s_); \
		FDE(&s_, __VA_ARGS__); \
		is_rule(&s_, 8, want, what); \
	} while (0)

static void test_instructions(void)
{
	IS_RULE("r7+8 r16=c-8", "a function starts with the rule of its CIE", DW_CFA_nop);
	IS_RULE("r7+16 r16=c-8 r6=c-16", "def_cfa_offset and offset give the rule behind a push",
		DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2);
	IS_RULE("r7+8 r16=c-8", "a rule does not hold before the location of its advance_loc",
		DW_CFA_advance_loc | 9, DW_CFA_def_cfa_offset, 16);
	IS_RULE("r7+16 r16=c-8", "advance_loc1 advances the location by one byte's value",
		DW_CFA_advance_loc1, 8, DW_CFA_def_cfa_offset, 16);
	IS_RULE("r7+16 r16=c-8", "advance_loc2 advances the location by two bytes' value",
		DW_CFA_advance_loc2, 8, 0, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc2, 1, 1,
		DW_CFA_def_cfa_offset, 24);
	IS_RULE("r7+16 r16=c-8", "advance_loc4 advances the location by four bytes' value",
		DW_CFA_advance_loc4, 8, 0, 0, 0, DW_CFA_def_cfa_offset, 16);
	IS_RULE("r7+16 r16=c-8", "advance_loc8 advances the location by eight bytes' value",
		DW_CFA_MIPS_advance_loc8, 8, 0, 0, 0, 0, 0, 0, 0, DW_CFA_def_cfa_offset, 16);
	IS_RULE("r7+16 r16=c-8", "set_loc sets the location", DW_CFA_set_loc, 8, 0x10, 0, 0, 0, 0,
		0, 0, DW_CFA_def_cfa_offset, 16);
	IS_RULE("r6+16 r16=c-8", "def_cfa sets the register and the offset of the CFA",
		DW_CFA_def_cfa, 6, 16);
	IS_RULE("r6-16 r16=c-8", "def_cfa_sf sets the CFA with a signed offset", DW_CFA_def_cfa_sf,
		6, 2);
	IS_RULE("r6+8 r16=c-8", "def_cfa_register sets the register of the CFA",
		DW_CFA_def_cfa_register, 6);
	IS_RULE("r7+24 r16=c-8", "def_cfa_offset_sf sets the signed offset of the CFA",
		DW_CFA_def_cfa_offset_sf, 0x7d);
	IS_RULE("r7+8 r16=c-8 r3=c-24",
		"offset_extended saves a register at an offset from the CFA",
		DW_CFA_offset_extended, 3, 3);
	IS_RULE("r7+8 r16=c-8 r3=c+8",
		"offset_extended_sf saves a register at a signed offset from the CFA",
		DW_CFA_offset_extended_sf, 3, 0x7f);
	IS_RULE("r7+8 r16=c-8 r3=c+24",
		"negative_offset_extended saves a register at a negated offset from the CFA",
		DW_CFA_GNU_negative_offset_extended, 3, 3);
	IS_RULE("r7+8 r16=c-8 r3=C-24",
		"val_offset makes a register's value an offset from the CFA", DW_CFA_val_offset, 3,
		3);
	IS_RULE("r7+8 r16=c-8 r3=C+8",
		"val_offset_sf makes a register's value a signed offset from the CFA",
		DW_CFA_val_offset_sf, 3, 0x7f);
	IS_RULE("r7+8 r16=c-8 r3=R12", "register saves a register in another register",
		DW_CFA_register, 3, 12);
	IS_RULE("r7+8 r16=c-8 r3=lost", "undefined makes a register lost", DW_CFA_undefined, 3);
	IS_RULE("root", "an undefined return address marks the root of a stack", DW_CFA_undefined,
		16);
	IS_RULE("r7+8 r16=c-8", "same_value drops the rule of a register", DW_CFA_offset | 3, 2,
		DW_CFA_same_value, 3);
	IS_RULE("r7+8 r16=c-8", "restore and restore_extended bring back the rule of the CIE",
		DW_CFA_offset | 3, 2, DW_CFA_restore | 3, DW_CFA_offset_extended, 16, 9,
		DW_CFA_restore_extended, 16);
	IS_RULE("r7+16 r16=c-8 r3=c-16", "restore_state brings back the rules at remember_state",
		DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 2, DW_CFA_remember_state,
		DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 8, DW_CFA_restore | 3,
		DW_CFA_advance_loc | 1, DW_CFA_restore_state);
	IS_RULE("r7+8 r16=c-8", "GNU_args_size changes no rule", DW_CFA_GNU_args_size, 16);
	IS_RULE("r7+8 r16=c-8", "rules for registers that are not tracked are ignored",
		DW_CFA_offset | 40, 2, DW_CFA_offset_extended, 0xff, 0x7f, 2);
}

static void test_expressions(void)
{
	IS_RULE("*r6-16 r16=c-8",
		"a CFA expression that dereferences register plus offset becomes a plain rule",
		DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x70, DW_OP_deref);
	IS_RULE("r6-16 r16=c-8", "a CFA expression of register plus offset becomes a plain rule",
		DW_CFA_def_cfa_expression, 2, DW_OP_breg6, 0x70);
	IS_RULE("plt r7+8 r16=c-8", "the CFA expression of PLT stubs is recognized",
		DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15,
		DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus);
	IS_RULE("x0+0 r16=c-8", "any other CFA expression is kept as an expression",
		DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0, DW_OP_not);
	IS_RULE("r7+8 r16=c-8 r6=m6+0",
		"a register saved at register plus offset gets a plain rule", DW_CFA_expression, 6,
		2, DW_OP_breg6, 0);
	IS_RULE("r7+8 r16=c-8 r6=x+0",
		"a register saved at any other expression keeps the expression", DW_CFA_expression,
		6, 3, DW_OP_breg6, 0, DW_OP_deref);
	IS_RULE("r7+8 r16=c-8 r6=X+0", "val_expression keeps the expression", DW_CFA_val_expression,
		6, 2, DW_OP_breg6, 0);
}

static void test_ranges(void)
{
	static const uint8_t pushed[] = { DW_CFA_def_cfa_offset, 16 };
	struct error e = ERROR_INIT;
	struct section s = { 0 };
	struct cfi *c;

	put_cie(&s);
	put_fde(&s, CODE + 64, 16, pushed, sizeof(pushed));
	put_u32(&s, 0); /* the end of one file's part */
	put_fde(&s, CODE + 16, 16, NULL, 0);
	put_fde(&s, CODE + 16, 99, pushed, sizeof(pushed));    /* told twice */
	put_fde(&s, 0x99999, 16, pushed, sizeof(pushed));      /* not in the code */
	put_fde(&s, 0, CODE + 99, pushed, sizeof(pushed));     /* thrown away */
	put_fde(&s, CODE + 0xff0, 99, pushed, sizeof(pushed)); /* past its end */
	c = build(&s, &e);
	is_str(e.text, "", "overlapping, foreign and truncated ranges are no error");
	is_str(rule_text(c, 15), "none", "an address before the first range has no row");
	is_str(rule_text(c, 16), "r7+8 r16=c-8", "the first byte of a range has its row");
	is_str(rule_text(c, 31), "r7+8 r16=c-8",
	       "the first of two FDEs for a range counts, up to its last byte");
	is_str(rule_text(c, 32), "none", "an address between two ranges has no row");
	is_str(rule_text(c, 64), "r7+16 r16=c-8",
	       "a range that comes first in the section and last in the code is found");
	is_str(rule_text(c, 80), "none", "an address behind a range has no row");
	is_str(rule_text(c, 0xfff), "r7+16 r16=c-8",
	       "a range past the end of the code has rows up to that end");
	is_str(rule_text(c, 0x1000), "none", "an address behind the code has no row");
	is_int(cfi_find(c, UINT64_MAX), 0, "an offset that no file has is not found");
	cfi_free(c);
}

/* Rows of 64 bytes at CODE, and where the program begins. */
static void is_entry(uint64_t entry, uint64_t distance, const char *want, const char *what)
{
	struct section s = { 0 };
	struct cfi_section section = { .address = 0x8000 };
	struct cfi_builder b;
	struct cfi *c;

	put_cie(&s);
	FDE(&s, DW_CFA_nop);
	section.bytes = (struct span){ s.bytes, s.size };
	cfi_builder_init(&b, cfi_machine_find(EM_X86_64), &code, 1);
	cfi_add_section(&b, &section);
	cfi_add_entry(&b, entry);
	c = cfi_finish(&b);
	cfi_builder_release(&b);
	if (ok(c, "unwind information with an entry point has rows"))
		is_str(rule_text(c, distance), want, what);
	cfi_free(c);
}

static void test_entry(void)
{
	is_entry(CODE + 0x100, 0x110, "root", "an entry point without an FDE is a root");
	is_entry(CODE + 0x100, 0x180, "none",
		 "code far behind the entry point is not taken for a root");
	is_entry(CODE + 8, 8, "r7+8 r16=c-8", "an FDE that covers the entry point keeps its rows");
	is_entry(CODE + CODE_SIZE - 4, CODE_SIZE - 4, "root",
		 "an entry point at the end of the code is a root");
	is_entry(CODE + CODE_SIZE, 0, "r7+8 r16=c-8",
		 "an entry point outside of the code changes no row");
}

static void test_encodings(void)
{
	static const uint8_t signal_data[] = { 0x1b };
	/* A personality of four bytes, a language's data, addresses from here in 4 bytes. */
	static const uint8_t all_data[] = { 0x9b, 1, 2, 3, 4, 0x1b, 0x1b };
	static const uint8_t half_data[] = { 0x1a };
	struct section s = { 0 };

	put_cie_with(&s, "zRS", signal_data, sizeof(signal_data), usual, sizeof(usual));
	begin_fde(&s);
	put_u32(&s, (uint32_t)(CODE - (0x8000 + s.size)));
	put_u32(&s, 64);
	put_u8(&s, 0);
	end_entry(&s);
	is_rule(&s, 8, "r7+8! r16=c-8",
		"zRS: pc-relative addresses and the mark of a signal frame are parsed");

	s = (struct section){ 0 };
	put_cie_with(&s, "zPLR", all_data, sizeof(all_data), usual, sizeof(usual));
	begin_fde(&s);
	put_u32(&s, (uint32_t)(CODE - (0x8000 + s.size)));
	put_u32(&s, 64);
	put_u8(&s, 4);
	put_u32(&s, 0xffffffff);
	end_entry(&s);
	is_rule(&s, 8, "r7+8 r16=c-8", "zPLR: personality and language-specific data are skipped");

	s = (struct section){ 0 };
	put_cie_with(&s, "zR", half_data, sizeof(half_data), usual, sizeof(usual));
	begin_fde(&s);
	put_u8(&s, (CODE - (0x8000 + (unsigned)s.size)) & 0xff);
	put_u8(&s, (CODE - (0x8000 + (unsigned)s.size - 1)) >> 8 & 0xff);
	put_u8(&s, 64);
	put_u8(&s, 0);
	put_u8(&s, 0);
	end_entry(&s);
	is_rule(&s, 8, "r7+8 r16=c-8", "addresses of 2 bytes are parsed");

	s = (struct section){ .format = CFI_DEBUG_FRAME };
	put_cie(&s);
	FDE(&s, DW_CFA_def_cfa_offset, 16);
	is_rule(&s, 8, "r7+16 r16=c-8", ".debug_frame is parsed");
}

/* 64-bit DWARF: a length of 12 bytes, and in .debug_frame ids of 8. */
static void test_wide(void)
{
	struct section s = { .format = CFI_DEBUG_FRAME };

	put_u32(&s, UINT32_MAX);
	put_u64(&s, 8 + 1 + 1 + 3 + sizeof(usual));
	put_u64(&s, UINT64_MAX);
	put(&s, "\1\0\1\x78\x10", 5);
	put(&s, usual, sizeof(usual));
	put_u32(&s, UINT32_MAX);
	put_u64(&s, 8 + 16 + 2);
	put_u64(&s, 0);
	put_u64(&s, CODE);
	put_u64(&s, 64);
	put(&s, "\x0e\x18", 2);
	is_rule(&s, 8, "r7+24 r16=c-8", "64-bit DWARF is parsed");
}

static void test_aarch64(void)
{
	static const uint8_t first[] = { DW_CFA_def_cfa, 31, 0 };
	struct section s = { .machine = EM_AARCH64 };

	put_cie_with(&s, "", NULL, 0, first, sizeof(first));
	FDE(&s, DW_CFA_advance_loc | 4, 0x2d, DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 29, 4,
	    DW_CFA_offset | 30, 3, DW_CFA_offset_extended, 72, 9);
	is_rule(&s, 0, "r31+0",
		"aarch64: at the start of a function the return address is in its register");
	is_rule(&s, 8, "r31+32 r30=c-24 r29=c-32",
		"aarch64: a return address on the stack is found after negate_ra_state");
}

/* What cannot be read is told by its place, and costs only itself. */
static void complains(struct section *s, const char *pattern, const char *what)
{
	struct error e = ERROR_INIT;
	struct cfi *c = build(s, &e);

	like(e.text, pattern, what);
	cfi_free(c);
}

#define COMPLAINS(pattern, what, ...) \
	do { \
		struct section s_ = { 0 }; \
		put_cie(&s_); \
		FDE(&s_, __VA_ARGS__); \
		complains(&s_, pattern, what); \
	} while (0)

static void test_damage(void)
{
	struct error e = ERROR_INIT;
	struct section s = { 0 };
	struct cfi *c;

	COMPLAINS("^.eh_frame: entry at 0x14: unknown instruction$",
		  "an unknown instruction is reported with section and entry", 0x3f);
	COMPLAINS("unknown", "an instruction of another machine is reported as unknown", 0x2d);
	COMPLAINS("restore_state without remember_state",
		  "restore_state without remember_state is reported", DW_CFA_restore_state);
	COMPLAINS("offset too large", "an offset that is too large is reported",
		  DW_CFA_def_cfa_offset, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1);
	COMPLAINS("truncated instruction", "an expression that exceeds its entry is reported",
		  DW_CFA_def_cfa_expression, 0xff, 0xff, 3);
	COMPLAINS("the CFA is not a register", "def_cfa_offset behind a CFA expression is reported",
		  DW_CFA_def_cfa_expression, 1, DW_OP_lit0, DW_CFA_def_cfa_offset, 8);
	COMPLAINS("location goes backwards", "set_loc to an earlier location is reported",
		  DW_CFA_advance_loc | 8, DW_CFA_set_loc, 4, 0x10, 0, 0, 0, 0, 0, 0);
	put_cie(&s);
	FDE(&s, 0x3f);
	put_fde(&s, CODE + 64, 64, NULL, 0);
	c = build(&s, &e);
	is_str(rule_text(c, 8), "none", "a function with an unknown instruction has no row");
	is_str(rule_text(c, 64), "r7+8 r16=c-8",
	       "the function behind one with an unknown instruction has its row");
	cfi_free(c);

	s = (struct section){ 0 };
	put_cie_with(&s, "w", NULL, 0, usual, sizeof(usual));
	FDE(&s, 0);
	complains(&s, "at 0x0: unknown augmentation", "an unknown augmentation is reported");
	s = (struct section){ 0 };
	s.cie = 0x100;
	FDE(&s, 0);
	complains(&s, "its CIE is missing or invalid", "an FDE without a valid CIE is reported");
	s = (struct section){ 0 };
	put_cie(&s);
	put_u32(&s, 0x10000);
	complains(&s, "at 0x14: length exceeds the section",
		  "an entry that exceeds the section is reported");
}

/* Cut anywhere, and with any byte changed, it ends: sanitizers watch. */
static void test_any_damage(void)
{
	struct section s = { 0 }, t;
	struct error e = ERROR_INIT;
	size_t nr = 0;

	put_cie(&s);
	FDE(&s, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0, DW_OP_not,
	    DW_CFA_remember_state, DW_CFA_advance_loc1, 3, DW_CFA_restore_state);
	for (size_t i = 0; i < s.size; i++) {
		for (unsigned byte = 0; byte < 256; byte += 5) {
			t = s;
			t.bytes[i] = (char)byte;
			cfi_free(build(&t, &e));
			nr++;
		}
		t = s;
		t.size = i;
		cfi_free(build(&t, &e));
	}
	ok(nr > 1000, "damaged sections are parsed without a crash");
}

/* Ranges that are read when they are asked for */

enum { INDEX = 0x20000, SECTION = 0x8000 };

/* An index as linkers write it; of each entry, where the range begins and where it is told about. */
struct index_entry {
	uint64_t begin;
	size_t fde;
};

static size_t write_index(char *to, const struct index_entry *x, uint32_t nr)
{
	static const char head[] = { 1, 0x1b, 0x03, 0x3b };
	uint32_t section = (uint32_t)(SECTION - (INDEX + 4));
	size_t n = 0;

	memcpy(to, head, 4);
	memcpy(to + 4, &section, 4);
	memcpy(to + 8, &nr, 4);
	n = 12;
	for (uint32_t i = 0; i < nr; i++, n += 8) {
		uint32_t begin = (uint32_t)(x[i].begin - INDEX);
		uint32_t fde = (uint32_t)(SECTION + x[i].fde - INDEX);

		memcpy(to + n, &begin, 4);
		memcpy(to + n + 4, &fde, 4);
	}
	return n;
}

static bool build_lazy(struct cfi_builder *b, const struct section *s, const char *bytes,
		       size_t size)
{
	struct cfi_section section = { .bytes = { s->bytes, s->size }, .address = SECTION };
	struct cfi_section index = { .bytes = { bytes, size }, .address = INDEX };

	cfi_builder_init(b, cfi_machine_find(EM_X86_64), &code, 1);
	return cfi_add_lazy(b, &section, &index);
}

static void put_range(struct section *s, struct index_entry *x, uint64_t begin, uint8_t offset)
{
	const uint8_t rules[] = { DW_CFA_def_cfa_offset, offset };

	*x = (struct index_entry){ .begin = begin, .fde = s->size };
	put_fde(s, begin, 0x20, rules, sizeof(rules));
}

static void test_lazy(void)
{
	struct section s = { 0 };
	struct index_entry x[4];
	char index[64];
	struct cfi_builder b;
	struct cfi *c;
	size_t size;

	put_cie(&s);
	put_range(&s, &x[0], CODE, 16);
	put_range(&s, &x[1], CODE + 0x40, 32);
	put_range(&s, &x[2], CODE + 0x80, 48);
	x[3] = (struct index_entry){ .begin = CODE + 0xc0, .fde = 1 << 20 };
	s.bytes[x[2].fde + 4] = 0x7f; /* belongs to nobody */
	size = write_index(index, x, 4);
	ok(build_lazy(&b, &s, index, size), "a valid index is accepted");
	cfi_add_entry(&b, CODE + 0x20);
	c = cfi_finish(&b);
	cfi_builder_release(&b);
	is_int(c->nr_read, 1, "only the FDE before the entry point is parsed at first");
	is_str(rule_text(c, 0x48), "r7+32 r16=c-8", "an FDE is parsed when it is looked up");
	is_int(c->nr_read, 2, "a lookup parses one FDE only");
	is_str(rule_text(c, 0x5f), "r7+32 r16=c-8", "a second lookup in a range finds its row");
	is_int(c->nr_read, 2, "a second lookup in a range parses nothing");
	is_str(rule_text(c, 0x0), "r7+16 r16=c-8", "a lookup in the first range finds its row");
	is_str(rule_text(c, 0x60), "none", "an address behind a range of an index has no row");
	is_str(rule_text(c, 0x20), "root", "an entry point between ranges of an index is a root");
	is_str(rule_text(c, 0x3f), "root", "the root of an entry point extends to the next range");
	is_str(rule_text(c, 0x88), "none", "an FDE with an invalid CIE has no row");
	is_str(rule_text(c, 0x88), "none",
	       "a second lookup of an FDE with an invalid CIE has no row");
	is_int(c->nr_bad, 1, "an invalid FDE is counted once");
	ok(strstr(c->why, "its CIE is missing or invalid"),
	   "the reason why an FDE is invalid is kept");
	is_str(rule_text(c, 0xc8), "none",
	       "an index entry that points outside of the section has no row");
	is_str(rule_text(c, CODE_SIZE + 8), "none", "an address outside of the code has no row");
	cfi_free(c);

	index[0] = 2;
	ok(!build_lazy(&b, &s, index, size), "an index of another version is rejected");
	cfi_builder_release(&b);
	index[0] = 1;
	ok(!build_lazy(&b, &s, index, size - 1), "a truncated index is rejected");
	cfi_builder_release(&b);
	index[4]++;
	ok(!build_lazy(&b, &s, index, size), "an index of another section is rejected");
	cfi_builder_release(&b);
}

/* The program that this is has rows in all its functions. */
static void test_own_file(void)
{
	struct image_opts o = { 0 };
	struct cfi *c = cfi_open(SPAN("/proc/self/exe"), SPAN(""), &o);
	size_t nr = 0;

	if (ok(c, "the test program has unwind information"))
		for (uint64_t place = 0; place < 1 << 20; place += 16)
			nr += cfi_find(c, place) != 0;
	ok(nr > 100, "the test program has rows for its code");
	ok(c && c->nr_read > 10 && !c->nr_bad, "the test program has no invalid FDE");
	cfi_free(c);
	c = cfi_open(SPAN("/proc/self/maps"), SPAN(""), &o);
	ok(!c, "a file that is no ELF file has no unwind information");
	c = cfi_open(SPAN("/proc/self/exe"), SPAN("0123"), &o);
	ok(!c, "a file with another build ID has no unwind information");
}

int main(void)
{
	test_instructions();
	test_expressions();
	test_ranges();
	test_entry();
	test_encodings();
	test_wide();
	test_aarch64();
	test_damage();
	test_any_damage();
	test_lazy();
	test_own_file();
	return done();
}
