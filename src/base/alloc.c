#include "base/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	return checked(calloc(nr, size), nr);
}

void *xreallocarray(void *p, size_t nr, size_t size)
{
	nr += !nr;
	size += !size;
	return checked(reallocarray(p, nr, size), nr);
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
