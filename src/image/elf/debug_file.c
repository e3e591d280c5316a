/*
 * Debug files, which hold what was stripped from a program.  They are found by build ID, by the
 * name in .gnu_debuglink, or on a server; the program itself may have some symbols, compressed
 * (minidebug info).
 */
#include "base/alloc.h"
#include "base/fields.h"
#include "base/strbuf.h"
#include "base/whole_file.h"
#include "image/image_internal.h"

#include <gelf.h>
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>

enum {
	MINIDEBUG_MAX = 256 * 1024 * 1024,
	LZMA_MEMORY_MAX = 128 * 1024 * 1024,
	DEBUG_FILE_MAX = INT32_MAX,
};

static struct span section_bytes(Elf *elf, const char *wanted)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return SPAN("");
	while ((section = elf_nextscn(elf, section))) {
		const Elf_Data *data;
		const char *name;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (!name || strcmp(name, wanted) != 0)
			continue;
		data = elf_rawdata(section, NULL);
		if (data && data->d_buf)
			return (struct span){ .at = data->d_buf, .size = data->d_size };
	}
	return SPAN("");
}

/* Does it have the same build ID, and the wanted content? */
static bool is_wanted(Elf *elf, const struct debug_search *s, struct span build_id)
{
	return elf_is_build(elf, build_id) && (!s->program || elf_has(elf, s->content));
}

static bool open_wanted(const char *path, const struct debug_search *s, struct span build_id,
			struct elf_file *f)
{
	if (!elf_open(path, f))
		return false;
	if (is_wanted(f->elf, s, build_id))
		return true;
	elf_close(f);
	return false;
}

/*
 * By build ID: distributions install debug files there (.debug), perf stores copies of recorded
 * programs (/elf).  If the program is missing, its copy is best: it has the code.
 */
static bool open_by_build_id(const struct debug_search *s, struct span build_id, struct elf_file *f)
{
	static const char *const kept[] = { "/elf", ".debug", "/debug" };
	static const char *const stripped[] = { ".debug", "/debug", "/elf" };
	const char *const *ending = s->program ? stripped : kept;
	struct strbuf path = { 0 };
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(kept) && !found; i++)
		for (const char *const *dir = s->o->debug_dir;
		     dir && *dir && build_id.size > 2 && !found; dir++) {
			strbuf_reset(&path);
			strbuf_addf(&path, "%s/.build-id/%.2s/%.*s%s", *dir, build_id.at,
				    (int)build_id.size - 2, build_id.at + 2, ending[i]);
			found = open_wanted(path.at, s, build_id, f);
		}
	strbuf_release(&path);
	return found;
}

/* .gnu_debuglink has the CRC-32 of the debug file, for programs without a build ID. */
static bool has_checksum(const char *path, uint32_t want)
{
	size_t size;
	char *bytes = whole_file(path, DEBUG_FILE_MAX, &size);
	bool same = bytes && crc32(0, (const Bytef *)bytes, (uInt)size) == want;

	free(bytes);
	return same;
}

static bool open_link(const char *path, const struct debug_search *s, uint32_t checksum,
		      struct elf_file *f)
{
	char hex[BUILD_ID_HEX_MAX];
	struct span build_id = elf_build_id(s->program, hex);

	if (!elf_open(path, f))
		return false;
	if (is_wanted(f->elf, s, build_id) && (build_id.size || has_checksum(path, checksum)))
		return true;
	elf_close(f);
	return false;
}

struct span debug_link_name(Elf *program)
{
	struct span link = section_bytes(program, ".gnu_debuglink");

	return span_upto(link, span_find(link, '\0'));
}

/* By .gnu_debuglink: beside the program, in .debug/ there, or below a folder of debug files. */
static bool open_by_link(const struct debug_search *s, struct elf_file *f)
{
	struct span link = section_bytes(s->program, ".gnu_debuglink"), folder;
	struct span name = span_upto(link, span_find(link, '\0'));
	size_t sum_at = (name.size + 4) & ~(size_t)3;
	struct strbuf full = { 0 };
	uint32_t checksum;
	bool found = false;

	if (!name.size || span_find(name, '/') != name.size || link.size < sum_at + 4)
		return false;
	checksum = load_u32(link.at + sum_at, ORDER_HOST);
	folder = span_upto(s->path, span_rfind(s->path, '/'));
	for (int inside = 0; inside < 2 && !found; inside++) {
		strbuf_reset(&full);
		strbuf_addf(&full, "%s%.*s/%s%.*s", s->o->symfs ? s->o->symfs : "",
			    (int)folder.size, folder.at, inside ? ".debug/" : "", (int)name.size,
			    name.at);
		found = open_link(full.at, s, checksum, f);
	}
	for (const char *const *dir = s->o->debug_dir; dir && *dir && !found; dir++) {
		strbuf_reset(&full);
		strbuf_addf(&full, "%s%.*s/%.*s", *dir, (int)folder.size, folder.at, (int)name.size,
			    name.at);
		found = open_link(full.at, s, checksum, f);
	}
	strbuf_release(&full);
	return found;
}

/* From a server.  This is slow, and tried last. */
static bool open_fetched(const struct debug_search *s, struct span build_id, struct elf_file *f)
{
	char hex[BUILD_ID_HEX_MAX], *path;
	bool found;

	if (!s->o->fetch || !build_id.size || build_id.size >= sizeof(hex))
		return false;
	memcpy(hex, build_id.at, build_id.size);
	hex[build_id.size] = '\0';
	path = s->o->fetch(s->o->fetch_arg, hex, s->path);
	found = path && open_wanted(path, s, build_id, f);
	free(path);
	return found;
}

bool debug_file_open(const struct debug_search *s, struct elf_file *f)
{
	struct span build_id = s->build_id;
	char hex[BUILD_ID_HEX_MAX];

	if (s->program && !build_id.size)
		build_id = elf_build_id(s->program, hex);
	return open_by_build_id(s, build_id, f) || (s->program && open_by_link(s, f)) ||
	       open_fetched(s, build_id, f);
}

static char *unpack_xz(struct span packed, size_t *size)
{
	lzma_stream z = LZMA_STREAM_INIT;
	size_t cap = (size_t)1024 * 1024;
	lzma_ret ret = lzma_stream_decoder(&z, LZMA_MEMORY_MAX, 0);
	char *bytes = xmalloc(cap);

	z.next_in = (const uint8_t *)packed.at;
	z.avail_in = packed.size;
	*size = 0;
	while (ret == LZMA_OK && cap <= MINIDEBUG_MAX) {
		if (*size == cap) {
			cap *= 2;
			bytes = xreallocarray(bytes, cap, 1);
		}
		z.next_out = (uint8_t *)bytes + *size;
		z.avail_out = cap - *size;
		ret = lzma_code(&z, LZMA_FINISH);
		*size = cap - z.avail_out;
	}
	lzma_end(&z);
	if (ret == LZMA_STREAM_END)
		return bytes;
	free(bytes);
	return NULL;
}

bool minidebug_open(Elf *program, struct elf_file *f)
{
	struct span packed = section_bytes(program, ".gnu_debugdata");
	size_t size;

	*f = (struct elf_file){ .fd = -1 };
	if (!packed.size)
		return false;
	f->bytes = unpack_xz(packed, &size);
	if (f->bytes)
		f->elf = elf_memory(f->bytes, size);
	if (f->elf && elf_kind(f->elf) == ELF_K_ELF)
		return true;
	elf_close(f);
	return false;
}
