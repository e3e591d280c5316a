#include "image/code/code_ranges.h"

#include "base/alloc.h"

#include <gelf.h>

struct code_range code_range_of(Elf *elf)
{
	struct code_range code = { .begin = UINT64_MAX };
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
		    header.sh_addr + header.sh_size < header.sh_addr)
			continue;
		if (header.sh_addr < code.begin)
			code.begin = header.sh_addr;
		if (header.sh_addr + header.sh_size > code.end)
			code.end = header.sh_addr + header.sh_size;
	}
	if (code.begin > code.end)
		code.begin = code.end;
	if (code.end - code.begin > UINT32_MAX)
		code.end = code.begin + UINT32_MAX;
	return code;
}

void ranges_add(struct ranges *t, const struct code_range *code, uint64_t begin, uint64_t end,
		struct range r)
{
	if (begin < code->begin || end > code->end || begin >= end || t->nr == RANGES_MAX)
		return;
	r.begin = (uint32_t)(begin - code->begin);
	r.end = (uint32_t)(end - code->begin);
	GROW(t->range, t->nr, t->cap);
	t->range[t->nr++] = r;
}
