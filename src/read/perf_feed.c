#include "read/perf_feed.h"

/* What was carried over is at the front of what comes; the text has the rest. */
struct span feed_peek(struct perf_feed *f, size_t size)
{
	struct text *t = f->text;

	if (size > f->left)
		size = (size_t)f->left;
	if (!f->carry.size && (size_t)(t->end - t->at) >= size)
		return (struct span){ .at = t->at, .size = size };
	while (f->carry.size < size) {
		struct span here = span_upto(span_between(t->at, t->end), size - f->carry.size);

		if (!here.size) {
			if (!text_refill(t))
				break;
			continue;
		}
		strbuf_add(&f->carry, here);
		t->at += here.size;
	}
	return span_upto(strbuf_peek(&f->carry), size);
}

static void drop_carry(struct perf_feed *f, size_t size)
{
	memmove(f->carry.at, f->carry.at + size, f->carry.size - size);
	f->carry.size -= size;
}

bool feed_skip(struct perf_feed *f, uint64_t size)
{
	struct text *t = f->text;

	if (size > f->left)
		return false;
	f->left -= size;
	if (f->carry.size) {
		size_t n = size < f->carry.size ? (size_t)size : f->carry.size;

		drop_carry(f, n);
		size -= n;
	}
	while (size) {
		size_t here = (size_t)(t->end - t->at);

		if (!here) {
			if (!text_refill(t))
				return false;
			continue;
		}
		if (here > size)
			here = (size_t)size;
		t->at += here;
		size -= here;
	}
	return true;
}
