#include "pack/huffman.h"

#include "base/sort.h"

#include <endian.h>
#include <libdeflate.h>
#include <string.h>

enum {
	/* Deflate permits 15 bits; four codes of 12 bits and the rest of a byte fit into a word. */
	LENGTH_MAX = 12,
	AT_ONCE = 4,
	/*
	 * Bits before the codes: the block header, numbers of codes, lengths of the codes for
	 * lengths.
	 */
	HEAD_BITS = 3 + 5 + 5 + 4 + 19 * 3,
	/* Two unused codes of distances, which some readers expect. */
	DISTANCES = 2,
	STREAM_HEAD = 2, /* bytes before and after the block */
	STREAM_TAIL = 4,
};

/*
 * The number of bits of the code for a length.  It need not be optimal: there are only 259 lengths.
 */
static unsigned length_bits(unsigned length)
{
	return length < 3 ? 3 : 4;
}

/* Reverses the bits of a code: it is written with its first bit lowest. */
static uint16_t reversed(unsigned code, unsigned bits)
{
	unsigned r = 0;

	for (unsigned i = 0; i < bits; i++)
		r |= (code >> i & 1) << (bits - 1 - i);
	return (uint16_t)r;
}

/* Canonical codes: shorter ones come first, then smaller symbols; a length of 0 has none. */
static void set_codes(const uint8_t *length, size_t nr, uint16_t *code)
{
	unsigned next = 0;

	for (unsigned bits = 1; bits <= LENGTH_MAX; bits++, next <<= 1)
		for (size_t i = 0; i < nr; i++)
			if (length[i] == bits)
				code[i] = reversed(next++, bits);
}

/* Four tables, because consecutive equal bytes would have to wait for each other. */
static void count_bytes(struct span bytes, uint32_t used[HUFFMAN_SYMBOLS])
{
	uint32_t nr[4][256] = { 0 };
	const unsigned char *at = (const unsigned char *)bytes.at;
	size_t i = 0;

	for (; bytes.size - i >= 4; i += 4)
		for (size_t k = 0; k < 4; k++)
			nr[k][at[i + k]]++;
	for (; i < bytes.size; i++)
		nr[0][at[i]]++;
	for (size_t b = 0; b < 256; b++)
		used[b] = nr[0][b] + nr[1][b] + nr[2][b] + nr[3][b];
	used[HUFFMAN_END] = 1;
}

/*
 * Huffman's algorithm: joins the two rarest nodes, until one is left.  Two queues are enough: the
 * symbols are sorted first, and joined nodes are created in order.  Returns the longest length.
 */
static unsigned find_lengths(const uint32_t used[HUFFMAN_SYMBOLS], uint8_t length[HUFFMAN_SYMBOLS])
{
	uint64_t key[HUFFMAN_SYMBOLS];
	uint32_t weight[2 * HUFFMAN_SYMBOLS];
	uint16_t parent[2 * HUFFMAN_SYMBOLS] = { 0 }, depth[2 * HUFFMAN_SYMBOLS];
	size_t nr = 0, leaf = 0, joined, end;
	unsigned longest = 0;

	for (size_t i = 0; i < HUFFMAN_SYMBOLS; i++)
		if (used[i])
			key[nr++] = sort_key(used[i], i);
	sort_keys(key, nr);
	for (size_t i = 0; i < nr; i++)
		weight[i] = sort_by(key[i]);
	joined = nr;
	for (end = nr; end < 2 * nr - 1; end++) {
		weight[end] = 0;
		for (int i = 0; i < 2; i++) {
			bool is_leaf =
				leaf < nr && (joined == end || weight[leaf] <= weight[joined]);
			size_t rarest = is_leaf ? leaf++ : joined++;

			weight[end] += weight[rarest];
			parent[rarest] = (uint16_t)end;
		}
	}
	memset(length, 0, HUFFMAN_SYMBOLS);
	depth[end - 1] = 0;
	for (size_t i = end - 1; i-- > 0;) {
		depth[i] = (uint16_t)(depth[parent[i]] + 1);
		if (i >= nr)
			continue;
		length[sort_what(key[i])] = (uint8_t)depth[i];
		longest = depth[i] > longest ? depth[i] : longest;
	}
	return longest;
}

