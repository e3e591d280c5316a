/*
 * A kernel module as an image: from /proc/kallsyms if it is loaded here, or from its file.  Places
 * are distances from where the kernel has loaded the module.
 */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/stream.h"
#include "base/whole_file.h"
#include "image/image_internal.h"

#include <gelf.h>
#include <stdlib.h>

enum {
	MODULES_MAX = 1024 * 1024,
	MODULE_FILE_MAX = 256 * 1024 * 1024,
	MODULE_SECTIONS_MAX = 64 * 1024,
	NOTES_MAX = 64 * 1024,
};

/* xfs of [xfs], xfs.ko, /lib/modules/6.1.0/kernel/fs/xfs/xfs.ko.zst */
struct span module_name(struct span path)
{
	size_t slash = span_rfind(path, '/'), ending;

	if (path.size > 2 && path.at[0] == '[' && path.at[path.size - 1] == ']')
		return span_upto(span_from(path, 1), path.size - 2);
	if (slash < path.size)
		path = span_from(path, slash + 1);
	ending = span_rfind_text(path, ".ko");
	/* .ko, or .ko.zst */
	if (ending == path.size || (ending + 3 < path.size && path.at[ending + 3] != '.'))
		return SPAN("");
	return span_upto(path, ending);
}

/* File names may have dashes where the kernel has underscores. */
static bool is_same_name(struct span a, struct span b)
{
	bool same = a.size == b.size;

	for (size_t i = 0; i < a.size && same; i++)
		same = (a.at[i] == '-' ? '_' : a.at[i]) == (b.at[i] == '-' ? '_' : b.at[i]);
	return same;
}

/* From the running kernel */

/* "xfs 1921024 1 - Live 0xffffffffc0a00000"; 0 if it is not loaded, or the address is hidden. */
static uint64_t loaded_at(struct span name)
{
	size_t size;
	char *bytes = whole_file("/proc/modules", MODULES_MAX, &size);
	struct span all = { bytes, bytes ? size : 0 };
	uint64_t address, found = 0;

	while (all.size && !found) {
		struct span line = span_line(&all), word = SPAN("");

		if (!is_same_name(span_word(&line), name))
			continue;
		for (int field = 0; field < 5; field++)
			word = span_word(&line);
		if (span_starts(word, "0x") && span_hex(span_from(word, 2), &address))
			found = address;
	}
	free(bytes);
	return found;
}

static bool is_loaded_build(struct span name, struct span build_id)
{
	struct strbuf path = { 0 };
	char hex[BUILD_ID_HEX_MAX];
	size_t size;
	char *notes;
	bool same;

	if (!build_id.size)
		return true;
	strbuf_addf(&path, "/sys/module/%.*s/notes/.note.gnu.build-id", (int)name.size, name.at);
	for (size_t i = 0; i < path.size; i++)
		if (path.at[i] == '-' && i >= strlen("/sys/module/") &&
		    i < strlen("/sys/module/") + name.size)
			path.at[i] = '_';
	notes = whole_file(path.at, NOTES_MAX, &size);
	strbuf_release(&path);
	same = notes && span_eq(build_id, build_id_of_notes((struct span){ notes, size }, hex));
	free(notes);
	return same;
}

/* From its file */

/* The whole file, decompressed; NULL if that fails. */
static char *unpack(const char *path, size_t *size)
{
	struct error ignored = ERROR_INIT;
	struct stream *stream = stream_open(path, &ignored);
	size_t cap = (size_t)1024 * 1024;
	char *bytes = NULL;
	ssize_t n;

	*size = 0;
	while (stream && cap <= MODULE_FILE_MAX) {
		bytes = xreallocarray(bytes, cap, 1);
		n = stream_read(stream, bytes + *size, cap - *size, &ignored);
		if (n < 0)
			break;
		*size += (size_t)n;
		if (*size < cap) {
			stream_close(stream);
			return bytes;
		}
		cap *= 2;
	}
	stream_close(stream);
	free(bytes);
	return NULL;
}

