/* An arena: many small allocations that are freed together.  Zeroed, it is empty. */
#ifndef WICK_BASE_ARENA_H
#define WICK_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena {
	struct arena_block *block; /* newest first */
	char *at;		   /* the free part of the newest block: `left` bytes */
	size_t left;
	size_t used; /* bytes handed out */
};

/* Not zeroed; aligned to 8 bytes; lives until arena_release(). */
void *arena_take(struct arena *a, size_t size);
void arena_release(struct arena *a);

/* Formatted text, NUL-terminated. */
const char *arena_vtext(struct arena *a, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

#endif
