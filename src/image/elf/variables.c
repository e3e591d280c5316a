/* The variable at an address, such as a lock, which may have no bytes in the file (.bss). */
#include "image/image_internal.h"

#include <gelf.h>
#include <stdio.h>

/* The virtual address of a place in the file. */
static bool find_address(Elf *elf, uint64_t place, uint64_t *address)
{
	struct segment segment[SEGMENTS_MAX];
	size_t nr = elf_segments(elf, segment, SEGMENTS_MAX);

	for (size_t i = 0; i < nr; i++)
		if (place - segment[i].offset < segment[i].size) {
			*address = place - segment[i].offset + segment[i].address;
			return true;
		}
	return false;
}

/* Is the address in a segment of the file, or in its .bss, which has no bytes in the file? */
static bool is_in_memory(Elf *elf, uint64_t address)
{
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    address - header.p_vaddr < header.p_memsz)
			return true;
	}
	return false;
}

/*
 * Of two variables that contain the address, the smaller is nested in the other; of equal ones, the
 * global one is better.
 */
static bool is_better(const GElf_Sym *s, const GElf_Sym *best)
{
	if (!best->st_size || s->st_size != best->st_size)
		return !best->st_size || s->st_size < best->st_size;
	return GELF_ST_BIND(s->st_info) != STB_LOCAL && GELF_ST_BIND(best->st_info) == STB_LOCAL;
}

static void search_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, uint64_t address,
			 struct image_variable *out)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	GElf_Sym s, best = { 0 };
	const char *name;

	for (size_t i = 0; i < nr && i < SYMBOLS_MAX; i++)
		if (gelf_getsym(data, (int)i, &s) && s.st_shndx != SHN_UNDEF &&
		    GELF_ST_TYPE(s.st_info) == STT_OBJECT && address - s.st_value < s.st_size &&
		    is_better(&s, &best))
			best = s;
	name = best.st_size ? elf_strptr(elf, header->sh_link, best.st_name) : NULL;
	if (!name)
		return;
	/* Versions (environ@@GLIBC_2.2.5) are not part of the name. */
	snprintf(out->name, sizeof(out->name), "%.*s", (int)strcspn(name, "@"), name);
	out->offset = address - best.st_value;
}

static void search(Elf *elf, uint64_t address, struct image_variable *out)
{
	Elf_Scn *section = NULL;

	while (!*out->name && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			search_table(elf, section, &header, address, out);
	}
}

bool image_variable(struct span path, struct span build_id, const struct image_opts *o,
		    const struct image_spot *at, struct image_variable *out)
{
	struct debug_search s = {
		.path = path, .build_id = build_id, .content = ELF_SYMTAB, .o = o
	};
	struct elf_file f, debug;
	uint64_t address;
	bool inside;

	*out = (struct image_variable){ 0 };
	if (elf_open_program(path, build_id, o, &f) != IMAGE_OPEN)
		return false;
	s.program = f.elf;
	inside = find_address(f.elf, at->place, &address) &&
		 is_in_memory(f.elf, address += (uint64_t)at->distance);
	if (inside)
		search(f.elf, address, out);
	if (inside && !*out->name && debug_file_open(&s, &debug)) {
		search(debug.elf, address, out);
		elf_close(&debug);
	}
	elf_close(&f);
	return inside;
}