/* Opens a module, which may be compressed, from memory. */
static bool open_packed(const char *path, struct elf_file *f)
{
	char *bytes;
	size_t size;

	*f = (struct elf_file){ .fd = -1 };
	bytes = unpack(path, &size);
	if (!bytes)
		return false;
	f->bytes = bytes;
	elf_version(EV_CURRENT);
	f->elf = elf_memory(bytes, size);
	if (f->elf && elf_kind(f->elf) == ELF_K_ELF)
		return true;
	elf_close(f);
	return false;
}

static bool open_file(struct span path, struct span build_id, const struct image_opts *o,
		      struct elf_file *f)
{
	struct debug_search s = { .path = path, .build_id = build_id, .o = o };
	struct strbuf full = { 0 };
	bool found = false;

	if (path.at[0] == '/') {
		strbuf_add(&full, span_of(o->symfs ? o->symfs : ""));
		strbuf_add(&full, path);
		found = elf_open(full.at, f) || open_packed(full.at, f);
	}
	strbuf_release(&full);
	if (found && !elf_is_build(f->elf, build_id)) {
		elf_close(f);
		found = false;
	}
	return found || debug_file_open(&s, f);
}

/*
 * Computes where the kernel puts each section with code when it loads a module: in the order of the
 * file, without .init, which it frees after loading.
 */
static void lay_out(Elf *elf, uint64_t *at, size_t nr)
{
	uint64_t end = 0;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	for (size_t i = 1; i < nr; i++) {
		const uint64_t code = SHF_ALLOC | SHF_EXECINSTR;
		const char *name;
		GElf_Shdr h;

		if (!gelf_getshdr(elf_getscn(elf, i), &h) || (h.sh_flags & code) != code)
			continue;
		name = elf_strptr(elf, names, h.sh_name);
		if (!name || !strncmp(name, ".init", strlen(".init")) || h.sh_addralign > 1 << 20)
			continue;
		if (h.sh_addralign > 1)
			end = (end + h.sh_addralign - 1) / h.sh_addralign * h.sh_addralign;
		at[i] = end;
		end += h.sh_size;
	}
}

enum { NOT_LOADED = -1 };

static void place_symbols(struct image *m, Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t nr;
	uint64_t *at;

	if (elf_getshdrnum(elf, &nr) || nr > MODULE_SECTIONS_MAX)
		return;
	at = xmalloc(nr * sizeof(*at));
	memset(at, NOT_LOADED, nr * sizeof(*at));
	lay_out(elf, at, nr);
	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL);
		GElf_Shdr h;

		if (!gelf_getshdr(section, &h) || h.sh_type != SHT_SYMTAB || !data || !h.sh_entsize)
			continue;
		for (size_t i = 0; i < data->d_size / h.sh_entsize && i < SYMBOLS_MAX; i++) {
			struct symbol s;
			GElf_Sym sym;

			if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx >= nr ||
			    at[sym.st_shndx] == (uint64_t)NOT_LOADED ||
			    GELF_ST_TYPE(sym.st_info) != STT_FUNC)
				continue;
			s = (struct symbol){ .begin = at[sym.st_shndx] + sym.st_value,
					     .name = elf_strptr(elf, h.sh_link, sym.st_name),
					     .global = GELF_ST_BIND(sym.st_info) == STB_GLOBAL };
			s.end = s.begin + sym.st_size;
			if (s.name && *s.name && s.end >= s.begin)
				symtab_add(&m->symbols, &s);
		}
	}
	free(at);
}

enum image_state module_image(struct image *m, struct span path, struct span build_id,
			      const struct image_opts *o)
{
	struct span name = module_name(path);
	bool local = kernel_is_local(SPAN(""), o);
	uint64_t base = local && is_loaded_build(name, build_id) ? loaded_at(name) : 0;
	struct elf_file f;

	if (base)
		kallsyms_module(m, name, base);
	/* Without a build ID, the file on disk is trusted if the recorded kernel is running. */
	if (!m->symbols.nr && (build_id.size || local) && open_file(path, build_id, o, &f)) {
		m->file[m->nr_file++] = f;
		place_symbols(m, f.elf);
	}
	symtab_finish(&m->symbols, EQUAL_BEST);
	return m->symbols.nr ? IMAGE_OPEN : IMAGE_MISSING;
}
