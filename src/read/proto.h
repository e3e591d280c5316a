/*
 * Protocol buffers: a message is a row of fields, each a number that says which
 * it is and how its value is written.
 */
#ifndef WICK_READ_PROTO_H
#define WICK_READ_PROTO_H

#include "base/bytes.h"

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct field {
	uint64_t number;
	unsigned wire;
	uint64_t value;	   /* of a number */
	struct span bytes; /* of a text, a message or a list */
};

/* The next field; false at the end, and where there is none: `in` has failed then. */
bool field_next(struct bytes *in, struct field *f);

enum { NUMBERS_MAX = 7 };

/* The numbers of a message's first fields, by the fields' numbers; what is absent is 0. */
void field_numbers(struct span message, uint64_t number[NUMBERS_MAX]);

#endif
