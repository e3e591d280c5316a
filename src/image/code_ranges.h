/* Where the code of a file is, and ranges of it that are being collected. */
#ifndef WICK_IMAGE_CODE_RANGES_H
#define WICK_IMAGE_CODE_RANGES_H

#include "image/pieces.h"

#include <libelf.h>

/* Nothing else is believed to be an address; we keep the distance from where it begins. */
struct code_range {
	uint64_t begin, end;
};

/* From the first byte of code to the last; at most as far as 32 bits reach, which all programs fit in. */
struct code_range code_range_of(Elf *elf);

enum { RANGES_MAX = 64 * 1024 * 1024 };

struct ranges {
	struct range *range;
	size_t nr, cap;
};

/* Code that the linker dropped keeps its entries, at addresses where no code is: these are left out. */
void ranges_add(struct ranges *t, const struct code_range *code, uint64_t begin, uint64_t end,
		struct range r);

#endif
