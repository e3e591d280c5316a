/* Numbers with a fixed number of decimals, as printf() writes them, at a tenth of its cost. */
#ifndef WICK_BASE_FIXED_H
#define WICK_BASE_FIXED_H

#include <stddef.h>

/* The longest text, of -DBL_MAX with FIXED_DIGITS_MAX decimals, and a NUL. */
enum { FIXED_DIGITS_MAX = 9, FIXED_SIZE = 1 + 309 + 1 + FIXED_DIGITS_MAX + 1 };

/* Writes what "%.*f" does, with 0 … FIXED_DIGITS_MAX decimals; returns the size without the NUL. */
size_t fixed_text(char text[FIXED_SIZE], double n, int digits);

#endif
