/*
 * The tables of a profile of the Firefox Profiler's: columns of numbers that
 * speak of each other's rows.  A sample has a stack, a stack a frame and the
 * stack that it was called from, a frame a function, a function a name.
 *
 * Files that the profiler processed (samply's are) have a list a column,
 *
 *	"stackTable": {"length": 2, "prefix": [null, 0], "frame": [3, 5]}
 *
 * those that Firefox wrote itself have rows, and frames that are strings:
 *
 *	"stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 3], [0, 5]]}
 *
 * From version 60 on all threads share them; before, each has its own.
 */
#ifndef WICK_READ_FIREFOX_H
#define WICK_READ_FIREFOX_H

#include "base/arena.h"
#include "base/json.h"
#include "image/image.h"
#include "read/build.h"

/* What is not told: null, or no such row. */
#define FIREFOX_NONE INT64_MIN

enum firefox_column {
	STACK_FRAME,
	STACK_PREFIX,	     /* its caller */
	STACK_PREFIX_OFFSET, /* … and how far before it that is; 0: it has none */
	CALL_FUNC,
	CALL_LIB,
	CALL_ADDRESS, /* from the beginning of the library on */
	CALL_LINE,
	CALL_DEPTH, /* how often it was inlined */
	CALL_CATEGORY,
	CALL_SYMBOL,
	CALL_LOCATION, /* Firefox's own: a string has it all */
	FUNC_NAME,
	FUNC_RESOURCE,
	FUNC_FILE,
	FUNC_SOURCE,
	FUNC_LINE,
	RESOURCE_LIB,
	SYMBOL_LIB,
	SOURCE_FILE,
	SAMPLE_STACK,
	SAMPLE_TIME,  /* ns */
	SAMPLE_DELTA, /* ns since the one before */
	SAMPLE_WEIGHT,
	SAMPLE_CPU,
	NR_FIREFOX_COLUMNS
};

/* Times and weights have fractions: that many digits, which makes ns of ms. */
enum { FIREFOX_DIGITS = 6 };

struct firefox_list {
	int64_t *value;
	size_t nr, cap;
	bool seen;
};

struct firefox_lib {
	struct span path, build_id;
	uint64_t begin, end; /* where it was in memory; Firefox's own files only */
	uint64_t offset;     /* … and what of it was at `begin` */
	/* The file, if it is here: looked for when the first address needs it */
	struct image_piece *piece;
	size_t nr_piece;
	bool looked;
};

struct firefox_tables {
	const struct firefox_tables *shared; /* has what this one does not have; NULL: nobody */
	struct firefox_list column[NR_FIREFOX_COLUMNS];
	struct span *string;
	size_t nr_string, cap_string;
	struct firefox_lib *lib;
	size_t nr_lib, cap_lib;
	uint32_t *lib_order; /* by where they were in memory */
	struct strbuf weight_type;
	struct arena arena; /* of strings */
	/* Once they were asked for */
	frame_id *frame;
	bool *has_frame;
	struct firefox_stack {
		stack_id stack;
		uint32_t depth; /* 0: not yet known */
	} * stack;
	size_t nr_frame, nr_stack;
	uint32_t *path; /* that is being climbed */
	size_t nr_path, cap_path;
};

/* Empties them for the next thread. */
void firefox_tables_release(struct firefox_tables *t);

/*
 * A member of a thread, of the profile, or of what threads share, if it is a
 * table, a list of strings or of libraries; JSON_NAME: it is none, and was not read.
 */
enum json_token firefox_tables_member(struct firefox_tables *t, struct build *b, struct json *j,
				      struct span name, struct error *e);

/* A cell; FIREFOX_NONE where there is none. */
int64_t firefox_at(const struct firefox_tables *t, enum firefox_column column, int64_t row);
size_t firefox_rows(const struct firefox_tables *t, enum firefox_column column);

/* The string and library of that number; empty and NULL where there is none. */
struct span firefox_string(const struct firefox_tables *t, int64_t i);
struct firefox_lib *firefox_lib(const struct firefox_tables *t, int64_t i);

/* The library that was at an address of memory, or NULL. */
struct firefox_lib *firefox_lib_around(const struct firefox_tables *t, uint64_t address);

/* Where frames and stacks are made. */
struct firefox_frames {
	struct build *b;
	struct firefox_tables *t; /* those with the stacks */
	int64_t kernel;		  /* the category of that name; FIREFOX_NONE: there is none */
};

/* firefox_frames.c: the stack of that number; one that nobody described is empty. */
int firefox_stack(const struct firefox_frames *f, int64_t i, stack_id *stack, struct error *e);

/*
 * firefox_place.c: code without a name, so many bytes behind where the library
 * begins in memory.  If its file is here it can be looked up there.  NULL: of no library.
 */
frame_id firefox_place(struct build *b, struct firefox_lib *lib, uint64_t address, unsigned flags);

/* firefox_location.c: a frame as Firefox itself writes it: "f (http://a/b.js:1:2)", "0x7f12". */
frame_id firefox_location(struct build *b, const struct firefox_tables *t, struct span location);

#endif
