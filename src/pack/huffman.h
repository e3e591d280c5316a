/*
 * Deflate without matches: a zlib stream in which frequent bytes have short codes.  For columns of
 * numbers that do not repeat, this is as small as the output of libdeflate, which searches for
 * matches in vain, in a quarter of the time.
 */
#ifndef WICK_PACK_HUFFMAN_H
#define WICK_PACK_HUFFMAN_H

#include "base/span.h"

#include <stdint.h>

enum {
	HUFFMAN_END = 256, /* the end-of-block symbol */
	HUFFMAN_SYMBOLS,
	/* Bytes that huffman_write() may overwrite after the end of the stream. */
	HUFFMAN_SLACK = 8,
};

struct huffman {
	uint16_t code[HUFFMAN_SYMBOLS]; /* the first bit is the lowest */
	uint8_t length[HUFFMAN_SYMBOLS];
	size_t size; /* of the whole stream: bytes */
};

/* Finds the codes for some bytes, at least one. */
void huffman_init(struct huffman *h, struct span bytes);

/* Writes the stream, h->size bytes, to a buffer with HUFFMAN_SLACK more bytes. */
void huffman_write(const struct huffman *h, struct span bytes, char *to);

#endif
