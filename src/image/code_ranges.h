/* The addresses of a file's code, and an array to collect ranges of them in. */
#ifndef WICK_IMAGE_CODE_RANGES_H
#define WICK_IMAGE_CODE_RANGES_H

#include "image/pieces.h"

#include <libelf.h>

/* Virtual addresses.  What is outside is no code; inside, 32 bits from the beginning are kept. */
struct code_range {
	uint64_t begin, end;
};

/* From the first executable section to the end of the last, cut off at 4 GB. */
struct code_range code_range_of(Elf *elf);

enum { RANGES_MAX = 64 * 1024 * 1024 /* more are left out */ };

struct ranges {
	struct range *range;
	size_t nr, cap;
};

/*
 * Adds r with the given virtual addresses, relative to the code.  Ranges outside of it are left
 * out: those of functions that the linker dropped, whose debug info it left behind.
 */
void ranges_add(struct ranges *t, const struct code_range *code, uint64_t begin, uint64_t end,
		struct range r);

#endif
