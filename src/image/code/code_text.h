/* Machine code (x86-64), read from its file where unwind rows are missing. */
#ifndef WICK_IMAGE_CODE_CODE_TEXT_H
#define WICK_IMAGE_CODE_CODE_TEXT_H

#include "image/cfi/cfi_build.h"

enum { TEXT_WINDOW = 4096 };

struct text_file {
	int fd;
	const struct cfi_code *code;
	size_t nr_code;
	/* The bytes read last: `size` bytes from `begin` in the file. */
	char window[TEXT_WINDOW];
	uint64_t begin;
	size_t size;
};

/* Up to `size` bytes at a place, fewer at the end of the file; valid until the next call. */
struct span text_bytes(struct text_file *t, uint64_t place, size_t size);
bool text_is_code(const struct text_file *t, uint64_t place);

/* The call instruction that ends at a place; false when there is none. */
struct text_call {
	bool is_direct;
	uint64_t target; /* the place that is called, if is_direct */
};
bool text_call_before(struct text_file *t, uint64_t place, struct text_call *call);

/* Is this the trampoline that signal handlers return to? */
bool text_is_signal_return(struct text_file *t, uint64_t place);

/*
 * code_search.c: follows the code from a place to a return instruction.  The bytes that it pops are
 * those between the stack pointer and the return address.  False if no return was found.
 */
bool code_find_return(struct text_file *t, uint64_t place, struct cfi_state *s);

/*
 * The other direction.  code_find_starts() finds places before this one that look like the start of
 * its function, nearest first, and returns their number; code_from_start() derives what the code
 * from such a start to the place pushes.
 */
enum { CODE_STARTS = 4 };
size_t code_find_starts(struct text_file *t, uint64_t place, uint64_t start[static CODE_STARTS]);
bool code_from_start(struct text_file *t, uint64_t start, uint64_t place, struct cfi_state *s);

/* For a function that has set its frame pointer: the distance of that from the stack pointer. */
bool code_frame_at(struct text_file *t, uint64_t start, uint64_t place, struct code_frame *f);

#endif
