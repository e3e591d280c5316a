/*
 * An image resolves the code of one module: an executable or library (ELF), the kernel and its
 * modules, the symbol maps that JIT compilers write.  Code is looked up by place: the offset in the
 * file, as in recorded mappings.
 *
 * A file whose build ID differs from the recorded one resolves nothing: no name is better than a
 * wrong one.
 */
#ifndef WICK_IMAGE_IMAGE_H
#define WICK_IMAGE_IMAGE_H

#include "base/fields.h"
#include "base/span.h"
#include "base/strbuf.h"
#include "image/elf/symtab.h"
#include "image/process_roots.h"

struct section_store;

struct image_opts {
	/*
	 * Directories with debug files by build ID (DIR/.build-id/ab/cdef.debug), then NULL; or
	 * NULL.
	 */
	const char *const *debug_dir;
	/* Directory for cached copies of /proc/kallsyms; NULL: none. */
	const char *cache_dir;
	bool lines;	   /* read debug info, too: inlined calls and source lines */
	const char *symfs; /* paths are below this directory; NULL: / */
	/* Roots of containers, where files are searched for by path and build ID; NULL: none. */
	const struct roots *roots;
	/*
	 * Downloads the debug file with a build ID (in hex) and returns its path, which the caller
	 * frees; NULL if no server has it.  Any thread may call it.  NULL: no downloads.
	 */
	char *(*fetch)(void *arg, const char *build_id, struct span file);
	void *fetch_arg;
	/*
	 * A recorder keeps files open that may be deleted before they are read.  Returns a path by
	 * which such a file can be opened (the caller frees it), or NULL.  Any thread may call it.
	 * NULL: no files are kept open.
	 */
	char *(*kept)(void *arg, struct span path, struct span build_id);
	void *kept_arg;
	/* Appends the name of a variable as its source spells it.  NULL: names stay the linker's. */
	void (*demangle)(struct strbuf *out, const char *name);
	/* A hint: only these places will be looked up; sorted.  NULL: any. */
	const uint64_t *wanted;
	size_t nr_wanted;
	/* Decompressed sections for the next image of a file: section_store.h; NULL: none are kept. */
	struct section_store *store;
	/* The recorded kernel, if known: build ID in hex, and release (uname -r). */
	struct span kernel_build_id, kernel_release;
};

enum image_state {
	IMAGE_OPEN,
	IMAGE_MISSING,	  /* there is no such file, or its format is unknown */
	IMAGE_OTHER,	  /* the file has another build ID: it was replaced */
	IMAGE_NO_KERNEL,  /* the recorded kernel is not running here, and no file of it was found */
	IMAGE_HIDDEN,	  /* the recorded kernel is running, but hides addresses (kptr_restrict) */
	IMAGE_NO_JIT_MAP, /* the JIT compiler wrote no map of its functions */
};

struct image;

/* Is this a symbol file of a JIT compiler: /tmp/perf-PID.map, jit-PID.dump? */
bool image_is_list(struct span path);

/*
 * Opens the file at a path, which must have that build ID (in hex; empty: any).  Sets *state; NULL
 * unless that is IMAGE_OPEN.  Only one thread may use an image: lookups change it.
 */
struct image *image_open(struct span path, struct span build_id, const struct image_opts *o,
			 enum image_state *state);
void image_close(struct image *m);

/* The build ID, in hex, of the file at a path as a process sees it; empty: it has none. */
enum { IMAGE_BUILD_ID_HEX = 129 };
struct span image_build_id_below(uint32_t pid, struct span path,
				 char hex[static IMAGE_BUILD_ID_HEX]);

/* The symbol at a place in the file, or NULL. */
const struct symbol *image_symbol(const struct image *m, uint64_t offset);

/* function_code.c: the machine code of a function, as it is in the file. */
struct image_code {
	uint64_t place;	   /* offset of its first byte in the file */
	uint64_t address;  /* … as a virtual address */
	struct span bytes; /* owned by the image */
	unsigned machine;  /* EM_X86_64, EM_AARCH64, … */
	bool is_64;
	enum byte_order order;
};

