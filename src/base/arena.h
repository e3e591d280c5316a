/* Many small things that are freed together. */
#ifndef WICK_BASE_ARENA_H
#define WICK_BASE_ARENA_H

#include <stddef.h>

struct arena {
	struct arena_block *block; /* newest first */
	char *at;
	size_t left;
	size_t used; /* bytes handed out */
};

/* Aligned for any type up to 8 bytes; lives until arena_release(). */
void *arena_take(struct arena *a, size_t size);
void arena_release(struct arena *a);

#endif
