/* x86-64, and i386: the kernel has one numbering for both, DWARF has two. */
#include "unwind/unwind.h"

/* The kernel's numbers: ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8 … r15. */
static const uint8_t kernel_x86_64[] = {
	0,	     3,		  2,	       1,	    4,		 5,
	6,	     7,		  PC_REGISTER, NO_REGISTER, NO_REGISTER, NO_REGISTER,
	NO_REGISTER, NO_REGISTER, NO_REGISTER, NO_REGISTER, 8,		 9,
	10,	     11,	  12,	       13,	    14,		 15,
};

const struct unwind_arch unwind_x86_64 = {
	.name = "x86-64",
	.nr_register = 17,
	.stack = 7,
	.frame = 6,
	.link = NO_LINK,
	.word = 8,
	.has_tables = true,
	.reads_code = true,
	.frame_ends = true,
	.address_bits = UINT64_MAX,
	.kernel = kernel_x86_64,
	.nr_kernel = sizeof(kernel_x86_64),
};

/* On i386, DWARF's numbers 0 to 7 are ax cx dx bx sp bp si di. */
static const uint8_t kernel_i386[] = { 0, 3, 1, 2, 6, 7, 5, 4, PC_REGISTER };

const struct unwind_arch unwind_i386 = {
	.name = "i386",
	.nr_register = 9,
	.stack = 4,
	.frame = 5,
	.link = NO_LINK,
	.word = 4,
	.frame_ends = true,
	.address_bits = UINT32_MAX,
	.kernel = kernel_i386,
	.nr_kernel = sizeof(kernel_i386),
};
