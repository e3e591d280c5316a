/*
 * The tables of a Firefox Profiler profile: columns of numbers that refer to each other's rows.  A
 * sample has a stack, a stack has a frame and its caller's stack, a frame a function, a function a
 * name.
 *
 * Processed profiles, such as samply's, have a list for each column,
 *
 *	"stackTable": {"length": 2, "prefix": [null, 0], "frame": [3, 5]}
 *
 * Firefox's own files have rows, and frames that are strings:
 *
 *	"stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 3], [0, 5]]}
 *
 * Since version 60, all threads share the tables; before, each had its own.
 */
#ifndef WICK_READ_FIREFOX_FIREFOX_H
#define WICK_READ_FIREFOX_FIREFOX_H

#include "base/arena.h"
#include "base/json.h"
#include "image/image.h"
#include "read/build.h"
#include "read/firefox/firefox_symbols.h"
#include "read/json_walk.h"

/* Unknown: null, or no such row. */
#define FIREFOX_NONE INT64_MIN

enum firefox_column {
	STACK_FRAME,
	STACK_PREFIX,	     /* its caller */
	STACK_PREFIX_OFFSET, /* … as a number of rows before it; 0: it has none */
	CALL_FUNC,
	CALL_LIB,
	CALL_ADDRESS, /* relative to the start of the library */
	CALL_LINE,
	CALL_DEPTH, /* inlining depth */
	CALL_CATEGORY,
	CALL_SYMBOL,
	CALL_LOCATION, /* Firefox's own: a string with everything */
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
	SAMPLE_DELTA, /* ns since the previous sample */
	SAMPLE_WEIGHT,
	SAMPLE_DURATION, /* ns; if wick wrote it */
	SAMPLE_CPU,
	MARKER_NAME,
	MARKER_START, /* ns */
	MARKER_END,   /* ns */
	MARKER_PHASE,
	/* What started it: members of `cause` in its data, in processed profiles */
	MARKER_CAUSE_STACK,
	MARKER_CAUSE_TID, /* of another thread */
	NR_FIREFOX_COLUMNS
};

/* Columns of samples, which are not stored: see firefox_samples_place. */
enum { NR_SAMPLE_COLUMNS = SAMPLE_CPU + 1 - SAMPLE_STACK };

/* Columns of a table of rows: the profiler has a dozen. */
enum { SCHEMA_MAX = 64 };

/* Times and weights are stored with this many decimal digits, which converts ms to ns. */
enum { FIREFOX_DIGITS = 6 };

struct firefox_list {
	int64_t *value;
	size_t nr, cap;
	bool seen;
};

struct firefox_lib {
	struct span path, build_id, code_id;
	uint64_t begin, end; /* its addresses in memory; Firefox's own files only */
	uint64_t offset;     /* … and the file offset of `begin` */
	/* The file, if it exists here: searched for when the first address needs it */
	struct image_piece *piece;
	size_t nr_piece;
	bool looked;
};

/* The position of the samples of a thread in the text: a list for each column, or rows. */
struct firefox_samples_place {
	struct json_place list[NR_SAMPLE_COLUMNS];
	struct json_place rows;
	int column[SCHEMA_MAX]; /* by position in a row; -1: not read */
};

struct firefox_tables {
	const struct firefox_tables *shared; /* fallback for what this one lacks; NULL: none */
	struct firefox_list column[NR_FIREFOX_COLUMNS];
	struct firefox_samples_place samples;
	struct span *string;
	size_t nr_string, cap_string;
	struct firefox_lib *lib;
	size_t nr_lib, cap_lib;
	uint32_t *lib_order; /* by address in memory */
	struct strbuf weight_type;
	struct arena arena; /* of strings */
	/* Created on demand */
	frame_id *frame;
	bool *has_frame;
	struct firefox_stack {
		stack_id stack;
		uint32_t depth; /* 0: unknown so far */
	} * stack;
	size_t nr_frame, nr_stack;
	uint32_t *path; /* the path being followed */
	size_t nr_path, cap_path;
};

/* Empties them for the next thread. */
void firefox_tables_release(struct firefox_tables *t);

/*
 * Reads a member of a thread, of the profile or of its `shared` object, if it is a table, a list of
 * strings or of libraries; JSON_NAME: it is none of these, and was not read.
 */
enum json_token firefox_tables_member(struct firefox_tables *t, struct build *b, struct json *j,
				      struct span name, struct error *e);

/* How many decimal digits of a column are stored. */
int firefox_digits(enum firefox_column column);

/*
 * A number with that many decimal digits, if the token is one; else FIREFOX_NONE.  -1: it is invalid,
 * and reading is strict.
 */
int firefox_number(struct build *b, int digits, const struct json *j, enum json_token token,
		   int64_t *value, struct error *e);

/* A cell; FIREFOX_NONE if there is none.  Not for columns of samples. */
int64_t firefox_at(const struct firefox_tables *t, enum firefox_column column, int64_t row);
size_t firefox_rows(const struct firefox_tables *t, enum firefox_column column);

/* The string and library with that number; empty and NULL if there is none. */
struct span firefox_string(const struct firefox_tables *t, int64_t i);
struct firefox_lib *firefox_lib(const struct firefox_tables *t, int64_t i);

/* The number of strings. */
size_t firefox_strings(const struct firefox_tables *t);

/* The library at an address in memory, or NULL. */
struct firefox_lib *firefox_lib_around(const struct firefox_tables *t, uint64_t address);

/* Where frames and stacks are built. */
struct firefox_frames {
	struct build *b;
	struct firefox_tables *t; /* those with the stacks */
	int64_t kernel;		  /* the category of that name; FIREFOX_NONE: there is none */
	const struct firefox_symbols *symbols; /* beside the profile */
};

/* firefox_frames.c: the stack with that number; empty if it is not defined. */
int firefox_stack(const struct firefox_frames *f, int64_t i, stack_id *stack, struct error *e);

/*
 * firefox_unresolved.c: an unresolved frame; the address is relative to the start of the library in memory.
 * If the library's file exists on this machine, it can be symbolized later.  NULL: in no library.
 */
frame_id firefox_unresolved(struct build *b, struct firefox_lib *lib, uint64_t address,
			    unsigned flags);

/* firefox_location.c: a frame as Firefox itself writes it: "f (http://a/b.js:1:2)", "0x7f12". */
frame_id firefox_location(struct build *b, const struct firefox_tables *t, struct span location);

#endif
