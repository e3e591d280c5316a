/* An executable or library (ELF) as an image: its segments, symbols and debug info. */
#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/whole_file.h"
#include "image/dwarf/inlines.h"
#include "image/image_internal.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files */

static void keep(struct image *m, struct elf_file f)
{
	m->file[m->nr_file++] = f;
}

void elf_close(struct elf_file *f)
{
	elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
	free(f->bytes);
}

/* Takes over a descriptor; closes it if that is not an ELF file. */
static bool elf_take(int fd, struct elf_file *f)
{
	struct stat st;

	*f = (struct elf_file){ .fd = fd };
	if (f->fd < 0)
		return false;
	elf_version(EV_CURRENT);
	if (!fstat(f->fd, &st) && S_ISREG(st.st_mode))
		f->elf = elf_begin(f->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (f->elf && elf_kind(f->elf) == ELF_K_ELF)
		return true;
	elf_close(f);
	return false;
}

bool elf_open(const char *path, struct elf_file *f)
{
	/* A recording may name any file: opening a FIFO must not block. */
	return elf_take(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), f);
}

bool elf_is_build(Elf *elf, struct span build_id)
{
	char hex[BUILD_ID_HEX_MAX];

	return !build_id.size || span_eq(build_id, elf_build_id(elf, hex));
}

/* Segments */

static void add_segments(struct image *m, Elf *elf)
{
	struct segment all[SEGMENTS_MAX];
	size_t nr = elf_segments(elf, all, SEGMENTS_MAX);

	m->segment = xcalloc(nr + 1, sizeof(*m->segment));
	/* Two segments may share a page of the file: lookups find the one with code first. */
	for (unsigned pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < nr; i++)
			if (all[i].code == !pass)
				m->segment[m->nr_segment++] = all[i];
}

/* Symbols */

static bool is_code(Elf *elf, GElf_Section index)
{
	Elf_Scn *section = elf_getscn(elf, index);
	GElf_Shdr header;

	return section && gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR;
}

static bool is_function(Elf *elf, const GElf_Sym *s, const char *name)
{
	if (!name || !*name || s->st_shndx == SHN_UNDEF)
		return false;
	switch (GELF_ST_TYPE(s->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_NOTYPE:
		/* A label in assembly, except ARM's mapping symbols ($x, $d) and local labels. */
		return s->st_shndx < SHN_LORESERVE && name[0] != '$' && name[0] != '.' &&
		       is_code(elf, s->st_shndx);
	default:
		return false;
	}
}

/* A symbol without a size ends at the latest with its section: the PLT may follow. */
static void end_at_section(struct symbol *symbol, Elf *elf, GElf_Section index)
{
	Elf_Scn *section = index < SHN_LORESERVE ? elf_getscn(elf, index) : NULL;
	GElf_Shdr header;

	if (section && gelf_getshdr(section, &header) &&
	    symbol->begin - header.sh_addr < header.sh_size) {
		symbol->end = header.sh_addr + header.sh_size;
		symbol->at_most = true;
	}
}

static void add_symbol(struct image *m, Elf *elf, const GElf_Sym *s, const char *name, bool hidden)
{
	struct symbol symbol = { .begin = s->st_value,
				 .end = s->st_value + s->st_size,
				 .name = name,
				 .weak = GELF_ST_BIND(s->st_info) == STB_WEAK,
				 .global = GELF_ST_BIND(s->st_info) != STB_LOCAL };
	const char *version = strchr(name, '@');

	if (symbol.end < symbol.begin)
		symbol.end = symbol.begin;
	if (symbol.end == symbol.begin)
		end_at_section(&symbol, elf, s->st_shndx);
	/* memcpy@@GLIBC_2.14 is the default version, memcpy@GLIBC_2.2.5 is for old programs. */
	symbol.old = hidden || (version && version[1] != '@');
	if (version && version > name)
		symtab_add_copy(&m->symbols, &symbol, span_between(name, version));
	else
		symtab_add(&m->symbols, &symbol);
}

/* The .gnu.version section of a symbol table. */
static Elf_Data *versions_of(Elf *elf, Elf_Scn *symbols)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == SHT_GNU_versym &&
		    header.sh_link == elf_ndxscn(symbols))
			return elf_getdata(section, NULL);
	}
	return NULL;
}

static bool is_hidden(Elf_Data *versions, size_t i)
{
	enum { HIDDEN = 0x8000 };
	GElf_Versym version;

	return versions && gelf_getversym(versions, (int)i, &version) && version & HIDDEN;
}

static void add_table(struct image *m, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL), *versions = versions_of(elf, section);
	size_t nr = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < nr && i < SYMBOLS_MAX; i++) {
		const char *name;
		GElf_Sym s;

		if (!gelf_getsym(data, (int)i, &s))
			break;
		name = elf_strptr(elf, header->sh_link, s.st_name);
		if (is_function(elf, &s, name))
			add_symbol(m, elf, &s, name, is_hidden(versions, i));
	}
}

void elf_symbols(struct image *m, Elf *elf)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			add_table(m, elf, section, &header);
	}
}

static bool is_dwarf(Elf *elf, const GElf_Shdr *header, size_t names)
{
	const char *name;

	/* Sections whose content was stripped stay as SHT_NOBITS. */
	if (header->sh_type == SHT_NOBITS)
		return false;
	name = elf_strptr(elf, names, header->sh_name);
	return name && (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info"));
}

bool elf_has(Elf *elf, enum elf_content content)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			continue;
		if (content == ELF_DWARF ? is_dwarf(elf, &header, names)
					 : header.sh_type == SHT_SYMTAB)
			return true;
	}
	return false;
}

