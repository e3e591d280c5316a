/* Where in its file a function begins, by name: for probes. */
#include "image/kinds.h"

#include <gelf.h>

bool elf_find_offset(Elf *elf, uint64_t address, uint64_t *offset)
{
	struct segment segment[SEGMENTS_MAX];
	size_t nr = elf_segments(elf, segment, SEGMENTS_MAX);

	for (size_t i = 0; i < nr; i++)
		if (segment[i].code && address - segment[i].address < segment[i].size) {
			*offset = address - segment[i].address + segment[i].offset;
			return true;
		}
	return false;
}

/* Versions (malloc@@GLIBC_2.2.5) are not part of the name. */
static bool is_named(const char *symbol, struct span name)
{
	struct span s = span_of(symbol);

	return span_eq(span_upto(s, span_find(s, '@')), name);
}

static bool find_in(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, struct span name,
		    uint64_t *address)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < nr && i < SYMBOLS_MAX; i++) {
		const char *symbol;
		GElf_Sym s;

		if (!gelf_getsym(data, (int)i, &s))
			break;
		if (s.st_shndx == SHN_UNDEF || GELF_ST_TYPE(s.st_info) != STT_FUNC)
			continue;
		symbol = elf_strptr(elf, header->sh_link, s.st_name);
		if (symbol && is_named(symbol, name)) {
			*address = s.st_value;
			return true;
		}
	}
	return false;
}

static bool find_address(Elf *elf, struct span name, uint64_t *address)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
		    find_in(elf, section, &header, name, address))
			return true;
	}
	return false;
}

bool image_function(struct span path, struct span function, const struct image_opts *o,
		    uint64_t *offset)
{
	struct debug_search s = { .path = path, .content = ELF_SYMTAB, .o = o };
	struct elf_file f, debug;
	uint64_t address;
	bool found;

	if (elf_open_program(path, SPAN(""), o, &f) != IMAGE_OPEN)
		return false;
	found = find_address(f.elf, function, &address);
	s.program = f.elf;
	if (!found && debug_file_open(&s, &debug)) {
		found = find_address(debug.elf, function, &address);
		elf_close(&debug);
	}
	found = found && elf_find_offset(f.elf, address, offset);
	elf_close(&f);
	return found;
}
