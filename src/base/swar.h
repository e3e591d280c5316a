/* SIMD within a register: eight bytes at a time, as one number, without a branch for each. */
#ifndef WICK_BASE_SWAR_H
#define WICK_BASE_SWAR_H

#include <stdint.h>

/* Eight bytes with the same value. */
#define SWAR_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The high bit of each byte that is not a hexadecimal digit. */
static inline uint64_t swar_not_hex(uint64_t v)
{
	uint64_t low = v & SWAR_EACH(0x7f), lower = low | SWAR_EACH(0x20);
	uint64_t digit = (low + SWAR_EACH(0x80 - '0')) & ~(low + SWAR_EACH(0x80 - '9' - 1));
	uint64_t letter = (lower + SWAR_EACH(0x80 - 'a')) & ~(lower + SWAR_EACH(0x80 - 'f' - 1));

	return (~(digit | letter) | v) & SWAR_EACH(0x80);
}

/* The high bit of some bytes if any of the eight is this one; 0 if none is. */
static inline uint64_t swar_has(uint64_t v, unsigned char byte)
{
	uint64_t other = v ^ SWAR_EACH(byte);

	return (other - SWAR_EACH(1)) & ~other & SWAR_EACH(0x80);
}

#endif
