#include "base/arena.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

enum { BLOCK_SIZE = 64 * 1024, ALIGNMENT = 8 };

struct arena_block {
	struct arena_block *next;
	char bytes[];
};

void *arena_take(struct arena *a, size_t size)
{
	char *p;

	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	/* An allocation of 0 bytes must not be NULL either. */
	if (size > a->left || !a->block) {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
		struct arena_block *block = xmalloc(sizeof(*block) + room);

		block->next = a->block;
		a->block = block;
		a->at = block->bytes;
		a->left = room;
	}
	p = a->at;
	a->at += size;
	a->left -= size;
	a->used += size;
	return p;
}

const char *arena_vtext(struct arena *a, const char *format, va_list args)
{
	va_list again;
	size_t size;
	char *text;

	va_copy(again, args);
	size = (size_t)vsnprintf(NULL, 0, format, again) + 1;
	va_end(again);
	text = arena_take(a, size);
	vsnprintf(text, size, format, args);
	return text;
}

void arena_release(struct arena *a)
{
	while (a->block) {
		struct arena_block *next = a->block->next;

		free(a->block);
		a->block = next;
	}
	*a = (struct arena){ 0 };
}
