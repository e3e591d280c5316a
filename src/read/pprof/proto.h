/*
 * Protocol buffers, decoded field by field.  A message is a sequence of fields; the key before each
 * has its number and its wire type.
 */
#ifndef WICK_READ_PPROF_PROTO_H
#define WICK_READ_PPROF_PROTO_H

#include "base/bytes.h"

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct field {
	uint64_t number;
	unsigned wire;
	uint64_t value;	   /* of WIRE_VARINT */
	struct span bytes; /* of WIRE_BYTES: a string, a message or packed numbers */
};

/*
 * The next field (fixed-size ones without value); false at the end, or if it is malformed:
 * in->failed.
 */
bool field_next(struct bytes *in, struct field *f);

enum { NUMBERS_MAX = 7 };

/* The varints of a message, by the number of their field, 1 to 6; 0 if absent. */
void field_numbers(struct span message, uint64_t number[NUMBERS_MAX]);

#endif
