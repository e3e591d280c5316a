/*
 * Protocol buffers, encoded field by field into a string.  Zeros are omitted, as usual in this
 * encoding.
 */
#ifndef WICK_WRITE_PROTOBUF_H
#define WICK_WRITE_PROTOBUF_H

#include "base/bytes.h"

enum { PROTOBUF_VARINT = 0, PROTOBUF_FIXED64 = 1, PROTOBUF_BYTES = 2 };

static inline void protobuf_number(struct strbuf *to, unsigned field, uint64_t value)
{
	if (!value)
		return;
	bytes_add_varint(to, (uint64_t)field << 3 | PROTOBUF_VARINT);
	bytes_add_varint(to, value);
}

/* Writes 0, too, for a field whose absence means something else. */
static inline void protobuf_present(struct strbuf *to, unsigned field, uint64_t value)
{
	bytes_add_varint(to, (uint64_t)field << 3 | PROTOBUF_VARINT);
	bytes_add_varint(to, value);
}

/* Only the eight bytes, as in a list of them. */
static inline void protobuf_add_fixed64(struct strbuf *to, uint64_t value)
{
	for (unsigned i = 0; i < 64; i += 8)
		strbuf_addch(to, (char)(value >> i));
}

static inline void protobuf_fixed64(struct strbuf *to, unsigned field, uint64_t value)
{
	bytes_add_varint(to, (uint64_t)field << 3 | PROTOBUF_FIXED64);
	protobuf_add_fixed64(to, value);
}

/* The key and size of a string, a message or packed numbers, which follow. */
static inline void protobuf_head(struct strbuf *to, unsigned field, size_t size)
{
	bytes_add_varint(to, (uint64_t)field << 3 | PROTOBUF_BYTES);
	bytes_add_varint(to, size);
}

static inline void protobuf_bytes(struct strbuf *to, unsigned field, struct span bytes)
{
	protobuf_head(to, field, bytes.size);
	strbuf_add(to, bytes);
}

#endif
