/*
 * jit-PID.dump (jitdump): a JIT compiler writes a record for each function that it compiles, with
 * the machine code, its name and its lines.  JIT compilers reuse memory, so the function at an
 * address depends on the time.  An offset in the dump, a place, does not: profiles store that.
 */
#ifndef WICK_IMAGE_JIT_JITDUMP_H
#define WICK_IMAGE_JIT_JITDUMP_H

#include "base/fields.h"
#include "image/image.h"

/* Records, read with a cursor over untrusted bytes. */

enum jit_kind {
	JIT_LOAD,   /* a function was compiled */
	JIT_MOVE,   /* … and was moved in memory */
	JIT_LINES,  /* the line table of the next JIT_LOAD */
	JIT_FRAMES, /* the unwind information of the next JIT_LOAD */
	JIT_OTHER,
};

struct jit_record {
	enum jit_kind kind;
	uint64_t time;	  /* usually CLOCK_MONOTONIC, in ns */
	uint64_t address; /* of the code in memory */
	uint64_t size;	  /* of the code: bytes */
	uint64_t number;  /* of the function: JIT_MOVE repeats it */
	uint64_t place;	  /* JIT_LOAD: of the code in the dump */
	struct span name;
	struct fields lines; /* JIT_LINES: for jit_line_next() */
	struct span frames;  /* JIT_FRAMES: .eh_frame; see cfi_grow() */
};

struct jitdump {
	struct span bytes;
	struct fields rest;
	uint32_t machine; /* EM_; 0: the compiler does not say */
	uint32_t pid;	  /* in the process' own namespace */
	bool other_time;  /* times are cycles (TSC), not nanoseconds: they cannot be compared */
};

/* False when it is not a jitdump. */
bool jitdump_init(struct jitdump *d, struct span bytes);

/* False at the end, or at a malformed record. */
bool jitdump_next(struct jitdump *d, struct jit_record *r);

/* One row of JIT_LINES; false at the end. */
struct jit_line {
	uint64_t address;
	uint32_t line;
	struct span file; /* empty: that of the row before */
};
bool jit_line_next(struct fields *f, struct jit_line *l);

/* Is the file called jit-PID.dump?  Sets *pid. */
bool jitdump_is_path(struct span path, uint32_t *pid);

/* The functions of a dump by address and time, and their unwind rows by place. */

struct jit_codes {
	struct jit_code {
		uint64_t begin, end, time, place, number;
		bool has_rows;
	} * code;	 /* by begin, then by time */
	uint64_t *reach; /* by code: the largest end so far, as code may overlap */
	size_t nr, cap;
	bool other_time; /* as in struct jitdump */
	struct cfi *cfi; /* NULL: the dump has no unwind information */
	uint64_t framed; /* code before this place is in cfi */
};

enum {
	/* Limit of overlapping functions that a lookup considers: the last ones. */
	JIT_USES_MAX = 4096,
};

/* The size of the dump, which grows while the program runs; 0: it does not exist. */
uint64_t jitdump_size(struct span path, const struct image_opts *o);

/*
 * Reads a dump; false if it is missing or has no functions.  *c is zeroed at first, and may be
 * opened again after the dump has grown: cfi and all results of its lookups stay valid.
 */
bool jit_codes_open(struct jit_codes *c, struct span path, const struct image_opts *o);

/* The same for a dump from which no record was read yet. */
void jit_codes_parse(struct jit_codes *c, const struct jitdump *d);
void jit_codes_release(struct jit_codes *c);

/* The function that was at an address at that time, or NULL. */
#define JIT_ANY_TIME UINT64_MAX
const struct jit_code *jit_codes_find(const struct jit_codes *c, uint64_t address, uint64_t time);

#endif
