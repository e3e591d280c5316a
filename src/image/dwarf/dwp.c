#include "image/dwarf/dwp.h"

#include "base/alloc.h"

#include <dwarf.h>
#include <stdlib.h>

/*
 * libdw 0.188 does not support packages.  So each unit is passed to it as a .dwo file of its own:
 * an ELF file with empty sections, whose data pointers are then set to the unit's parts.
 */
struct shell {
	Elf64_Ehdr header;
	Elf64_Shdr section[DEBUG_SECTIONS + 2];
	char names[512];
};

struct opened {
	struct shell *shell;
	Elf *elf;
	Dwarf *dwarf;
};

struct dwp {
	struct unpacked unpacked;
	struct debug_bytes bytes;
	/*
	 * The index is a hash table of IDs (nr_slot), with a row for each (nr_row).  A row has an
	 * offset and a size for each section (nr_column).
	 */
	size_t nr_column, nr_row, nr_slot;
	struct span ids, rows, columns, offsets, sizes;
	enum { INDEX_GNU = 2, INDEX_DWARF_5 = 5 } version;
	struct opened *opened;
	size_t nr_opened, cap_opened;
};

static uint32_t word(struct span table, size_t i)
{
	return load_u32(table.at + i * sizeof(uint32_t), ORDER_HOST);
}

/* Counts are checked against the size of the section. */
static bool parse_index(struct dwp *d)
{
	struct fields f = fields_over(d->bytes.section[DEBUG_CU_INDEX], ORDER_HOST);
	uint32_t version = fields_u32(&f);
	uint64_t cells;

	/* In DWARF 5, the version has 2 bytes, followed by 2 bytes of padding. */
	if (version != INDEX_GNU && (version & UINT16_MAX) != INDEX_DWARF_5)
		return false;
	d->version = version == INDEX_GNU ? INDEX_GNU : INDEX_DWARF_5;
	d->nr_column = fields_u32(&f);
	d->nr_row = fields_u32(&f);
	d->nr_slot = fields_u32(&f);
	d->ids = fields_take(&f, (uint64_t)d->nr_slot * sizeof(uint64_t));
	d->rows = fields_take(&f, (uint64_t)d->nr_slot * sizeof(uint32_t));
	d->columns = fields_take(&f, (uint64_t)d->nr_column * sizeof(uint32_t));
	cells = (uint64_t)d->nr_row * d->nr_column;
	if (f.failed || !d->nr_slot || cells > fields_left(&f) / sizeof(uint32_t) / 2)
		return false;
	d->offsets = fields_take(&f, cells * sizeof(uint32_t));
	d->sizes = fields_take(&f, cells * sizeof(uint32_t));
	return true;
}

struct dwp *dwp_new(Elf *elf)
{
	struct dwp *d = xcalloc(1, sizeof(*d));

	debug_sections_unpack(elf, NULL, &d->unpacked);
	debug_sections_find(elf, DWARF_SPLIT, &d->bytes);
	if (d->bytes.order == ORDER_HOST && parse_index(d))
		return d;
	dwp_free(d);
	return NULL;
}

static void close_unit(const struct opened *o)
{
	dwarf_end(o->dwarf);
	elf_end(o->elf);
	free(o->shell);
}

void dwp_free(struct dwp *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nr_opened; i++)
		close_unit(&d->opened[i]);
	free(d->opened);
	unpacked_release(&d->unpacked);
	free(d);
}

/* The row of an ID, from 1; 0: there is none.  Double hashing, as in the standard. */
static uint32_t find_row(const struct dwp *d, uint64_t id)
{
	uint64_t mask = d->nr_slot - 1, at = id & mask, step = (id >> 32 & mask) | 1;

	for (size_t i = 0; i < d->nr_slot && at < d->nr_slot; i++, at = (at + step) & mask) {
		uint32_t row = word(d->rows, (size_t)at);

		if (!row || row > d->nr_row)
			return 0;
		if (load_u64(d->ids.at + at * sizeof(id), ORDER_HOST) == id)
			return row;
	}
	return 0;
}