/* The code of the symbol at a place; false if there is no symbol, or only its debug file. */
bool image_code(const struct image *m, uint64_t offset, struct image_code *code);

/* The linkage name of a function and the place where it begins; returns true to stop. */
typedef bool image_function_visit(void *arg, struct span symbol, uint64_t offset);

/*
 * function_offsets.c: visits all functions of a file; one with several names is visited several
 * times.
 */
void image_functions_each(struct span path, const struct image_opts *o, image_function_visit *visit,
			  void *arg);

/*
 * An address in the memory of a process: its distance from the address where a place of the file is
 * mapped.
 */
struct image_spot {
	uint64_t place;
	int64_t distance;
};

struct image_variable {
	char name[256];	 /* "": there is no symbol for it */
	uint64_t offset; /* of the address in the variable */
};

/*
 * variables.c: the variable at an address, such as a lock.  False if the address is not in the
 * memory of that file.  Any place that is known to be mapped, such as code, locates the file.
 */
bool image_variable(struct span path, struct span build_id, const struct image_opts *o,
		    const struct image_spot *at, struct image_variable *out);

/* A loadable segment: where it is in the file, and its distance from the first one in memory. */
struct image_piece {
	uint64_t distance, offset, size;
};

enum { IMAGE_PIECES_MAX = 32 };

/*
 * segments.c: the segments of the file with that path and build ID (hex); returns 0 if it is not
 * found.
 */
size_t image_pieces(struct span path, struct span build_id, const struct image_opts *o,
		    struct image_piece piece[static IMAGE_PIECES_MAX]);

/*
 * elf_facts.c: what a file offers to profilers: symbols, debug info, unwind rows, frame pointers.
 */
enum facts_place { FACTS_NOWHERE, FACTS_INSIDE, FACTS_BESIDE /* in a separate debug file */ };

struct image_facts {
	char build_id[IMAGE_BUILD_ID_HEX]; /* "": none */
	enum facts_place symbols, dwarf;
	bool is_go;	    /* built by Go: it has a table of functions even if stripped */
	char link[256];	    /* the name in .gnu_debuglink, or "" */
	bool frames;	    /* it has unwind rows */
	size_t nr_function; /* functions examined */
	size_t nr_framed;   /* … and the number of those that set up a frame pointer */
};

/* False when it is not an ELF file. */
bool image_facts(struct span path, const struct image_opts *o, struct image_facts *facts);

/*
 * Do functions of the program switch stacks when they call (Go)?  False if it is not an ELF file.
 */
bool image_changes_stacks(const char *path);

/* A function and a line in it; unknown members are NULL or 0. */
struct source_line {
	const char *function, *file; /* owned by the image */
	uint32_t line;
	bool plain; /* the name as in the source, without parameters, not the linkage name */
	/*
	 * Rust: the end of DWARF's name, {async_fn#0}::{closure#1}, if the linkage name only says
	 * that it is a closure.  NULL: it adds nothing.
	 */
	const char *closure;
};

enum {
	/* Nested inlined calls: further ones are ignored. */
	INLINED_MAX = 128,
};

/*
 * The functions at a place, innermost first: each is inlined into the next one.  Returns their
 * number; 0: unresolved.
 */
size_t image_lines(struct image *m, uint64_t offset, struct source_line line[static INLINED_MAX]);

/* False for a file that could have debug info, but has none. */
bool image_has_lines(const struct image *m);

/* Is there a full symbol table (.symtab), in the file or in its debug file? */
bool image_has_symbols(const struct image *m);

/* Is it a program that Go built? */
bool image_is_go(const struct image *m);

/* Problems with the debug info read so far. */
struct image_trouble {
	size_t damaged; /* malformed entries */
	size_t missing; /* units whose split debug info (.dwo) was not found */
	size_t unnamed; /* inlined calls whose names are in a missing dwz file */
};
struct image_trouble image_trouble(const struct image *m);

#endif
