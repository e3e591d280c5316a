#include "image/dwarf/debug_sections.h"

#include "base/alloc.h"
#include "image/image_internal.h"

#include <gelf.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <zstd.h>

enum {
	UNPACKED_MAX = INT32_MAX,
	/* The best ratio of deflate: a section that claims more is rejected. */
	UNPACKED_TIMES = 1032,
	/* sizeof(Elf32_Chdr), sizeof(Elf64_Chdr) */
	HEADER_SIZE_32 = 12,
	HEADER_SIZE_64 = 24,
	PACKED_BY_ZSTD = 2, /* ELFCOMPRESS_ZSTD, which older headers of libelf lack */
};

/* Not needed: locations of variables, macros, and indexes of names. */
static const char *const needless[] = {
	".debug_loc",	       ".debug_loclists", ".debug_macro",    ".debug_macinfo",
	".debug_frame",	       ".debug_pubnames", ".debug_pubtypes", ".debug_gnu_pubnames",
	".debug_gnu_pubtypes", ".debug_names",
};

static bool is_needless(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(needless); i++)
		if (!strcmp(name, needless[i]))
			return true;
	return false;
}

static bool inflate_all(struct span packed, char *to, size_t size)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	size_t used;
	bool whole = d && libdeflate_zlib_decompress_ex(d, packed.at, packed.size, to, size, &used,
							NULL) == LIBDEFLATE_SUCCESS;

	libdeflate_free_decompressor(d);
	return whole;
}

static bool unpack(struct span packed, unsigned kind, char *to, size_t size)
{
	switch (kind) {
	case ELFCOMPRESS_ZLIB:
		return inflate_all(packed, to, size);
	case PACKED_BY_ZSTD:
		return ZSTD_decompress(to, size, packed.at, packed.size) == size;
	default:
		return false;
	}
}

/* The bytes after the header of a compressed section. */
static struct span packed_bytes(Elf *elf, Elf_Scn *section)
{
	size_t header = gelf_getclass(elf) == ELFCLASS32 ? HEADER_SIZE_32 : HEADER_SIZE_64;
	const Elf_Data *raw = elf_rawdata(section, NULL);

	if (!raw || !raw->d_buf || raw->d_size < header)
		return SPAN("");
	return span_from((struct span){ .at = raw->d_buf, .size = raw->d_size }, header);
}

/* A section that cannot be decompressed stays as it is: libdw will reject it. */
static void unpack_section(Elf *elf, Elf_Scn *section, GElf_Shdr *header, struct unpacked *u)
{
	struct span packed = packed_bytes(elf, section);
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Chdr says;
	size_t number = elf_ndxscn(section);
	char *bytes = NULL;

	if (!data || !packed.size || !gelf_getchdr(section, &says) || says.ch_size > UNPACKED_MAX ||
	    says.ch_size / UNPACKED_TIMES > packed.size)
		return;
	if (u->store)
		bytes = section_store_take(u->store, span_of(u->build_id), number,
					   (size_t)says.ch_size);
	if (!bytes) {
		bytes = xmalloc((size_t)says.ch_size + 1);
		if (!unpack(packed, says.ch_type, bytes, (size_t)says.ch_size)) {
			free(bytes);
			return;
		}
	}
	GROW(u->section, u->nr, u->cap);
	u->section[u->nr++] = (struct unpacked_section){ .bytes = bytes,
							 .number = number,
							 .size = (size_t)says.ch_size };
	data->d_buf = bytes;
	data->d_size = (size_t)says.ch_size;
	data->d_type = ELF_T_BYTE;
	header->sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	header->sh_size = says.ch_size;
	(void)gelf_update_shdr(section, header);
}

