/*
 * Memory that is always there: running out of it ends the program with one
 * line, in one place, so no caller has a path that nobody ever tested.
 */
#ifndef WICK_BASE_ALLOC_H
#define WICK_BASE_ALLOC_H

#include <stddef.h>

/* Large blocks, once and for all, are mapped by themselves: they grow where they are, or move without being copied. */
void alloc_init(void);

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t nr, size_t size) __attribute__((malloc, returns_nonnull));
void *xreallocarray(void *p, size_t nr, size_t size) __attribute__((returns_nonnull));
/* libiberty asks for memory by these names too: it gets ours. */
void *xrealloc(void *p, size_t size) __attribute__((returns_nonnull));
void *xmemdup(const void *p, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));

/* Room for one more element in the array `p` of `nr` used and `cap` allocated elements. */
#define GROW(p, nr, cap) \
	do { \
		if ((nr) == (cap)) { \
			(cap) = (cap) ? (cap)*2 : 16; \
			(p) = xreallocarray((p), (cap), sizeof(*(p))); \
		} \
	} while (0)

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
