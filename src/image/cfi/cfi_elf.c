/* Finds the sections with unwind information in an ELF file, or in its debug file. */
#include "base/alloc.h"
#include "image/cfi/cfi_build.h"
#include "image/image_internal.h"

#include <gelf.h>
#include <stdlib.h>

enum {
	/*
	 * A compressed section states its decompressed size, which is rejected if deflate (at most
	 * 1032:1) cannot reach it.
	 */
	UNPACKED_MAX = 1024 * 1024 * 1024,
	UNPACKED_TIMES = 1032,
};

static bool unpack(Elf_Scn *section, const GElf_Shdr *header)
{
	GElf_Chdr packed;

	if (!(header->sh_flags & SHF_COMPRESSED))
		return true;
	return gelf_getchdr(section, &packed) && packed.ch_size <= UNPACKED_MAX &&
	       packed.ch_size / UNPACKED_TIMES <= header->sh_size &&
	       elf_compress(section, 0, 0) >= 0;
}

static bool find_section(Elf *elf, const char *wanted, struct cfi_section *s)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const Elf_Data *data;
		const char *name;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (!name || strcmp(name, wanted) != 0 || !unpack(section, &header))
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf)
			continue;
		s->bytes = (struct span){ .at = data->d_buf, .size = data->d_size };
		s->address = header.sh_addr;
		return true;
	}
	return false;
}

/* The bytes of a segment of that type, from a virtual address to its end. */
static bool find_bytes(Elf *elf, unsigned type, uint64_t address, struct cfi_section *s)
{
	GElf_Phdr header;

	for (int i = 0; gelf_getphdr(elf, i, &header); i++) {
		const Elf_Data *data;

		if (header.p_type != type || address - header.p_vaddr >= header.p_filesz)
			continue;
		data = elf_segment_bytes(elf, &header, address - header.p_vaddr);
		if (!data || !data->d_buf)
			continue;
		s->bytes = (struct span){ .at = data->d_buf, .size = data->d_size };
		s->address = address;
		return true;
	}
	return false;
}

/* Without section headers: PT_GNU_EH_FRAME is the index, which has the address of .eh_frame. */
static bool find_by_segments(Elf *elf, struct cfi_section *eh, struct cfi_section *index)
{
	GElf_Phdr header;

	for (int i = 0; gelf_getphdr(elf, i, &header); i++)
		if (header.p_type == PT_GNU_EH_FRAME)
			return find_bytes(elf, PT_GNU_EH_FRAME, header.p_vaddr, index) &&
			       cfi_indexed(index, &eh->address) &&
			       find_bytes(elf, PT_LOAD, eh->address, eh);
	return false;
}

static bool add_frames(struct cfi_builder *b, Elf *elf)
{
	struct cfi_section eh = { .format = CFI_EH_FRAME }, debug = { .format = CFI_DEBUG_FRAME };
	struct cfi_section index = { 0 };
	bool has_eh = find_section(elf, ".eh_frame", &eh);
	bool has_debug = find_section(elf, ".debug_frame", &debug);

	if (has_eh)
		find_section(elf, ".eh_frame_hdr", &index);
	else if (!has_debug)
		has_eh = find_by_segments(elf, &eh, &index);
	if (has_eh && !cfi_add_lazy(b, &eh, &index))
		cfi_add_section(b, &eh);
	if (has_debug)
		cfi_add_section(b, &debug);
	return has_eh || has_debug;
}

static size_t find_code(Elf *elf, struct cfi_code code[static SEGMENTS_MAX])
{
	struct segment segment[SEGMENTS_MAX];
	size_t all = elf_segments(elf, segment, SEGMENTS_MAX), nr = 0;

	for (size_t i = 0; i < all; i++)
		if (segment[i].code)
			code[nr++] = (struct cfi_code){ .offset = segment[i].offset,
							.size = segment[i].size,
							.address = segment[i].address };
	return nr;
}

/* fd is open on the file if it has the machine code, and not only debug info; else -1. */
static struct cfi *cfi_of_elf(Elf *elf, int fd, struct span path, const struct image_opts *o)
{
	struct cfi_code code[SEGMENTS_MAX];
	struct debug_search s = { .program = elf, .path = path, .content = ELF_SYMTAB, .o = o };
	struct cfi_builder b;
	struct elf_file debug;
	GElf_Ehdr header;
	struct cfi *c;

	if (!gelf_getehdr(elf, &header) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_ident[EI_DATA] != ELFDATA2LSB || !cfi_machine_find(header.e_machine))
		return NULL;
	cfi_builder_init(&b, cfi_machine_find(header.e_machine), code, find_code(elf, code));
	cfi_keep_code(&b, fd);
	cfi_add_go(&b, elf);
	if (!add_frames(&b, elf) && debug_file_open(&s, &debug)) {
		add_frames(&b, debug.elf);
		elf_close(&debug);
	}
	if (header.e_entry)
		cfi_add_entry(&b, header.e_entry);
	c = cfi_finish(&b);
	cfi_builder_release(&b);
	return c;
}

static bool open_file(struct span path, struct span build_id, const struct image_opts *o,
		      struct elf_file *f, bool *is_program)
{
	*is_program = elf_open_program(path, build_id, o, f) == IMAGE_OPEN;
	if (*is_program)
		return true;
	/* The file is missing or was replaced: a copy or debug file with its build ID will do. */
	return debug_file_open(&(struct debug_search){ .path = path, .build_id = build_id, .o = o },
			       f);
}

static struct cfi *cfi_of_vdso(struct span build_id, const struct image_opts *o)
{
	enum image_state state;
	struct image *m = image_open(SPAN("[vdso]"), build_id, o, &state);
	struct cfi *c = m ? cfi_of_elf(m->file[0].elf, -1, SPAN(""), o) : NULL;

	image_close(m);
	return c;
}

struct cfi *cfi_open(struct span path, struct span build_id, const struct image_opts *o)
{
	bool is_program;
	struct elf_file f;
	struct cfi *c;

	if (span_is(path, "[vdso]"))
		return cfi_of_vdso(build_id, o);
	if (!path.size || path.at[0] != '/' || !open_file(path, build_id, o, &f, &is_program))
		return NULL;
	c = cfi_of_elf(f.elf, is_program ? f.fd : -1, path, o);
	elf_close(&f);
	return c;
}
