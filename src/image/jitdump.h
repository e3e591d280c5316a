/*
 * jit-PID.dump: what a JIT compiler wrote while it ran, a record for each piece
 * of code that it made, with the code itself, its name and its lines.  Memory is
 * used again, so what was at an address depends on the time; a place in the dump
 * does not, and is what a profile keeps.
 */
#ifndef WICK_IMAGE_JITDUMP_H
#define WICK_IMAGE_JITDUMP_H

#include "base/fields.h"
#include "image/image.h"

/* Records, one after the other, of bytes that nobody vouches for. */

enum jit_kind {
	JIT_LOAD,   /* code was made */
	JIT_MOVE,   /* … and is somewhere else from here on */
	JIT_LINES,  /* of the code that the next JIT_LOAD tells of */
	JIT_FRAMES, /* how one gets from that code to its caller */
	JIT_OTHER,
};

struct jit_record {
	enum jit_kind kind;
	uint64_t time;	  /* mostly CLOCK_MONOTONIC, in ns */
	uint64_t address; /* of the code in memory */
	uint64_t size, number;
	uint64_t place; /* of the code in the dump */
	struct span name;
	struct fields lines;
	struct span frames; /* .eh_frame, expected behind the code, at the next whole word */
};

struct jitdump {
	struct span bytes;
	struct fields rest;
	uint32_t machine; /* EM_; 0: the compiler does not say */
	uint32_t pid;	  /* as the process itself knows it */
	bool other_time;  /* its times are those of a clock that nobody else has */
};

/* False when it is no dump. */
bool jitdump_init(struct jitdump *d, struct span bytes);

/* False at the end, or where nothing makes sense any more. */
bool jitdump_next(struct jitdump *d, struct jit_record *r);

/* One row of JIT_LINES. */
struct jit_line {
	uint64_t address;
	uint32_t line;
	struct span file; /* empty: that of the row before */
};
bool jit_line_next(struct fields *f, struct jit_line *l);

/* Is this how dumps are called?  And whose is it? */
bool jitdump_is_path(struct span path, uint32_t *pid);

/* The code of a dump, by address and time, and its rows, by place. */

struct jit_codes {
	struct jit_code {
		uint64_t begin, end, time, place, number;
		bool has_rows;
	} * code;	 /* by begin, then as they came */
	uint64_t *reach; /* how far all up to here reach */
	size_t nr, cap;
	bool other_time;
	struct cfi *cfi; /* or NULL: the dump tells of no frames */
	uint64_t framed; /* code up to this place has its rows already */
};

enum {
	/* A piece of memory that was used more often than this is told by the last uses. */
	JIT_USES_MAX = 4096,
};

/* How long the dump is by now: compilers add to it as long as they run. */
uint64_t jitdump_size(struct span path, const struct image_opts *o);

/*
 * The dump of that path; false when it is none, or not here.  Zeroed at first; what is opened again has grown, and rows
 * that were found stay where they are.
 */
bool jit_codes_open(struct jit_codes *c, struct span path, const struct image_opts *o);

/* … or these bytes, all of which the dump has still before it. */
void jit_codes_parse(struct jit_codes *c, const struct jitdump *d);
void jit_codes_release(struct jit_codes *c);

/* The code that was at the address then, or NULL; its place is that of its first byte. */
#define JIT_ANY_TIME UINT64_MAX
const struct jit_code *jit_codes_find(const struct jit_codes *c, uint64_t address, uint64_t time);

#endif
