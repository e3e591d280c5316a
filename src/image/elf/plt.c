/*
 * Names for the stubs of the PLT, which have no symbols.  Each stub jumps through a slot of the
 * GOT, and a relocation says which symbol's address the dynamic linker puts into that slot.
 */
#include "base/alloc.h"
#include "base/fields.h"
#include "base/strbuf.h"
#include "image/image_internal.h"

#include <gelf.h>
#include <stdlib.h>

enum { STUB = 16 /* bytes */, SLOTS_MAX = 1024 * 1024 };

/* A slot of the GOT. */
struct slot {
	uint64_t address;
	const char *name;
};

struct slots {
	struct slot *slot;
	size_t nr, cap;
};

static int by_address(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static const char *symbol_name(Elf *elf, size_t table, size_t i)
{
	Elf_Scn *section = elf_getscn(elf, table);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Shdr header;
	GElf_Sym s;

	if (!data || !gelf_getshdr(section, &header) || !gelf_getsym(data, (int)i, &s))
		return NULL;
	return elf_strptr(elf, header.sh_link, s.st_name);
}

static void add_slots(struct slots *t, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < nr && t->nr < SLOTS_MAX; i++) {
		const char *name;
		GElf_Rela r;

		if (!gelf_getrela(data, (int)i, &r) || !GELF_R_SYM(r.r_info))
			continue;
		name = symbol_name(elf, header->sh_link, GELF_R_SYM(r.r_info));
		if (!name || !*name)
			continue;
		GROW(t->slot, t->nr, t->cap);
		t->slot[t->nr++] = (struct slot){ .address = r.r_offset, .name = name };
	}
}

static struct slots find_slots(Elf *elf)
{
	Elf_Scn *section = NULL;
	struct slots t = { 0 };

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
		    header.sh_flags & SHF_ALLOC)
			add_slots(&t, elf, section, &header);
	}
	if (t.nr)
		qsort(t.slot, t.nr, sizeof(*t.slot), by_address);
	return t;
}

/* x86-64: jmp *distance(%rip), from the end of the instruction. */
static bool x86_slot(struct span stub, uint64_t address, uint64_t *slot)
{
	for (size_t i = 0; i + 6 <= stub.size; i++)
		if (stub.at[i] == '\xff' && stub.at[i + 1] == '\x25') {
			*slot = address + i + 6 +
				(uint64_t)(int32_t)load_u32(stub.at + i + 2, ORDER_LITTLE);
			return true;
		}
	return false;
}

/* aarch64: adrp x16, page of the slot; ldr x17, [x16, rest of its address]. */
static bool arm_slot(struct span stub, uint64_t address, uint64_t *slot)
{
	for (size_t i = 0; i + 8 <= stub.size; i += 4) {
		uint32_t adrp = load_u32(stub.at + i, ORDER_LITTLE);
		uint32_t ldr = load_u32(stub.at + i + 4, ORDER_LITTLE);
		uint32_t pages = (adrp >> 3 & 0x1ffffc) | (adrp >> 29 & 3);

		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		/* a signed number of 21 bits */
		*slot = ((address + i) & ~UINT64_C(0xfff)) +
			((uint64_t)(int64_t)((int32_t)(pages << 11) >> 11) << 12) +
			(uint64_t)(ldr >> 10 & 0xfff) * 8;
		return true;
	}
	return false;
}

typedef bool slot_finder(struct span stub, uint64_t address, uint64_t *slot);

static void add_stubs(struct image *m, const struct slots *t, Elf_Scn *section,
		      const GElf_Shdr *header, slot_finder *find)
{
	const Elf_Data *data = elf_rawdata(section, NULL);
	struct span code = { .at = data ? data->d_buf : NULL, .size = data ? data->d_size : 0 };
	struct strbuf name = { 0 };

	/* The first stub calls the dynamic linker: its slot has no relocation. */
	for (size_t at = 0; code.at && at + STUB <= code.size; at += STUB) {
		struct symbol s = { .begin = header->sh_addr + at,
				    .end = header->sh_addr + at + STUB };
		struct slot key, *found;

		if (!find(span_upto(span_from(code, at), STUB), s.begin, &key.address))
			continue;
		found = bsearch(&key, t->slot, t->nr, sizeof(*t->slot), by_address);
		if (!found)
			continue;
		strbuf_reset(&name);
		strbuf_addf(&name, "%s@plt", found->name);
		symtab_add_copy(&m->symbols, &s, strbuf_peek(&name));
	}
	strbuf_release(&name);
}

void plt_symbols(struct image *m, Elf *elf)
{
	Elf_Scn *section = NULL;
	slot_finder *find;
	GElf_Ehdr ehdr;
	struct slots t;
	size_t names;

	if (!gelf_getehdr(elf, &ehdr) || elf_getshdrstrndx(elf, &names))
		return;
	if (ehdr.e_machine == EM_X86_64)
		find = x86_slot;
	else if (ehdr.e_machine == EM_AARCH64)
		find = arm_slot;
	else
		return;
	t = find_slots(elf);
	while (t.nr && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		/* .plt, .plt.sec, .plt.got */
		if (name && !strncmp(name, ".plt", 4))
			add_stubs(m, &t, section, &header, find);
	}
	free(t.slot);
}
