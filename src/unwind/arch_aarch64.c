/* AArch64: calls leave the return address in x30, and may sign it. */
#include "unwind/unwind.h"

/* The kernel numbers registers as DWARF does: x0 … x30, sp; then the pc. */
static const uint8_t kernel[] = {
	0,  1,	2,  3,	4,  5,	6,  7,	8,  9,	10, 11, 12, 13, 14, 15,		 16,
	17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, PC_REGISTER,
};

const struct unwind_arch unwind_aarch64 = {
	.name = "aarch64",
	.nr_register = 32,
	.stack = 31,
	.frame = 29,
	.link = 30,
	.word = 8,
	.has_tables = true,
	/* Pointer authentication signs a return address in the bits above these. */
	.address_bits = (UINT64_C(1) << 48) - 1,
	.kernel = kernel,
	.nr_kernel = sizeof(kernel),
};
