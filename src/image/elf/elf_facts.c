/* What a file offers to profilers: see image.h. */
#include "base/alloc.h"
#include "image/cfi/cfi.h"
#include "image/image_internal.h"

#include <gelf.h>
#include <stdio.h>

static enum facts_place find(Elf *elf, struct span path, enum elf_content content,
			     const struct image_opts *o)
{
	struct debug_search s = { .program = elf, .path = path, .content = content, .o = o };
	struct elf_file debug;

	if (elf_has(elf, content))
		return FACTS_INSIDE;
	if (!debug_file_open(&s, &debug))
		return FACTS_NOWHERE;
	elf_close(&debug);
	return FACTS_BESIDE;
}

/*
 * Go's prologue: mov %rbp,N(%rsp); lea N(%rsp),%rbp, with N of one or four bytes.  The second
 * instruction alone may serve any purpose.
 */
static bool keeps_frame_in_place(struct span code)
{
	enum { OPCODE = 4 };
	static const struct {
		const char *save, *point;
		size_t number; /* bytes of N */
	} ways[] = {
		{ "\x48\x89\x6c\x24", "\x48\x8d\x6c\x24", 1 },
		{ "\x48\x89\xac\x24", "\x48\x8d\xac\x24", 4 },
	};

	for (; code.size; code = span_from(code, 1))
		for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
			size_t size = OPCODE + ways[i].number;
			struct span point = span_upto(span_from(code, size), size);

			if (span_starts(code, ways[i].save) && span_starts(point, ways[i].point) &&
			    point.size == size &&
			    span_eq(span_from(point, OPCODE),
				    span_upto(span_from(code, OPCODE), ways[i].number)))
				return true;
		}
	return false;
}

/* Does the function set up a frame pointer near its beginning? */
static bool keeps_frame(int machine, struct span code)
{
	enum { BEGINNING = 48 };

	code = span_upto(code, BEGINNING);
	/* mov %rsp,%rbp in its two encodings */
	if (machine == EM_X86_64)
		return span_contains(code, "\x48\x89\xe5") || span_contains(code, "\x48\x8b\xec") ||
		       keeps_frame_in_place(code);
	/* stp x29, x30, [sp, …]! */
	for (; code.size >= 4; code = span_from(code, 4))
		if ((load_u32(code.at, ORDER_HOST) & 0xffc07fff) == 0xa9807bfd)
			return true;
	return false;
}

static void look_at_symbols(Elf *elf, int machine, Elf_Scn *section, const GElf_Shdr *header,
			    struct image_facts *facts)
{
	/* Small leaf functions have no frame even with -fno-omit-frame-pointer. */
	enum { FUNCTION_SIZE_MIN = 48, LOOKED_AT_MAX = 10000 };
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	struct span file = { 0 };

	file.at = elf_rawfile(elf, &file.size);
	for (size_t i = 0; i < nr && file.at && facts->nr_function < LOOKED_AT_MAX; i++) {
		uint64_t offset;
		GElf_Sym s;

		if (!gelf_getsym(data, (int)i, &s))
			break;
		if (s.st_shndx == SHN_UNDEF || GELF_ST_TYPE(s.st_info) != STT_FUNC ||
		    s.st_size < FUNCTION_SIZE_MIN || !elf_find_offset(elf, s.st_value, &offset) ||
		    offset > file.size)
			continue;
		facts->nr_function++;
		facts->nr_framed += keeps_frame(machine, span_from(file, (size_t)offset));
	}
}

static void look_at_functions(Elf *elf, struct image_facts *facts)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header) ||
	    (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64))
		return;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr s;

		if (gelf_getshdr(section, &s) &&
		    (s.sh_type == SHT_SYMTAB || s.sh_type == SHT_DYNSYM))
			look_at_symbols(elf, header.e_machine, section, &s, facts);
	}
}

bool image_facts(struct span path, const struct image_opts *o, struct image_facts *facts)
{
	char hex[BUILD_ID_HEX_MAX];
	struct span build_id, link;
	struct elf_file f;
	struct cfi *cfi;

	*facts = (struct image_facts){ 0 };
	if (elf_open_program(path, SPAN(""), o, &f) != IMAGE_OPEN)
		return false;
	build_id = elf_build_id(f.elf, hex);
	snprintf(facts->build_id, sizeof(facts->build_id), "%.*s", (int)build_id.size, build_id.at);
	link = debug_link_name(f.elf);
	snprintf(facts->link, sizeof(facts->link), "%.*s", (int)link.size, link.at);
	facts->symbols = find(f.elf, path, ELF_SYMTAB, o);
	facts->dwarf = find(f.elf, path, ELF_DWARF, o);
	facts->is_go = go_table(f.elf, NULL);
	look_at_functions(f.elf, facts);
	elf_close(&f);
	cfi = cfi_open(path, SPAN(""), o);
	facts->frames = cfi && cfi_has_rows(cfi);
	cfi_free(cfi);
	return true;
}

bool image_changes_stacks(const char *path)
{
	struct elf_file f;
	bool found;

	if (!elf_open(path, &f))
		return false;
	found = go_table(f.elf, NULL);
	elf_close(&f);
	return found;
}
