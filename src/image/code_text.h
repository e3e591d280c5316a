/* The code of a file, as it is there now. */
#ifndef WICK_IMAGE_CODE_TEXT_H
#define WICK_IMAGE_CODE_TEXT_H

#include "image/cfi_build.h"

enum { TEXT_WINDOW = 4096 };

struct text_file {
	int fd;
	const struct cfi_code *code;
	size_t nr_code;
	char window[TEXT_WINDOW];
	uint64_t begin; /* in the file, of the window */
	size_t size;
};

/* At most so many bytes; valid until the next ones are asked for. */
struct span text_bytes(struct text_file *t, uint64_t place, size_t size);
bool text_is_code(const struct text_file *t, uint64_t place);

/* The call that a function returns from to a place; false when there is none before it. */
struct text_call {
	bool is_direct;
	uint64_t target; /* the place that is called, if it is */
};
bool text_call_before(struct text_file *t, uint64_t place, struct text_call *call);

/* What signal handlers return to. */
bool text_is_signal_return(struct text_file *t, uint64_t place);

/*
 * code_search.c: how a function gets back to its caller is in its code.  From any place in it, all ways lead to a return, and
 * what they take off the stack until then is what lies between the stack pointer and the return address.
 */
bool code_find_return(struct text_file *t, uint64_t place, struct cfi_state *s);

/*
 * … and what a function has put on the stack since it began.  Where it does, nobody knows: places that look so are tried,
 * the nearest first.
 */
enum { CODE_STARTS = 4 };
size_t code_find_starts(struct text_file *t, uint64_t place, uint64_t start[static CODE_STARTS]);
bool code_from_start(struct text_file *t, uint64_t start, uint64_t place, struct cfi_state *s);

#endif
