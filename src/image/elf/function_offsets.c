/* The offset of each function in its file: for probes. */
#include "image/image_internal.h"

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
static struct span name_of(const char *symbol)
{
	struct span s = span_of(symbol);

	return span_upto(s, span_find(s, '@'));
}

struct function_walk {
	Elf *program; /* has the segments; the symbols may be in its debug file */
	image_function_visit *visit;
	void *arg;
};

/* True if the visitor stopped. */
static bool walk_table(const struct function_walk *w, Elf *elf, Elf_Scn *section,
		       const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < nr && i < SYMBOLS_MAX; i++) {
		const char *symbol;
		uint64_t offset;
		GElf_Sym s;

		if (!gelf_getsym(data, (int)i, &s))
			break;
		if (s.st_shndx == SHN_UNDEF || GELF_ST_TYPE(s.st_info) != STT_FUNC)
			continue;
		symbol = elf_strptr(elf, header->sh_link, s.st_name);
		if (symbol && elf_find_offset(w->program, s.st_value, &offset) &&
		    w->visit(w->arg, name_of(symbol), offset))
			return true;
	}
	return false;
}

static bool walk(const struct function_walk *w, Elf *elf)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
		    walk_table(w, elf, section, &header))
			return true;
	}
	return false;
}

void image_functions_each(struct span path, const struct image_opts *o, image_function_visit *visit,
			  void *arg)
{
	struct debug_search s = { .path = path, .content = ELF_SYMTAB, .o = o };
	struct function_walk w = { .visit = visit, .arg = arg };
	struct elf_file f, debug;

	if (elf_open_program(path, SPAN(""), o, &f) != IMAGE_OPEN)
		return;
	w.program = s.program = f.elf;
	if (!walk(&w, f.elf) && debug_file_open(&s, &debug)) {
		walk(&w, debug.elf);
		elf_close(&debug);
	}
	elf_close(&f);
}
