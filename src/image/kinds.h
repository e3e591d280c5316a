/* What image.c makes an image of: one function a kind of file. */
#ifndef WICK_IMAGE_KINDS_H
#define WICK_IMAGE_KINDS_H

#include "base/fields.h"
#include "base/strbuf.h"
#include "image/image.h"

#include <gelf.h>

/* A piece of the file and where the program expects it. */
struct segment {
	uint64_t offset, size, address;
	bool code;
};

enum { SEGMENTS_MAX = 256, BUILD_ID_HEX_MAX = IMAGE_BUILD_ID_HEX };

struct image {
	struct symtab symbols;
	struct segment *segment; /* none: offsets are addresses */
	size_t nr_segment;
	/* Names point into these. */
	struct elf_file {
		int fd;
		Elf *elf;
		char *bytes;
	} file[4];
	size_t nr_file;
	struct inlines *inlines;     /* NULL: not wanted, or there are none */
	struct jit_lines *jit_lines; /* the same of generated code */
};

/* image.c: where the program expects what is at a place in the file; false: nowhere. */
bool image_address(const struct image *m, uint64_t offset, uint64_t *address);

/* segments.c: all of them as the program had them, even if only its debug info is left. */
size_t elf_segments(Elf *elf, struct segment *segment, size_t max);

/* What a file without sections has of one, from that byte on; NULL: nothing.  With sections, it may be emptied. */
Elf_Data *elf_segment_bytes(Elf *elf, const GElf_Phdr *segment, uint64_t from);

/* elf_image.c: a file that is one, or false. */
bool elf_open(const char *path, struct elf_file *f);
void elf_close(struct elf_file *f);

/* The file of a path and build-id as a recording has them, wherever its files are now. */
enum image_state elf_open_program(struct span path, struct span build_id,
				  const struct image_opts *o, struct elf_file *f);

/* build_id.c: the one that the linker put into it, in hex; empty when it did not. */
struct span elf_build_id(Elf *elf, char hex[static BUILD_ID_HEX_MAX]);

/* functions.c: where in the file the code of an address is. */
bool elf_find_offset(Elf *elf, uint64_t address, uint64_t *offset);

/* Adds the symbols of all its tables. */
void elf_symbols(struct image *m, Elf *elf);

/* Is it this one?  Any is when none is asked for. */
bool elf_is_build(Elf *elf, struct span build_id);

/* What is looked for in a file: more symbols than those that other files use, or DWARF. */
enum elf_content { ELF_SYMTAB, ELF_DWARF };
bool elf_has(Elf *elf, enum elf_content content);

/*
 * debug_file.c: what was stripped off a program, and has what we look for.  The program
 * itself may be gone (NULL): then whatever there is of that build-id.
 */
struct debug_search {
	Elf *program;
	struct span path, build_id;
	enum elf_content content;
	const struct image_opts *o;
};
bool debug_file_open(const struct debug_search *s, struct elf_file *f);

/* The name of it that is in the program; empty: none is. */
struct span debug_link_name(Elf *program);

/* Unpacks all of it, or nothing: NULL. */
char *unpack_xz(struct span packed, size_t *size);

/* … and the symbols that some distributions pack into it. */
bool minidebug_open(Elf *program, struct elf_file *f);

enum image_state elf_image(struct image *m, struct span path, struct span build_id,
			   const struct image_opts *o);
enum image_state vdso_image(struct image *m, struct span build_id, const struct image_opts *o);

/* plt.c: names for the stubs that call into other files: malloc@plt. */
void plt_symbols(struct image *m, Elf *elf);

/* gopclntab.c: the functions of a program of Go, from the table that its runtime has. */
enum { GO_NAME_MAX = 64 * 1024 };
void go_symbols(struct image *m, Elf *elf);
void gopclntab_parse(struct symtab *symbols, struct span bytes, enum byte_order order,
		     uint64_t text);

/* kallsyms.c: true when the kernel that runs is the one that was recorded. */
bool kernel_is_local(struct span build_id, const struct image_opts *o);
enum image_state kernel_image(struct image *m, struct span build_id, const struct image_opts *o);
void kallsyms_module(struct image *m, struct span name, uint64_t base);

/*
 * kept_list.c: the functions of a kernel as an earlier run wrote them to a folder (NULL: nowhere): a descriptor,
 * or -1.  `list` is what is to be written, line by line, with places of any one kernel of that build-id.
 */
int kept_list_open(const char *dir, struct span build_id);
void kept_list_begin(struct strbuf *list, struct span build_id);
void kept_list_add(struct strbuf *list, uint64_t place, char type, struct span name);
void kept_list_end(const char *dir, struct span build_id, struct span list);

/* vmlinux.c: false when there is none of that build-id. */
bool vmlinux_image(struct image *m, struct span build_id, const struct image_opts *o);

/* kernel_module.c: the name of a module, empty when it is the path of something else. */
struct span module_name(struct span path);
enum image_state module_image(struct image *m, struct span path, struct span build_id,
			      const struct image_opts *o);

/* jitmap.c */
enum image_state jitmap_image(struct image *m, struct span path);

/* jitdump_image.c */
enum image_state jitdump_image(struct image *m, struct span path, const struct image_opts *o);
char *jitdump_read(struct span path, const struct image_opts *o, size_t *size);
void jit_lines_free(struct jit_lines *l);

/* The line at a place in the dump, which is not before the beginning of its function. */
void jit_lines_find(const struct jit_lines *l, uint64_t place, uint64_t function,
		    struct source_line *line);

/* build_id.c: in hex; empty when there is none. */
struct span build_id_of_notes(struct span notes, char hex[static BUILD_ID_HEX_MAX]);

/* Lines of a whole file, bounded; NULL when it cannot be read.  The caller frees it. */
char *read_whole(const char *path, size_t max, size_t *size);

/* … of one that is open, which it closes; -1: none is. */
char *read_whole_open(int fd, size_t max, size_t *size);

#endif
