/*
 * The PT_LOADs of a file: which part of it is at which virtual address.
 *
 * In a debug file, segments are empty, and strip may have changed their offsets.  But recordings
 * have the offsets of the program, which may be missing.  So they are computed again: all linkers
 * put one segment after the other, each at the first offset that equals its address modulo the
 * alignment.
 */
#include "image/image_internal.h"

#include <gelf.h>

static size_t find_loads(Elf *elf, GElf_Phdr *load, size_t max)
{
	size_t nr_header, nr = 0;

	if (elf_getphdrnum(elf, &nr_header))
		return 0;
	for (size_t i = 0; i < nr_header && nr < max; i++) {
		if (!gelf_getphdr(elf, (int)i, &load[nr]))
			break;
		nr += load[nr].p_type == PT_LOAD;
	}
	return nr;
}

/* Is it a debug file with changed segments?  Some tools do not change them. */
static bool is_emptied(Elf *elf, const GElf_Phdr *load, size_t nr)
{
	Elf_Scn *section = NULL;
	bool shrunk = false;

	for (size_t i = 0; i < nr; i++)
		shrunk |= load[i].p_flags & PF_X && load[i].p_filesz < load[i].p_memsz;
	while (shrunk && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR &&
		    header.sh_type == SHT_NOBITS)
			return true;
	}
	return false;
}

/* The first section of a segment may have a larger alignment than the segment itself. */
static uint64_t alignment(Elf *elf, const GElf_Phdr *load)
{
	uint64_t align = load->p_align ? load->p_align : 1;
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_ALLOC &&
		    header.sh_addr == load->p_vaddr && header.sh_addralign > align)
			align = header.sh_addralign;
	}
	return align;
}

/* The first offset from `end` on that equals the address modulo the alignment. */
static uint64_t offset_behind(uint64_t end, Elf *elf, const GElf_Phdr *load)
{
	uint64_t align = alignment(elf, load);

	return end + (load->p_vaddr % align + align - end % align) % align;
}

size_t elf_segments(Elf *elf, struct segment *segment, size_t max)
{
	GElf_Phdr load[SEGMENTS_MAX];
	size_t nr = find_loads(elf, load, max < SEGMENTS_MAX ? max : SEGMENTS_MAX);
	bool emptied = is_emptied(elf, load, nr);
	uint64_t end = 0;

	for (size_t i = 0; i < nr; i++) {
		struct segment s = { .offset = load[i].p_offset,
				     .size = load[i].p_filesz,
				     .address = load[i].p_vaddr,
				     .code = load[i].p_flags & PF_X };

		if (emptied) {
			s.offset = offset_behind(end, elf, &load[i]);
			s.size = load[i].p_memsz;
			end = s.offset + s.size;
		}
		segment[i] = s;
	}
	return nr;
}

Elf_Data *elf_segment_bytes(Elf *elf, const GElf_Phdr *segment, uint64_t from)
{
	size_t nr_section;

	if (elf_getshdrnum(elf, &nr_section) || nr_section || from >= segment->p_filesz ||
	    segment->p_offset > INT64_MAX - from)
		return NULL;
	return elf_getdata_rawchunk(elf, (int64_t)(segment->p_offset + from),
				    segment->p_filesz - from, ELF_T_BYTE);
}

size_t image_pieces(struct span path, struct span build_id, const struct image_opts *o,
		    struct image_piece piece[static IMAGE_PIECES_MAX])
{
	struct segment segment[IMAGE_PIECES_MAX];
	struct elf_file f;
	size_t nr;

	if (elf_open_program(path, build_id, o, &f) != IMAGE_OPEN)
		return 0;
	nr = elf_segments(f.elf, segment, IMAGE_PIECES_MAX);
	for (size_t i = 0; i < nr; i++)
		piece[i] =
			(struct image_piece){ .distance = segment[i].address - segment[0].address,
					      .offset = segment[i].offset,
					      .size = segment[i].size };
	elf_close(&f);
	return nr;
}
