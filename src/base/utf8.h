/* Characters in text that is UTF-8, or near enough: a stray byte counts with the character before it. */
#ifndef WICK_BASE_UTF8_H
#define WICK_BASE_UTF8_H

#include "base/span.h"

static inline bool utf8_is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static inline size_t utf8_length(struct span s)
{
	size_t nr = 0;

	for (size_t i = 0; i < s.size; i++)
		nr += !utf8_is_inside(s.at[i]);
	return nr;
}

/* Bytes of the first nr characters. */
static inline size_t utf8_bytes(struct span s, size_t nr)
{
	size_t i = 0;

	for (; i < s.size; i++)
		if (!utf8_is_inside(s.at[i]) && nr-- == 0)
			break;
	return i;
}

/* The most of at most max bytes that does not end inside a character. */
static inline size_t utf8_cut(struct span s, size_t max)
{
	if (s.size <= max)
		return s.size;
	while (max > 0 && utf8_is_inside(s.at[max]))
		max--;
	return max;
}

#endif
