/*
 * A span borrows bytes that someone else owns: it has no NUL at the end, and may hold any byte.
 * Readers split lines into spans and pass them on without copying.
 */
#ifndef WICK_BASE_SPAN_H
#define WICK_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
	const char *at;
	size_t size;
};

/* SPAN("literal") */
#define SPAN(literal) ((struct span){ .at = "" literal, .size = sizeof(literal) - 1 })

static inline struct span span_of(const char *s)
{
	return (struct span){ .at = s, .size = strlen(s) };
}

static inline struct span span_between(const char *from, const char *to)
{
	return (struct span){ .at = from, .size = (size_t)(to - from) };
}

/* All but the first n bytes; empty if it is shorter. */
static inline struct span span_from(struct span s, size_t n)
{
	if (n > s.size)
		n = s.size;
	/* C does not allow NULL + 0. */
	return (struct span){ .at = n ? s.at + n : s.at, .size = s.size - n };
}

/* At most the first n bytes. */
static inline struct span span_upto(struct span s, size_t n)
{
	return (struct span){ .at = s.at, .size = n < s.size ? n : s.size };
}

/* The byte at an offset; 0 past the end. */
static inline char span_at(struct span s, size_t at)
{
	return at < s.size ? s.at[at] : '\0';
}

static inline bool span_eq(struct span a, struct span b)
{
	return a.size == b.size && (!a.size || !memcmp(a.at, b.at, a.size));
}

/* Compares the first byte first, in which most names differ: strlen() would cost more. */
static inline bool span_is(struct span a, const char *s)
{
	return !(a.size && *a.at != *s) && span_eq(a, span_of(s));
}

static inline bool span_starts(struct span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.size >= n && !memcmp(s.at, prefix, n);
}

/* The same from an offset on, which may be past the end. */
static inline bool span_starts_at(struct span s, size_t at, const char *prefix)
{
	return span_starts(span_from(s, at), prefix);
}

static inline bool span_ends(struct span s, const char *suffix)
{
	size_t n = strlen(suffix);

	return s.size >= n && !memcmp(s.at + s.size - n, suffix, n);
}

static inline bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Without branches: digits and letters alternate at random. */
static inline bool is_hex(char c)
{
	return ((unsigned char)(c - '0') < 10) | ((unsigned char)((c | 0x20) - 'a') < 6);
}

/* A character of an identifier, in most languages. */
static inline bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static inline bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

/* The offset of the first or last occurrence; s.size when there is none. */
static inline size_t span_find(struct span s, char c)
{
	const char *p = s.size ? memchr(s.at, c, s.size) : NULL;

	return p ? (size_t)(p - s.at) : s.size;
}

size_t span_rfind(struct span s, char c);
size_t span_find_text(struct span s, const char *text);
size_t span_rfind_text(struct span s, const char *text);
bool span_contains(struct span s, const char *text);

/* The last part of a path. */
struct span span_base(struct span path);

struct span span_trim(struct span s);
struct span span_trim_start(struct span s);
struct span span_trim_end(struct span s);

/*
 * Removes the first word (a run without blanks) from *s and returns it; blanks
 * before it are dropped.  Empty if nothing is left.
 */
struct span span_word(struct span *s);

/* Removes the first line from *s and returns it without its end (\n or \r\n). */
struct span span_line(struct span *s);

/* The digits at the start. */
struct span span_digits(struct span s);

/* The whole span as a number; false when it is anything else or too large. */
bool span_u64(struct span s, uint64_t *value);
bool span_hex(struct span s, uint64_t *value);

/* The same for a decimal number: 12, -12.5, .5, 1e-05. */
bool span_double(struct span s, double *value);

/* The size of the longest common prefix. */
size_t span_common(struct span a, struct span b);

/* Compares bytes, a prefix comes first: the order of `LC_ALL=C sort`. */
int span_compare(struct span a, struct span b);

#endif
