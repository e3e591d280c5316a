/* The build ID in the notes of a file or a kernel. */
#include "base/fields.h"
#include "image/image_internal.h"

#include <gelf.h>
#include <stdio.h>

static size_t padded(uint32_t size)
{
	return ((size_t)size + 3) & ~(size_t)3;
}

/* Notes (Elf_Nhdr): sizes of name and content, a type, then both, padded to 4 bytes. */
struct span build_id_of_notes(struct span notes, char hex[static BUILD_ID_HEX_MAX])
{
	enum { NOTE_BUILD_ID = 3, HEADER = 12 };

	while (notes.size >= HEADER) {
		uint32_t name_size = load_u32(notes.at, ORDER_HOST);
		uint32_t size = load_u32(notes.at + 4, ORDER_HOST);
		uint32_t type = load_u32(notes.at + 8, ORDER_HOST);
		struct span name = span_upto(span_from(notes, HEADER), name_size);
		struct span content = span_upto(span_from(notes, HEADER + padded(name_size)), size);

		if (type == NOTE_BUILD_ID && name.size == 4 && !memcmp(name.at, "GNU", 4) &&
		    content.size == size && size * 2 < BUILD_ID_HEX_MAX) {
			for (uint32_t i = 0; i < size; i++)
				snprintf(hex + 2 * (size_t)i, 3, "%02x",
					 (unsigned char)content.at[i]);
			return (struct span){ .at = hex, .size = 2 * (size_t)size };
		}
		notes = span_from(notes, HEADER + padded(name_size) + padded(size));
	}
	return SPAN("");
}

static struct span build_id_of_data(const Elf_Data *data, char hex[static BUILD_ID_HEX_MAX])
{
	if (!data || !data->d_buf)
		return SPAN("");
	return build_id_of_notes((struct span){ data->d_buf, data->d_size }, hex);
}

/* A file without section headers still has PT_NOTE, where the kernel finds the build ID, too. */
static struct span build_id_of_segments(Elf *elf, char hex[static BUILD_ID_HEX_MAX])
{
	struct span id = SPAN("");
	GElf_Phdr header;

	for (int i = 0; !id.size && gelf_getphdr(elf, i, &header); i++)
		if (header.p_type == PT_NOTE)
			id = build_id_of_data(elf_segment_bytes(elf, &header, 0), hex);
	return id;
}

struct span elf_build_id(Elf *elf, char hex[static BUILD_ID_HEX_MAX])
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		struct span id;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
			continue;
		id = build_id_of_data(elf_rawdata(section, NULL), hex);
		if (id.size)
			return id;
	}
	return build_id_of_segments(elf, hex);
}
