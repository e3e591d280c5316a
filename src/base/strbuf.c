#include "base/strbuf.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void strbuf_release(struct strbuf *b)
{
	free(b->at);
	*b = (struct strbuf){ 0 };
}

void strbuf_grow(struct strbuf *b, size_t extra)
{
	size_t cap = b->cap ? b->cap : 64;

	while (cap - b->size <= extra)
		cap *= 2;
	if (cap != b->cap) {
		b->at = xreallocarray(b->at, cap, 1);
		b->cap = cap;
	}
}

void strbuf_trim(struct strbuf *b)
{
	b->cap = b->size + 1;
	b->at = xreallocarray(b->at, b->cap, 1);
}

void strbuf_addf(struct strbuf *b, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (n < 0)
		return;
	strbuf_reserve(b, (size_t)n);
	va_start(ap, format);
	vsnprintf(b->at + b->size, (size_t)n + 1, format, ap);
	va_end(ap);
	b->size += (size_t)n;
}
