/*
 * Shared by the files of this folder: an open image, helpers for ELF files, and one function for
 * each kind of image, from which image.c chooses.
 */
#ifndef WICK_IMAGE_IMAGE_INTERNAL_H
#define WICK_IMAGE_IMAGE_INTERNAL_H

#include "base/fields.h"
#include "base/strbuf.h"
#include "image/image.h"

#include <gelf.h>

/* A PT_LOAD of the file: offset, and virtual address. */
struct segment {
	uint64_t offset, size, address;
	bool code;
};

enum { SEGMENTS_MAX = 256, BUILD_ID_HEX_MAX = IMAGE_BUILD_ID_HEX };

struct image {
	struct symtab symbols;
	struct segment *segment; /* NULL: places are the addresses of symbols */
	size_t nr_segment;
	/* Names point into these: the program, then its debug files. */
	struct elf_file {
		int fd; /* -1: the bytes are in memory only */
		Elf *elf;
		char *bytes; /* the file in memory, or NULL: libelf has mapped it */
	} file[4];
	size_t nr_file;
	struct inlines *inlines;     /* NULL: not wanted, or there is no debug info */
	struct jit_lines *jit_lines; /* of a jitdump, or NULL */
};

/* image.c: the virtual address of a place; false if the program does not load it. */
bool image_address(const struct image *m, uint64_t offset, uint64_t *address);

/* segments.c: the PT_LOADs of the program, even if this is only its debug file. */
size_t elf_segments(Elf *elf, struct segment *segment, size_t max);

/*
 * The content of a segment from a byte on, or NULL.  Only in files without section headers: others
 * may be debug files, whose segments are empty.
 */
Elf_Data *elf_segment_bytes(Elf *elf, const GElf_Phdr *segment, uint64_t from);

/* elf_image.c: false when it cannot be opened or is not ELF. */
bool elf_open(const char *path, struct elf_file *f);
void elf_close(struct elf_file *f);

/*
 * Opens a file by path and build ID: one that was kept open, below symfs, or below other roots.
 * IMAGE_OPEN if that worked.
 */
enum image_state elf_open_program(struct span path, struct span build_id,
				  const struct image_opts *o, struct elf_file *f);

/* build_id.c: the file's own, in hex; empty if it has none. */
struct span elf_build_id(Elf *elf, char hex[static BUILD_ID_HEX_MAX]);

/* function_offsets.c: the offset in the file of the code at a virtual address; false: there is none. */
bool elf_find_offset(Elf *elf, uint64_t address, uint64_t *offset);

/* Adds the functions of .symtab and .dynsym. */
void elf_symbols(struct image *m, Elf *elf);

/* True if the build ID is the file's, or empty. */
bool elf_is_build(Elf *elf, struct span build_id);

/* What to search for in a file: the full symbol table (not .dynsym), or DWARF. */
enum elf_content { ELF_SYMTAB, ELF_DWARF };
bool elf_has(Elf *elf, enum elf_content content);

/*
 * debug_file.c: opens the debug file of a stripped program, if it has the wanted content.  Without
 * a program (NULL), any file with that build ID.
 */
struct debug_search {
	Elf *program;
	struct span path, build_id;
	enum elf_content content;
	const struct image_opts *o;
};
bool debug_file_open(const struct debug_search *s, struct elf_file *f);

/* The file name in .gnu_debuglink; empty: there is none. */
struct span debug_link_name(Elf *program);

/* Minidebug info: the symbols in .gnu_debugdata, which Fedora has in stripped programs. */
bool minidebug_open(Elf *program, struct elf_file *f);

enum image_state elf_image(struct image *m, struct span path, struct span build_id,
			   const struct image_opts *o);
enum image_state vdso_image(struct image *m, struct span build_id, const struct image_opts *o);

/* plt.c: adds names for the stubs of the PLT: malloc@plt. */
void plt_symbols(struct image *m, Elf *elf);

/* gopclntab.c: the table of a Go program, or NULL; and where .text begins. */
Elf_Scn *go_table(Elf *elf, uint64_t *text);

/*
 * Calls visit() with each function of a Go program, from the table of its runtime.  The
 * symbol has only its addresses.
 */
enum { GO_NAME_MAX = 64 * 1024 };
typedef void go_function(void *arg, const struct symbol *s, struct span name);
void go_functions(Elf *elf, go_function *visit, void *arg);
void gopclntab_parse(struct span bytes, enum byte_order order, uint64_t text, go_function *visit,
		     void *arg);

/* Adds them to the symbols of the image. */
void go_symbols(struct image *m, Elf *elf);

/* kallsyms.c: is the recorded kernel the one that is running? */
bool kernel_is_local(struct span build_id, const struct image_opts *o);
enum image_state kernel_image(struct image *m, struct span build_id, const struct image_opts *o);
void kallsyms_module(struct image *m, struct span name, uint64_t base);

/*
 * kallsyms_cache.c: a copy of /proc/kallsyms that an earlier run wrote into a directory (NULL:
 * none).  Opens it: a descriptor, or -1.  Or collects one in `list`, line by line, and writes it at
 * the end.
 */
int kallsyms_cache_open(const char *dir, struct span build_id);
void kallsyms_cache_begin(struct strbuf *list, struct span build_id);
void kallsyms_cache_add(struct strbuf *list, uint64_t place, char type, struct span name);
void kallsyms_cache_end(const char *dir, struct span build_id, struct span list);

/* vmlinux.c: the kernel's ELF file; false if there is none with that build ID. */
bool vmlinux_image(struct image *m, struct span build_id, const struct image_opts *o);

/* kernel_module.c: the name of a kernel module; empty if the path is of another kind. */
struct span module_name(struct span path);
enum image_state module_image(struct image *m, struct span path, struct span build_id,
			      const struct image_opts *o);

/* jitmap.c */
enum image_state jitmap_image(struct image *m, struct span path, const struct image_opts *o);

/* jitdump_image.c */
enum image_state jitdump_image(struct image *m, struct span path, const struct image_opts *o);
char *jitdump_read(struct span path, const struct image_opts *o, size_t *size);
void jit_lines_free(struct jit_lines *l);

/* Sets file and line of a place in the dump, if there is a row between it and its function. */
void jit_lines_find(const struct jit_lines *l, uint64_t place, uint64_t function,
		    struct source_line *line);

/* build_id.c: in hex; empty if there is none. */
struct span build_id_of_notes(struct span notes, char hex[static BUILD_ID_HEX_MAX]);

#endif
