#include "write/json_out.h"

#include "base/json.h"

void json_out_string(struct json_out *w, struct span s)
{
	strbuf_reset(&w->text);
	json_add_string(&w->text, s);
	output_add(w->out, strbuf_peek(&w->text));
}

void json_out_number(struct json_out *w, uint64_t number)
{
	char digits[24], *at = digits + sizeof(digits);

	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	output_add(w->out, span_between(at, digits + sizeof(digits)));
}

void json_out_signed(struct json_out *w, int64_t number)
{
	if (number < 0)
		output_char(w->out, '-');
	json_out_number(w, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void json_out_decimal(struct json_out *w, int64_t number, unsigned digits)
{
	uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number, one = 1;

	for (unsigned i = 0; i < digits; i++)
		one *= 10;
	if (number < 0)
		output_char(w->out, '-');
	json_out_number(w, size / one);
	if (size % one)
		output_char(w->out, '.');
	while (size % one) {
		size %= one;
		one /= 10;
		output_char(w->out, (char)('0' + size / one));
	}
}
