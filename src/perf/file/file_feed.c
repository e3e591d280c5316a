#include "perf/file/file_feed.h"

#include "base/source.h"

enum {
	/* How often progress is reported to the source, which may then free memory: bytes. */
	TOLD_EACH = 2 * 1024 * 1024,
	/*
	 * Reported progress stays behind by this much: waiting records in the queue are still used.
	 */
	KEPT_BEHIND = 4 * 1024 * 1024,
};

void feed_map(struct perf_feed *f)
{
	struct error ignored = ERROR_INIT;

	if (!source_map(f->text->source, &f->mapped, &ignored))
		f->mapped = (struct span){ 0 };
}

static bool skip_mapped(struct perf_feed *f, uint64_t size)
{
	size_t n = size < f->mapped.size ? (size_t)size : f->mapped.size;

	f->mapped = span_from(f->mapped, n);
	f->at += n;
	if (f->at - f->told >= TOLD_EACH && !f->beside) {
		f->told = f->at;
		source_passed(f->text->source, f->at > KEPT_BEHIND ? f->at - KEPT_BEHIND : 0);
	}
	return n == size;
}

/* The next bytes are in carry, then in the text. */
struct span feed_peek(struct perf_feed *f, size_t size)
{
	struct text *t = f->text;

	if (size > f->left)
		size = (size_t)f->left;
	if (f->mapped.at)
		return span_upto(f->mapped, size);
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
	if (f->mapped.at)
		return skip_mapped(f, size);
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
