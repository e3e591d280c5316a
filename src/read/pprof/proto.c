#include "read/pprof/proto.h"

bool field_next(struct bytes *in, struct field *f)
{
	uint64_t key;

	if (!bytes_left(in))
		return false;
	*f = (struct field){ 0 };
	key = bytes_varint(in);
	f->number = key >> 3;
	f->wire = key & 7;
	if (f->wire == WIRE_VARINT)
		f->value = bytes_varint(in);
	else if (f->wire == WIRE_BYTES)
		f->bytes = bytes_take(in, bytes_varint(in));
	else if (f->wire == WIRE_FIXED64 || f->wire == WIRE_FIXED32)
		bytes_take(in, f->wire == WIRE_FIXED64 ? 8 : 4);
	else
		bytes_fail(in);
	if (!f->number)
		bytes_fail(in);
	return !in->failed;
}

void field_numbers(struct span message, uint64_t number[NUMBERS_MAX])
{
	struct bytes in = bytes_over(message);
	struct field f;

	memset(number, 0, NUMBERS_MAX * sizeof(*number));
	while (field_next(&in, &f))
		if (f.wire == WIRE_VARINT && f.number < NUMBERS_MAX)
			number[f.number] = f.value;
}