void debug_sections_unpack(Elf *elf, struct section_store *store, struct unpacked *u)
{
	char hex[BUILD_ID_HEX_MAX];
	struct span build_id = elf_build_id(elf, hex);
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	if (store && build_id.size) {
		u->store = store;
		u->build_id = xcalloc(build_id.size + 1, 1);
		memcpy(u->build_id, build_id.at, build_id.size);
	}
	while ((section = elf_nextscn(elf, section))) {
		const char *name;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
		    header.sh_flags & SHF_ALLOC)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (!name || !span_starts(span_of(name), ".debug_"))
			continue;
		if (is_needless(name)) {
			header.sh_type = SHT_NOBITS;
			(void)gelf_update_shdr(section, &header);
		} else if (header.sh_flags & SHF_COMPRESSED) {
			unpack_section(elf, section, &header, u);
		}
	}
}

void unpacked_release(struct unpacked *u)
{
	for (size_t i = 0; i < u->nr; i++) {
		const struct unpacked_section *s = &u->section[i];

		if (u->store)
			section_store_add(u->store, span_of(u->build_id), s->number, s->bytes,
					  s->size);
		else
			free(s->bytes);
	}
	free(u->section);
	free(u->build_id);
	*u = (struct unpacked){ 0 };
}

const char *debug_section_name(enum debug_section section)
{
	static const char *const names[DEBUG_SECTIONS] = {
		[DEBUG_INFO] = ".debug_info",
		[DEBUG_ABBREV] = ".debug_abbrev",
		[DEBUG_ADDR] = ".debug_addr",
		[DEBUG_LINE] = ".debug_line",
		[DEBUG_LINE_STR] = ".debug_line_str",
		[DEBUG_RANGES] = ".debug_ranges",
		[DEBUG_RNGLISTS] = ".debug_rnglists",
		[DEBUG_STR] = ".debug_str",
		[DEBUG_STR_OFFSETS] = ".debug_str_offsets",
		[DEBUG_CU_INDEX] = ".debug_cu_index",
	};

	return names[section];
}

/* Old GNU tools named a compressed .debug_info .zdebug_info.  DEBUG_SECTIONS: not needed. */
static enum debug_section which_section(struct span name, enum debug_flavor flavor)
{
	char plain[32] = ".";
	unsigned i = 0;

	if (flavor == DWARF_SPLIT && span_ends(name, ".dwo"))
		name.size -= strlen(".dwo");
	else if (flavor == DWARF_SPLIT && !span_ends(name, "_index"))
		return DEBUG_SECTIONS;
	name = span_from(name, span_starts(name, ".z") ? 2 : 1);
	if (name.size + 2 > sizeof(plain))
		return DEBUG_SECTIONS;
	memcpy(plain + 1, name.at, name.size);
	while (i < DEBUG_SECTIONS && strcmp(plain, debug_section_name(i)) != 0)
		i++;
	return i;
}

void debug_bytes_init(struct debug_bytes *d, enum byte_order order)
{
	d->order = order;
	for (size_t i = 0; i < DEBUG_SECTIONS; i++)
		d->section[i] = SPAN("");
}

void debug_sections_find(Elf *elf, enum debug_flavor flavor, struct debug_bytes *found)
{
	const char *ident = elf_getident(elf, NULL);
	Elf_Scn *section = NULL;
	size_t names;

	debug_bytes_init(found, ident && ident[EI_DATA] == ELFDATA2MSB ? ORDER_BIG : ORDER_LITTLE);
	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((section = elf_nextscn(elf, section))) {
		const Elf_Data *data;
		enum debug_section which;
		const char *name;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
		    header.sh_flags & (SHF_COMPRESSED | SHF_GROUP))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		which = name ? which_section(span_of(name), flavor) : DEBUG_SECTIONS;
		/* Of two sections with the same name, the first counts. */
		if (which == DEBUG_SECTIONS || found->section[which].size)
			continue;
		data = elf_getdata(section, NULL);
		if (data && data->d_buf)
			found->section[which] = (struct span){ data->d_buf, data->d_size };
	}
}
