/*
 * What code is in a file: executables and libraries on disk, the kernel's list
 * of its symbols, the lists that JIT compilers write.  Addresses are places in
 * the file (offsets), as a recording of its mappings has them.
 *
 * A file that is not the one that was recorded gives no names: none is better
 * than a wrong one.
 */
#ifndef WICK_IMAGE_IMAGE_H
#define WICK_IMAGE_IMAGE_H

#include "base/fields.h"
#include "base/span.h"
#include "image/roots.h"
#include "image/symtab.h"

struct image_opts {
	/* Where debug files are kept by their build-id; NULL at the end.  NULL: nowhere. */
	const char *const *debug_dir;
	/* Where the functions of kernels are kept for the next time; NULL: nowhere. */
	const char *cache_dir;
	bool lines;	   /* inlined calls and lines of the source are wanted too */
	const char *symfs; /* paths are looked for below this folder; NULL: / */
	/* Where else files are that have the right build-id.  NULL: nowhere. */
	const struct roots *roots;
	/*
	 * Brings the debug file of a build-id (in hex) from elsewhere and tells its path, which is
	 * ours to free; NULL: there is none.  Any thread may call it.  NULL: nobody is asked.
	 */
	char *(*fetch)(void *arg, const char *build_id, struct span file);
	void *fetch_arg;
	/*
	 * Where the file of a path and build-id (in hex) can be opened, which was kept while it
	 * was there; ours to free; NULL: by its path only.  Any thread may call it.
	 */
	char *(*kept)(void *arg, struct span path, struct span build_id);
	void *kept_arg;
	/* The places that will be asked for, in order, where others need not be known; NULL: any. */
	const uint64_t *wanted;
	size_t nr_wanted;
	/* What is known of the kernel that was running: its build-id in hex, its release. */
	struct span kernel_build_id, kernel_release;
};

enum image_state {
	IMAGE_OPEN,
	IMAGE_MISSING,	  /* there is no such file, or it is none of ours */
	IMAGE_OTHER,	  /* the file has another build-id: it was replaced */
	IMAGE_NO_KERNEL,  /* the kernel that was recorded is not the one that runs */
	IMAGE_HIDDEN,	  /* it is, and does not tell us where its functions are */
	IMAGE_NO_JIT_MAP, /* the compiler left no list */
};

struct image;

/* Is this how the names of generated code are kept: /tmp/perf-PID.map, jit-PID.dump? */
bool image_is_list(struct span path);

/* Opens the file of that path, which must have the build-id (in hex; empty: any will do). */
struct image *image_open(struct span path, struct span build_id, const struct image_opts *o,
			 enum image_state *state);
void image_close(struct image *m);

/* The build-id of the file that a process has under a path, in hex; empty: nobody knows. */
enum { IMAGE_BUILD_ID_HEX = 129 };
struct span image_build_id_below(uint32_t pid, struct span path,
				 char hex[static IMAGE_BUILD_ID_HEX]);

/* The symbol at a place in the file, or NULL. */
const struct symbol *image_symbol(const struct image *m, uint64_t offset);

/* code.c: the machine code of a function, as the linker put it into its file. */
struct image_code {
	uint64_t place;	   /* where in the file it begins */
	uint64_t address;  /* … and where the program expects it */
	struct span bytes; /* the image's */
	unsigned machine;  /* EM_X86_64, EM_AARCH64, … */
	bool is_64;
	enum byte_order order;
};

/* That of the symbol at a place in the file; false when there is none, or its code is not here. */
bool image_code(const struct image *m, uint64_t offset, struct image_code *code);

/* The name of a function as its linker knows it, and where in the file it begins; true: enough. */
typedef bool image_function_visit(void *arg, struct span symbol, uint64_t offset);

/* functions.c: those of the file of that path; one that has several names comes several times. */
void image_functions_each(struct span path, const struct image_opts *o, image_function_visit *visit,
			  void *arg);

/* A piece of a file that a program is loaded from, and how far behind the first of them it is in memory. */
struct image_piece {
	uint64_t distance, offset, size;
};

enum { IMAGE_PIECES_MAX = 32 };

/* segments.c: those of the file of that path and build-id (in hex), and how many; 0: it is not here. */
size_t image_pieces(struct span path, struct span build_id, const struct image_opts *o,
		    struct image_piece piece[static IMAGE_PIECES_MAX]);

/* facts.c: what there is to name the code of a file with, and to follow its stacks. */
enum facts_place { FACTS_NOWHERE, FACTS_INSIDE, FACTS_BESIDE }; /* in a debug file of its own */

struct image_facts {
	char build_id[IMAGE_BUILD_ID_HEX]; /* "": none */
	enum facts_place symbols, dwarf;
	char link[256];		       /* the debug file that it names, or "" */
	bool frames;		       /* it tells how to get from a function to its caller */
	size_t nr_function, nr_framed; /* looked at, and those of them that keep a frame pointer */
};

/* False when it is no program or library. */
bool image_facts(struct span path, const struct image_opts *o, struct image_facts *facts);

/* A function and where in it we are; what is not known is NULL, or 0. */
struct source_line {
	const char *function, *file; /* the image's */
	uint32_t line;
	bool plain; /* the function is not called as the linker calls it: something is left out */
	/*
	 * Rust: the end of what the compiler calls it, where the linker only knows closures:
	 * {async_fn#0}::{closure#1}.  NULL: it tells no more.
	 */
	const char *closure;
};

enum {
	/* Calls that were inlined into one another: deeper ones are left out. */
	INLINED_MAX = 128,
};

/*
 * The functions at a place in the file, innermost first, and how many: none when
 * nothing is known.  Each is inlined into the next one.
 */
size_t image_lines(struct image *m, uint64_t offset, struct source_line line[static INLINED_MAX]);

/* False for a file that could have told lines, and has no debug info. */
bool image_has_lines(const struct image *m);

/* All symbols are here that the linker knew: in the file, or in a debug file of its own. */
bool image_has_symbols(const struct image *m);

/* What was wrong with the debug info so far. */
struct image_trouble {
	size_t damaged; /* pieces that make no sense */
	size_t missing; /* units whose own file (.dwo) is not here */
};
struct image_trouble image_trouble(const struct image *m);

#endif
