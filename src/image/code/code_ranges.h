/* The addresses of a file's code, and an array to collect ranges of them in. */
#ifndef WICK_IMAGE_CODE_CODE_RANGES_H
#define WICK_IMAGE_CODE_CODE_RANGES_H

#include "image/dwarf/flat_ranges.h"

#include <libelf.h>

/*
 * Virtual addresses.  Everything outside is not code; inside, addresses are stored as 32-bit
 * offsets.
 */
struct code_range {
	uint64_t begin, end;
};

/* From the first executable section to the end of the last, at most 4 GB. */
struct code_range code_range_of(Elf *elf);

enum { RANGES_MAX = 64 * 1024 * 1024 /* further ones are ignored */ };

struct ranges {
	struct range *range;
	size_t nr, cap;
};

/*
 * Adds r with the given virtual addresses, relative to the code.  Ranges outside of it are ignored:
 * functions that the linker dropped, but whose debug info it kept.
 */
void ranges_add(struct ranges *t, const struct code_range *code, uint64_t begin, uint64_t end,
		struct range r);

#endif
