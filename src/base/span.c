#include "base/span.h"

#include <math.h>
#include <stdlib.h>

size_t span_rfind(struct span s, char c)
{
	const char *p = s.size ? memrchr(s.at, c, s.size) : NULL;

	return p ? (size_t)(p - s.at) : s.size;
}

size_t span_find_text(struct span s, const char *text)
{
	size_t n = strlen(text);
	struct span left = span_upto(s, s.size >= n ? s.size - n + 1 : 0);
	size_t at = 0;

	if (!n)
		return 0;
	/* Looks for its first byte: memmem() reads byte by byte, memchr() 32 at a time. */
	for (;; at++) {
		at += span_find(span_from(left, at), text[0]);
		if (at >= left.size)
			return s.size;
		if (!memcmp(s.at + at, text, n))
			return at;
	}
}

size_t span_rfind_text(struct span s, const char *text)
{
	size_t n = strlen(text);
	struct span left = span_upto(s, s.size >= n ? s.size - n + 1 : 0);
	size_t at;

	/* Looks for its first byte: comparing at each position took a fifth of the time for a small file. */
	while ((at = span_rfind(left, text[0])) < left.size) {
		if (!memcmp(s.at + at, text, n))
			return at;
		left.size = at;
	}
	return s.size;
}

bool span_contains(struct span s, const char *text)
{
	return span_find_text(s, text) < s.size;
}

struct span span_base(struct span path)
{
	size_t slash = span_rfind(path, '/');

	return slash < path.size ? span_from(path, slash + 1) : path;
}

struct span span_trim_start(struct span s)
{
	while (s.size && is_blank(s.at[0])) {
		s.at++;
		s.size--;
	}
	return s;
}

struct span span_trim_end(struct span s)
{
	while (s.size && is_blank(s.at[s.size - 1]))
		s.size--;
	return s;
}

struct span span_trim(struct span s)
{
	return span_trim_end(span_trim_start(s));
}

/* The number of bytes before one that may be a blank, in steps of 8: readers look for words in long lines. */
static size_t printable_size(struct span s)
{
	const uint64_t ones = UINT64_MAX / 255;
	size_t n = 0;

	for (; n + 8 <= s.size; n += 8) {
		uint64_t v;

		memcpy(&v, s.at + n, sizeof(v));
		/* Is any byte below '!'? */
		if ((v - '!' * ones) & ~v & 0x80 * ones)
			break;
	}
	return n;
}

struct span span_word(struct span *s)
{
	struct span word = span_trim_start(*s);
	size_t n = printable_size(word);

	while (n < word.size && !is_blank(word.at[n]))
		n++;
	*s = span_from(word, n);
	return span_upto(word, n);
}

struct span span_line(struct span *s)
{
	size_t n = span_find(*s, '\n');
	struct span line = span_upto(*s, n);

	*s = span_from(*s, n + 1);
	if (span_ends(line, "\r"))
		line.size--;
	return line;
}

struct span span_digits(struct span s)
{
	size_t n = 0;

	while (n < s.size && is_digit(s.at[n]))
		n++;
	return span_upto(s, n);
}

bool span_u64(struct span s, uint64_t *value)
{
	enum { FITS = 19 }; /* this many digits do not overflow */
	uint64_t v = 0;
	size_t i = 0;

	if (!s.size)
		return false;
	for (; i < s.size && i < FITS; i++) {
		if (!is_digit(s.at[i]))
			return false;
		v = v * 10 + (uint64_t)(s.at[i] - '0');
	}
	for (; i < s.size; i++) {
		if (!is_digit(s.at[i]) || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(s.at[i] - '0'), &v))
			return false;
	}
	*value = v;
	return true;
}

bool span_hex(struct span s, uint64_t *value)
{
	uint64_t v = 0;

	if (!s.size || s.size > 16)
		return false;
	for (size_t i = 0; i < s.size; i++) {
		char c = s.at[i];

		if (!is_hex(c))
			return false;
		v = v << 4 | (uint64_t)(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	*value = v;
	return true;
}

bool span_double(struct span s, double *value)
{
	static const char decimal[] = "0123456789+-.eE";
	char text[64], *end;

	if (!s.size || s.size >= sizeof(text))
		return false;
	for (size_t i = 0; i < s.size; i++)
		if (!memchr(decimal, s.at[i], sizeof(decimal) - 1))
			return false;
	memcpy(text, s.at, s.size);
	text[s.size] = '\0';
	*value = strtod(text, &end);
	return end == text + s.size && isfinite(*value);
}

/* The offset in memory of the first byte that is not 0. */
static size_t first_byte(uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (size_t)__builtin_ctzll(v) / 8;
#else
	return (size_t)__builtin_clzll(v) / 8;
#endif
}

size_t span_common(struct span a, struct span b)
{
	size_t least = a.size < b.size ? a.size : b.size, n = 0;

	/* 8 bytes at a time while they are equal. */
	while (least - n >= sizeof(uint64_t)) {
		uint64_t x, y;

		memcpy(&x, a.at + n, sizeof(x));
		memcpy(&y, b.at + n, sizeof(y));
		if (x != y)
			return n + first_byte(x ^ y);
		n += sizeof(x);
	}
	while (n < least && a.at[n] == b.at[n])
		n++;
	return n;
}

int span_compare(struct span a, struct span b)
{
	size_t n = a.size < b.size ? a.size : b.size;
	int order = n ? memcmp(a.at, b.at, n) : 0;

	if (order)
		return order;
	return a.size < b.size ? -1 : a.size > b.size;
}
