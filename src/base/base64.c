#include "base/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Three bytes are four characters. */
enum { BLOCK_BYTES = 3 * 1024, BLOCK_TEXT = 4 * 1024 };

static size_t encode(char *to, const unsigned char *u, size_t nr)
{
	char *begin = to;

	for (; nr >= 3; nr -= 3, u += 3, to += 4) {
		uint32_t v = (uint32_t)u[0] << 16 | (uint32_t)u[1] << 8 | u[2];

		to[0] = alphabet[v >> 18];
		to[1] = alphabet[v >> 12 & 63];
		to[2] = alphabet[v >> 6 & 63];
		to[3] = alphabet[v & 63];
	}
	if (nr) {
		uint32_t v = (uint32_t)u[0] << 16 | (nr == 2 ? (uint32_t)u[1] << 8 : 0);

		to[0] = alphabet[v >> 18];
		to[1] = alphabet[v >> 12 & 63];
		to[2] = nr == 2 ? alphabet[v >> 6 & 63] : '=';
		to[3] = '=';
		to += 4;
	}
	return (size_t)(to - begin);
}

void base64_write(struct output *out, struct span bytes)
{
	char text[BLOCK_TEXT];

	while (bytes.size) {
		struct span part = span_upto(bytes, BLOCK_BYTES);
		size_t size = encode(text, (const unsigned char *)part.at, part.size);

		output_add(out, (struct span){ .at = text, .size = size });
		bytes = span_from(bytes, part.size);
	}
}

void base64_add(struct strbuf *out, struct span bytes)
{
	strbuf_reserve(out, (bytes.size + 2) / 3 * 4);
	out->size += encode(out->at + out->size, (const unsigned char *)bytes.at, bytes.size);
	out->at[out->size] = '\0';
}

enum { NO_DIGIT = 64, BLANK, PAD };

static void fill_values(unsigned char value[256])
{
	memset(value, NO_DIGIT, 256);
	for (unsigned char i = 0; i < 64; i++)
		value[(unsigned char)alphabet[i]] = i;
	value['='] = PAD;
	value['\n'] = value['\r'] = value['\t'] = value[' '] = BLANK;
}

int base64_parse(struct strbuf *out, struct span text)
{
	const unsigned char *u = (const unsigned char *)text.at, *end = u + text.size;
	unsigned char value[256];
	uint32_t bits = 0;
	size_t nr = 0, padded = 0;
	char *to;

	fill_values(value);
	strbuf_reserve(out, text.size / 4 * 3 + 3);
	to = out->at + out->size;
	for (; u < end; u++) {
		unsigned v = value[*u];

		if (v == BLANK)
			continue;
		if (v == PAD) {
			padded++;
			continue;
		}
		if (v == NO_DIGIT || padded)
			return -1;
		bits = bits << 6 | v;
		if (++nr % 4)
			continue;
		*to++ = (char)(bits >> 16);
		*to++ = (char)(bits >> 8);
		*to++ = (char)bits;
	}
	if (nr % 4 == 1 || (nr + padded) % 4 || padded > 2)
		return -1;
	if (nr % 4 == 2)
		*to++ = (char)(bits >> 4);
	if (nr % 4 == 3) {
		*to++ = (char)(bits >> 10);
		*to++ = (char)(bits >> 2);
	}
	out->size = (size_t)(to - out->at);
	out->at[out->size] = '\0';
	return 0;
}
