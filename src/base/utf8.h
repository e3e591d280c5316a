/*
 * Characters of UTF-8.  In invalid text, a stray continuation byte belongs to the character before
 * it.
 */
#ifndef WICK_BASE_UTF8_H
#define WICK_BASE_UTF8_H

#include "base/span.h"

/* Is it a continuation byte? */
static inline bool utf8_is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The number of ASCII bytes at the start, counted 8 at a time, so up to 7 more may follow. */
static inline size_t utf8_ascii(struct span s)
{
	size_t n = 0;

	for (; n + 8 <= s.size; n += 8) {
		uint64_t v;

		memcpy(&v, s.at + n, sizeof(v));
		if (v & 0x8080808080808080u)
			break;
	}
	return n;
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

/* The size of the longest prefix of at most max bytes that does not split a character. */
static inline size_t utf8_cut(struct span s, size_t max)
{
	if (s.size <= max)
		return s.size;
	while (max > 0 && utf8_is_inside(s.at[max]))
		max--;
	return max;
}

/*
 * The size of the first character of s, which must not be empty.  Not *whole: it is invalid, and this
 * is the number of bytes to replace by one U+FFFD.
 */
static inline size_t utf8_whole(struct span s, bool *whole)
{
	const unsigned char *u = (const unsigned char *)s.at;
	size_t n = u[0] < 0x80	 ? 1
		   : u[0] < 0xc2 ? 0
		   : u[0] < 0xe0 ? 2
		   : u[0] < 0xf0 ? 3
		   : u[0] < 0xf5 ? 4
				 : 0;
	/* The second byte excludes overlong forms, surrogates, and code points above U+10FFFF. */
	unsigned low = u[0] == 0xe0 ? 0xa0 : u[0] == 0xf0 ? 0x90 : 0x80;
	unsigned high = u[0] == 0xed ? 0x9f : u[0] == 0xf4 ? 0x8f : 0xbf;

	*whole = n > 0;
	for (size_t i = 1; i < n; i++) {
		if (i == s.size || u[i] < low || u[i] > high) {
			*whole = false;
			return i;
		}
		low = 0x80;
		high = 0xbf;
	}
	return n ? n : 1;
}

/* The first code point of valid UTF-8, and its size in bytes. */
static inline uint32_t utf8_code(struct span s, size_t *size)
{
	const unsigned char *u = (const unsigned char *)s.at;
	uint32_t code = u[0];

	*size = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : u[0] >= 0xc0 ? 2 : 1;
	if (*size > 1)
		code &= 0xffU >> (*size + 1);
	for (size_t i = 1; i < *size; i++)
		code = code << 6 | (u[i] & 0x3f);
	return code;
}

#endif
