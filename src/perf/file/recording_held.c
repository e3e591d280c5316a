#include "perf/file/recording_held.h"

#include "base/alloc.h"

#include <stdlib.h>

void held_release(struct held *h)
{
	strbuf_release(&h->bytes);
	free(h->record);
	*h = (struct held){ 0 };
}

bool held_add(struct held *h, struct span bytes, const struct held_record *record)
{
	strbuf_add(&h->bytes, bytes);
	GROW(h->record, h->nr, h->cap);
	h->record[h->nr] = *record;
	h->record[h->nr++].size = (uint32_t)bytes.size;
	return h->bytes.size > RECORDING_HELD_MAX;
}

/* Appends a second marker and the root: see enum chain_end. */
static void add_root(struct strbuf *to, struct span bytes, const struct held_record *record,
		     uint64_t pc, enum byte_order order)
{
	uint64_t nr = load_u64(bytes.at + record->chain, order);

	strbuf_reset(to);
	strbuf_add(to, span_upto(bytes, record->end));
	append_u64(to, PERF_CONTEXT_USER, order);
	append_u64(to, pc, order);
	strbuf_add(to, span_from(bytes, record->end));
	store_u64(to->at + record->chain, nr + CHAIN_ROOT_WORDS, order);
	store_u16(to->at + 6, (uint16_t)to->size, order);
}

/* Takes the next record from `left`; if it gets a root, the result is in `whole`. */
static struct span take(struct span *left, struct strbuf *whole, const struct held_record *record,
			enum byte_order order, recording_root *root, void *arg)
{
	struct span bytes = span_upto(*left, record->size);
	uint64_t pc;

	*left = span_from(*left, record->size);
	if (!record->ticket || !root || !root(arg, record->ticket, &pc))
		return bytes;
	add_root(whole, bytes, record, pc, order);
	return strbuf_peek(whole);
}

void held_settle(struct held *h, enum byte_order order, recording_root *root, void *arg)
{
	struct span left = strbuf_peek(&h->bytes);
	struct strbuf whole = { 0 }, all = { 0 };

	for (size_t i = 0; i < h->nr && root; i++) {
		struct span bytes = take(&left, &whole, &h->record[i], order, root, arg);

		strbuf_add(&all, bytes);
		h->record[i].size = (uint32_t)bytes.size;
		/* The record has its root, or that stays unknown. */
		h->record[i].ticket = 0;
	}
	strbuf_release(&whole);
	if (!h->nr || !root)
		return;
	strbuf_release(&h->bytes);
	h->bytes = all;
}

void held_write(struct held *h, struct packer *to, enum byte_order order, recording_root *root,
		void *arg)
{
	struct span left = strbuf_peek(&h->bytes);
	struct strbuf whole = { 0 };

	for (size_t i = 0; i < h->nr; i++)
		packer_add(to, take(&left, &whole, &h->record[i], order, root, arg));
	strbuf_release(&whole);
	h->nr = 0;
	strbuf_reset(&h->bytes);
}