/* Symbols from the debug file, or from minidebug info. */
static void add_stripped(struct image *m, const struct debug_search *s)
{
	struct elf_file f;

	if (debug_file_open(s, &f) || minidebug_open(s->program, &f)) {
		keep(m, f);
		elf_symbols(m, f.elf);
	}
}

/* DWARF, from the files that are open already, or from another debug file. */
static void add_inlines(struct image *m, struct debug_search s)
{
	struct elf_file f;

	s.content = ELF_DWARF;
	for (size_t i = 0; i < m->nr_file; i++)
		if (elf_has(m->file[i].elf, ELF_DWARF)) {
			m->inlines = inlines_new(&m->file[i], &m->file[0], s.o->store);
			return;
		}
	if (debug_file_open(&s, &f)) {
		keep(m, f);
		m->inlines = inlines_new(&m->file[m->nr_file - 1], &m->file[0], s.o->store);
	}
}

static bool open_kept(struct span path, struct span build_id, const struct image_opts *o,
		      struct elf_file *f)
{
	char *where = o->kept ? o->kept(o->kept_arg, path, build_id) : NULL;
	bool found = where && elf_open(where, f);

	free(where);
	return found;
}

static bool open_below_symfs(struct span path, const struct image_opts *o, struct elf_file *f)
{
	struct strbuf full = { 0 };
	bool found;

	if (o->symfs)
		strbuf_add(&full, span_of(o->symfs));
	strbuf_add(&full, path);
	found = elf_open(full.at, f);
	strbuf_release(&full);
	return found;
}

static bool has_build(struct elf_file *f, struct span build_id)
{
	if (elf_is_build(f->elf, build_id))
		return true;
	elf_close(f);
	return false;
}

struct span image_build_id_below(uint32_t pid, struct span path,
				 char hex[static IMAGE_BUILD_ID_HEX])
{
	struct span build_id = SPAN("");
	struct elf_file f;

	if (path.size && path.at[0] == '/' && elf_take(root_open(pid, path), &f)) {
		build_id = elf_build_id(f.elf, hex);
		elf_close(&f);
	}
	return build_id;
}

enum image_state elf_open_program(struct span path, struct span build_id,
				  const struct image_opts *o, struct elf_file *f)
{
	enum image_state state = IMAGE_MISSING;

	if (open_kept(path, build_id, o, f) && has_build(f, build_id))
		return IMAGE_OPEN;
	if (open_below_symfs(path, o, f)) {
		if (has_build(f, build_id))
			return IMAGE_OPEN;
		state = IMAGE_OTHER;
	}
	/* The recording does not say which container a file is from: only the build ID can tell. */
	for (size_t i = 0; o->roots && i < o->roots->nr && build_id.size; i++)
		if (elf_take(root_open(o->roots->root[i].pid, path), f) && has_build(f, build_id))
			return IMAGE_OPEN;
	return state;
}

static enum image_state load(struct image *m, Elf *elf, struct span path,
			     const struct image_opts *o)
{
	struct debug_search s = { .program = elf, .path = path, .content = ELF_SYMTAB, .o = o };

	add_segments(m, elf);
	elf_symbols(m, elf);
	plt_symbols(m, elf);
	if (!elf_has(elf, ELF_SYMTAB)) {
		add_stripped(m, &s);
		go_symbols(m, elf);
	}
	if (o->lines)
		add_inlines(m, s);
	symtab_finish(&m->symbols, EQUAL_BEST);
	return IMAGE_OPEN;
}

enum image_state elf_image(struct image *m, struct span path, struct span build_id,
			   const struct image_opts *o)
{
	struct elf_file f;
	enum image_state state = elf_open_program(path, build_id, o, &f);

	if (state == IMAGE_OPEN) {
		keep(m, f);
		return load(m, f.elf, path, o);
	}
	/* The file is missing or was replaced: a copy or debug file with its build ID will do. */
	if (debug_file_open(&(struct debug_search){ .path = path, .build_id = build_id, .o = o },
			    &f)) {
		keep(m, f);
		return load(m, f.elf, path, o);
	}
	return state;
}

/* The vDSO: code that the kernel maps into each process, including ours. */

enum { VDSO_MAX = 1024 * 1024 };

static size_t vdso_size(unsigned long base)
{
	size_t size, found = 0;
	char *bytes = whole_file("/proc/self/maps", VDSO_MAX, &size);
	struct span all = { bytes, size };

	while (all.size && !found) {
		struct span line = span_line(&all), range = span_word(&line);
		size_t dash = span_find(range, '-');
		uint64_t begin, end;

		if (span_hex(span_upto(range, dash), &begin) && begin == base &&
		    span_hex(span_from(range, dash + 1), &end) && end > begin)
			found = (size_t)(end - begin);
	}
	free(bytes);
	return found < VDSO_MAX ? found : 0;
}

enum image_state vdso_image(struct image *m, struct span build_id, const struct image_opts *o)
{
	unsigned long base = getauxval(AT_SYSINFO_EHDR);
	size_t size = base ? vdso_size(base) : 0;
	struct elf_file f = { .fd = -1 };

	if (!size || (!build_id.size && !kernel_is_local(SPAN(""), o)))
		return IMAGE_MISSING;
	f.bytes = xmemdup((const void *)base, size);
	elf_version(EV_CURRENT);
	f.elf = elf_memory(f.bytes, size);
	if (!f.elf || !elf_is_build(f.elf, build_id)) {
		elf_close(&f);
		return IMAGE_OTHER;
	}
	keep(m, f);
	return load(m, f.elf, SPAN(""), o);
}
