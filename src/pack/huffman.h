/*
 * Deflate without matches: a zlib stream whose bytes have short codes if they are frequent.  Columns of
 * numbers that do not repeat get as small as by libdeflate, which searches them for matches in vain, in a
 * quarter of the time.
 */
#ifndef WICK_PACK_HUFFMAN_H
#define WICK_PACK_HUFFMAN_H

#include "base/span.h"

#include <stdint.h>

enum {
	HUFFMAN_END = 256, /* the symbol behind the bytes */
	HUFFMAN_SYMBOLS,
	/* The most bytes that huffman_write() may write behind the size that is known before. */
	HUFFMAN_SLACK = 8,
};

struct huffman {
	uint16_t code[HUFFMAN_SYMBOLS]; /* the first bit is the lowest */
	uint8_t length[HUFFMAN_SYMBOLS];
	size_t size; /* of the whole stream: bytes */
};

/* Finds the codes for some bytes, at least one. */
void huffman_init(struct huffman *h, struct span bytes);

/* Writes the stream of these bytes, h->size bytes, to where HUFFMAN_SLACK more are free. */
void huffman_write(const struct huffman *h, struct span bytes, char *to);

#endif
