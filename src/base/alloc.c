#include "base/alloc.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Large tables are read at random: with huge pages there are fewer TLB misses, and the kernel
 * clears 2 MB at once.
 */
enum { HUGE_FROM = 2 * 1024 * 1024 };

static void *with_huge_pages(void *p, size_t size)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	/*
	 * The whole mapping, from its first page: mremap() cannot move one that is advised in
	 * part.
	 */
	uintptr_t begin = (uintptr_t)p & ~(page - 1);

	if (size >= HUGE_FROM)
		(void)madvise((void *)begin, (uintptr_t)p + size - begin, MADV_HUGEPAGE);
	return p;
}

void alloc_init(void)
{
	/* glibc raises the threshold when a mapped block is freed: setting it turns that off. */
	mallopt(M_MMAP_THRESHOLD, HUGE_FROM);
	/* Deflate's tables come and go: memory that is returned to the kernel has to be cleared again. */
	mallopt(M_TRIM_THRESHOLD, HUGE_FROM);
}

static void *checked(void *p, size_t size)
{
	if (p || !size)
		return p;
	fprintf(stderr, "wick: out of memory (asked for %zu bytes)\n", size);
	abort();
}

void *xmalloc(size_t size)
{
	size += !size;
	return checked(malloc(size), size);
}

void *xcalloc(size_t nr, size_t size)
{
	nr += !nr;
	size += !size;
	return with_huge_pages(checked(calloc(nr, size), nr), nr * size);
}

void *xcalloc_table(size_t nr, size_t size)
{
	enum { POPULATE_FROM = 256 * 1024 };
	void *table = xcalloc(nr, size);
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = ((uintptr_t)table + page - 1) & ~(page - 1);
	uintptr_t end = ((uintptr_t)table + nr * size) & ~(page - 1);

#ifdef MADV_POPULATE_WRITE
	/* Fails on kernels before 5.14. */
	if (nr * size >= POPULATE_FROM)
		(void)madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
#endif
	return table;
}

void *xreallocarray(void *p, size_t nr, size_t size)
{
	nr += !nr;
	size += !size;
	return with_huge_pages(checked(reallocarray(p, nr, size), nr), nr * size);
}

void *xrealloc(void *p, size_t size)
{
	return xreallocarray(p, size, 1);
}

void *xmemdup(const void *p, size_t size)
{
	void *copy = xmalloc(size);

	if (size)
		memcpy(copy, p, size);
	return copy;
}

char *xstrdup(const char *s)
{
	return xmemdup(s, strlen(s) + 1);
}
