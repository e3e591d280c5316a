/* The machine code of a function, as it is in the file. */
#include "image/image_internal.h"

#include <gelf.h>

/* Finds the bytes at an address; false if its section was stripped of its content. */
static bool find_bytes(Elf *elf, uint64_t address, struct span *bytes)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
		    !(header.sh_flags & SHF_EXECINSTR) ||
		    address - header.sh_addr >= header.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf || address - header.sh_addr >= data->d_size)
			continue;
		*bytes = span_from((struct span){ data->d_buf, data->d_size },
				   (size_t)(address - header.sh_addr));
		return true;
	}
	return false;
}

static bool find_in_files(const struct image *m, uint64_t address, struct image_code *code)
{
	for (size_t i = 0; i < m->nr_file; i++) {
		GElf_Ehdr header;

		if (!gelf_getehdr(m->file[i].elf, &header) ||
		    !find_bytes(m->file[i].elf, address, &code->bytes))
			continue;
		code->machine = header.e_machine;
		code->is_64 = header.e_ident[EI_CLASS] == ELFCLASS64;
		code->order = header.e_ident[EI_DATA] == ELFDATA2MSB ? ORDER_BIG : ORDER_LITTLE;
		return true;
	}
	return false;
}

bool image_code(const struct image *m, uint64_t offset, struct image_code *code)
{
	const struct symbol *s = image_symbol(m, offset);
	uint64_t address;

	*code = (struct image_code){ 0 };
	if (!s || !image_address(m, offset, &address) || address < s->begin ||
	    address - s->begin > offset || !find_in_files(m, s->begin, code))
		return false;
	code->address = s->begin;
	code->place = offset - (address - s->begin);
	if (s->end - s->begin < code->bytes.size)
		code->bytes.size = (size_t)(s->end - s->begin);
	return true;
}
