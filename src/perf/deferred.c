#include "perf/deferred.h"

#include "base/alloc.h"

#include <stdlib.h>

/* A waiting sample. */
struct held {
	char *bytes;
	size_t size;
	size_t chain;	/* offset of its call chain, which begins with the number of words */
	size_t nr_kept; /* words of the chain, without the marker and the cookie */
	uint32_t tid;
	uint64_t cookie;
};

static struct span bytes_of(const struct held *h)
{
	return (struct span){ .at = h->bytes, .size = h->size };
}

static void drop(struct deferred *d, struct held *h)
{
	d->size -= h->size;
	free(h->bytes);
}

void deferred_release(struct deferred *d)
{
	for (size_t i = 0; i < d->nr; i++)
		drop(d, &d->held[i]);
	free(d->held);
	strbuf_release(&d->whole);
	*d = (struct deferred){ 0 };
}

/* Does the chain end in the marker and a cookie? */
static bool is_deferred(const struct words *chain)
{
	return chain->nr >= 2 && word_at(chain, chain->nr - 2) == CONTEXT_USER_DEFERRED;
}

bool deferred_hold(struct deferred *d, const struct record *r, struct span bytes)
{
	const struct words *chain = &r->sample.callchain;

	if (!is_deferred(chain) || d->nr == DEFERRED_MAX ||
	    bytes.size > DEFERRED_BYTES_MAX - d->size)
		return false;
	GROW(d->held, d->nr, d->cap);
	d->held[d->nr++] =
		(struct held){ .bytes = xmemdup(bytes.at, bytes.size),
			       .size = bytes.size,
			       .chain = (size_t)(chain->at - bytes.at) - sizeof(uint64_t),
			       .nr_kept = chain->nr - 2,
			       .tid = r->tid,
			       .cookie = word_at(chain, chain->nr - 1) };
	d->size += bytes.size;
	return true;
}

/*
 * The sample with `rest` in place of the marker and the cookie; unchanged if it would be too large.
 */
static struct span join(struct deferred *d, const struct held *h, const struct words *rest,
			enum byte_order order)
{
	const size_t word = sizeof(uint64_t);
	struct span old = bytes_of(h);
	struct strbuf *whole = &d->whole;
	size_t kept = h->chain + word + h->nr_kept * word, behind = kept + 2 * word;
	size_t nr = rest->nr;

	if (old.size - 2 * word + nr * word > RECORD_SIZE_MAX)
		return old;
	strbuf_reset(whole);
	strbuf_add(whole, span_upto(old, kept));
	for (size_t i = 0; i < nr; i++)
		append_u64(whole, word_at(rest, i), order);
	strbuf_add(whole, span_from(old, behind));
	store_u64(whole->at + h->chain, h->nr_kept + nr, order);
	store_u16(whole->at + 6, (uint16_t)whole->size, order);
	return strbuf_peek(whole);
}

int deferred_join(struct deferred *d, const struct record *r, enum byte_order order,
		  deferred_sink *sink, void *arg, struct error *e)
{
	size_t nr_left = 0;
	int ret = 0;

	for (size_t i = 0; i < d->nr; i++) {
		struct held h = d->held[i];

		if (ret || h.tid != r->tid || h.cookie != r->deferred.cookie) {
			d->held[nr_left++] = h;
			continue;
		}
		ret = sink(arg, join(d, &h, &r->deferred.callchain, order), e);
		drop(d, &h);
	}
	d->nr = nr_left;
	return ret;
}

int deferred_end(struct deferred *d, deferred_sink *sink, void *arg, struct error *e)
{
	int ret = 0;

	for (size_t i = 0; i < d->nr && !ret; i++)
		ret = sink(arg, bytes_of(&d->held[i]), e);
	return ret;
}