/* The section of a column (DW_SECT_); DEBUG_SECTIONS: not needed. */
static enum debug_section section_of(const struct dwp *d, uint32_t column)
{
	switch (column) {
	case 1:
		return DEBUG_INFO;
	case 3:
		return DEBUG_ABBREV;
	case 4:
		return DEBUG_LINE;
	case 6:
		return DEBUG_STR_OFFSETS;
	case 8:
		return d->version == INDEX_DWARF_5 ? DEBUG_RNGLISTS : DEBUG_SECTIONS;
	default:
		return DEBUG_SECTIONS;
	}
}

/* The unit's parts of sections.  .debug_str.dwo is shared by all units. */
static void find_pieces(const struct dwp *d, uint32_t row, struct debug_bytes *pieces)
{
	debug_bytes_init(pieces, d->bytes.order);
	pieces->section[DEBUG_STR] = d->bytes.section[DEBUG_STR];
	for (size_t i = 0; i < d->nr_column; i++) {
		enum debug_section s = section_of(d, word(d->columns, i));
		size_t cell = (row - 1) * d->nr_column + i;
		size_t offset = word(d->offsets, cell), size = word(d->sizes, cell);

		if (s == DEBUG_SECTIONS || offset > d->bytes.section[s].size)
			continue;
		pieces->section[s] = span_upto(span_from(d->bytes.section[s], offset), size);
	}
}

static struct shell *new_shell(void)
{
	struct shell *s = xcalloc(1, sizeof(*s));
	size_t at = 1;

	s->header = (Elf64_Ehdr){ .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					       ORDER_HOST == ORDER_BIG ? ELFDATA2MSB : ELFDATA2LSB,
					       EV_CURRENT },
				  .e_type = ET_EXEC,
				  .e_version = EV_CURRENT,
				  .e_ehsize = sizeof(s->header),
				  .e_shoff = offsetof(struct shell, section),
				  .e_shentsize = sizeof(s->section[0]),
				  .e_shnum = ARRAY_SIZE(s->section),
				  .e_shstrndx = ARRAY_SIZE(s->section) - 1 };
	for (unsigned i = 0; i < DEBUG_SECTIONS; i++) {
		s->section[i + 1] =
			(Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_name = (Elf64_Word)at };
		at = (size_t)(stpcpy(stpcpy(s->names + at, debug_section_name(i)), ".dwo") -
			      s->names) +
		     1;
	}
	s->section[DEBUG_SECTIONS + 1] = (Elf64_Shdr){ .sh_type = SHT_STRTAB,
						       .sh_offset = offsetof(struct shell, names),
						       .sh_size = sizeof(s->names) };
	return s;
}

/* Passes the pieces to libdw; false if it rejects them. */
static bool open_unit(struct opened *o, const struct debug_bytes *pieces)
{
	o->shell = new_shell();
	o->elf = elf_memory((char *)o->shell, sizeof(*o->shell));
	for (unsigned i = 0; o->elf && i < DEBUG_SECTIONS; i++) {
		Elf_Data *data = elf_getdata(elf_getscn(o->elf, i + 1), NULL);

		if (!data || !pieces->section[i].size)
			continue;
		data->d_buf = (void *)(uintptr_t)pieces->section[i].at;
		data->d_size = pieces->section[i].size;
	}
	o->dwarf = o->elf ? dwarf_begin_elf(o->elf, DWARF_C_READ, NULL) : NULL;
	return o->dwarf;
}

static bool is_unit(Dwarf *dwarf, uint64_t id, Dwarf_Die *root)
{
	Dwarf_CU *cu = NULL;
	uint64_t its_id;
	uint8_t type;

	return !dwarf_get_units(dwarf, NULL, &cu, NULL, NULL, NULL, NULL) &&
	       !dwarf_cu_info(cu, NULL, &type, root, NULL, &its_id, NULL, NULL) &&
	       type == DW_UT_split_compile && its_id == id;
}

bool dwp_unit(struct dwp *d, uint64_t id, Dwarf_Die *root, struct debug_bytes *pieces)
{
	uint32_t row = find_row(d, id);
	struct opened o = { 0 };

	if (!row)
		return false;
	find_pieces(d, row, pieces);
	if (!open_unit(&o, pieces) || !is_unit(o.dwarf, id, root)) {
		close_unit(&o);
		return false;
	}
	GROW(d->opened, d->nr_opened, d->cap_opened);
	d->opened[d->nr_opened++] = o;
	return true;
}