void huffman_init(struct huffman *h, struct span bytes)
{
	uint32_t used[HUFFMAN_SYMBOLS], less[HUFFMAN_SYMBOLS];
	uint64_t bits = HEAD_BITS + DISTANCES * (uint64_t)length_bits(1);

	*h = (struct huffman){ 0 };
	count_bytes(bytes, used);
	memcpy(less, used, sizeof(less));
	/*
	 * The rarest symbols have the longest codes: halves the differences of frequencies until
	 * all fit.
	 */
	while (find_lengths(less, h->length) > LENGTH_MAX)
		for (size_t i = 0; i < HUFFMAN_SYMBOLS; i++)
			less[i] = (less[i] + 1) / 2;
	set_codes(h->length, HUFFMAN_SYMBOLS, h->code);
	for (size_t i = 0; i < HUFFMAN_SYMBOLS; i++)
		bits += length_bits(h->length[i]) + (uint64_t)used[i] * h->length[i];
	h->size = STREAM_HEAD + (size_t)((bits + 7) / 8) + STREAM_TAIL;
}

struct bits {
	char *at;
	uint64_t word; /* not written yet, the first bit lowest */
	unsigned nr;
};

static void add_bits(struct bits *b, uint64_t value, unsigned nr)
{
	b->word |= value << b->nr;
	b->nr += nr;
}

/* Writes all whole bytes; fewer than eight bits remain. */
static void flush(struct bits *b)
{
	uint64_t word = htole64(b->word);

	memcpy(b->at, &word, sizeof(word));
	b->at += b->nr / 8;
	b->word >>= b->nr / 8 * 8;
	b->nr %= 8;
}

/* The block header: the lengths of all codes, encoded by the codes of length_bits(). */
static void write_head(struct bits *b, const struct huffman *h)
{
	static const uint8_t order[19] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
					   11, 4,  12, 3, 13, 2, 14, 1, 15 };
	uint8_t length[sizeof(order)] = { 0 };
	uint16_t code[sizeof(order)];

	for (unsigned i = 0; i <= LENGTH_MAX; i++)
		length[i] = (uint8_t)length_bits(i);
	set_codes(length, sizeof(order), code);
	add_bits(b, 1 | 2 << 1, 3); /* the last block, with codes of its own */
	add_bits(b, HUFFMAN_SYMBOLS - 257, 5);
	add_bits(b, DISTANCES - 1, 5);
	add_bits(b, sizeof(order) - 4, 4);
	for (size_t i = 0; i < sizeof(order); i++) {
		add_bits(b, length[order[i]], 3);
		flush(b);
	}
	for (size_t i = 0; i < HUFFMAN_SYMBOLS + DISTANCES; i++) {
		unsigned l = i < HUFFMAN_SYMBOLS ? h->length[i] : 1;

		add_bits(b, code[l], length[l]);
		flush(b);
	}
}

void huffman_write(const struct huffman *h, struct span bytes, char *to)
{
	static const char stream_head[STREAM_HEAD] = { 0x78, 0x01 };
	const unsigned char *at = (const unsigned char *)bytes.at;
	uint32_t sum = htobe32(libdeflate_adler32(1, bytes.at, bytes.size));
	struct bits b = { .at = to + STREAM_HEAD };
	size_t i = 0;

	memcpy(to, stream_head, STREAM_HEAD);
	write_head(&b, h);
	for (; bytes.size - i >= AT_ONCE; i += AT_ONCE) {
		for (size_t k = 0; k < AT_ONCE; k++)
			add_bits(&b, h->code[at[i + k]], h->length[at[i + k]]);
		flush(&b);
	}
	for (; i < bytes.size; i++) {
		add_bits(&b, h->code[at[i]], h->length[at[i]]);
		flush(&b);
	}
	add_bits(&b, h->code[HUFFMAN_END], h->length[HUFFMAN_END]);
	flush(&b);
	b.nr += 7; /* zeros up to the next byte */
	flush(&b);
	memcpy(b.at, &sum, STREAM_TAIL);
}
