/*
 * Allocation that never returns NULL: running out of memory ends the program with one line, so that
 * no caller has an error path that is never tested.
 */
#ifndef WICK_BASE_ALLOC_H
#define WICK_BASE_ALLOC_H

#include <stddef.h>

/* Keeps malloc() mapping large blocks one by one: realloc() then moves them without copying. */
void alloc_init(void);

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t nr, size_t size) __attribute__((malloc, returns_nonnull));

/*
 * The same for a hash table.  Its pages are populated at once: otherwise each page faults when it is
 * first read, and again when it is first written, which interrupts all threads.
 */
void *xcalloc_table(size_t nr, size_t size);

void *xreallocarray(void *p, size_t nr, size_t size) __attribute__((returns_nonnull));
/* libiberty has functions of the same names, and calls these instead. */
void *xrealloc(void *p, size_t size) __attribute__((returns_nonnull));
void *xmemdup(const void *p, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));

/* Makes room for one more element in the array `p` of `nr` used and `cap` allocated elements. */
#define GROW(p, nr, cap) \
	do { \
		if ((nr) == (cap)) { \
			(cap) = (cap) ? (cap)*2 : 16; \
			(p) = xreallocarray((p), (cap), sizeof(*(p))); \
		} \
	} while (0)

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
