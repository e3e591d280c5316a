#include "pack/section.h"

#include "base/alloc.h"

#include <libdeflate.h>

enum {
	/* Below this a thread costs more than it saves. */
	THREAD_SIZE = 256 * 1024,
	/* Deflate makes 258 bytes of two bits at best. */
	RATIO_MAX = 1032,
	/* Bodies smaller than these are worth the most and some effort. */
	SMALL_SIZE = 128 * 1024,
	LARGE_SIZE = 2 * 1024 * 1024,
};

/* Large bodies are columns of numbers, which gain little from more. */
static int level_of(size_t size)
{
	return size < SMALL_SIZE ? 9 : size < LARGE_SIZE ? 6 : 1;
}

static void *deflate_body(void *arg)
{
	struct section *s = arg;
	struct libdeflate_compressor *c;

	/* It says that it cannot when the result would not be smaller. */
	c = s->body.size ? libdeflate_alloc_compressor(level_of(s->body.size)) : NULL;
	if (!c)
		return NULL;
	strbuf_reserve(&s->packed, s->body.size);
	s->packed.size = libdeflate_zlib_compress(c, s->body.at, s->body.size, s->packed.at,
						  s->body.size - 1);
	libdeflate_free_compressor(c);
	return NULL;
}

void section_end(struct section *s)
{
	if (s->body.size >= THREAD_SIZE)
		s->threaded = !pthread_create(&s->thread, NULL, deflate_body, s);
	if (!s->threaded)
		deflate_body(s);
}

void section_write(struct section *s, char tag, struct strbuf *out)
{
	const struct strbuf *bytes;

	if (s->threaded)
		pthread_join(s->thread, NULL);
	bytes = s->packed.size ? &s->packed : &s->body;
	if (s->body.size) {
		strbuf_addch(out, tag);
		bytes_add_varint(out, s->body.size);
		bytes_add_varint(out, bytes->size);
		strbuf_add(out, strbuf_peek(bytes));
	}
	strbuf_release(&s->body);
	strbuf_release(&s->packed);
}

bool section_next(struct bytes *b, struct section_view *s)
{
	if (!bytes_left(b))
		return false;
	s->tag = (char)bytes_u8(b);
	s->size = bytes_varint(b);
	s->bytes = bytes_take(b, bytes_varint(b));
	return !b->failed;
}

static bool inflate_body(const struct section_view *s, struct strbuf *unpacked)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	enum libdeflate_result result = LIBDEFLATE_BAD_DATA;
	size_t used = 0, size = (size_t)s->size;

	strbuf_reserve(unpacked, size);
	if (d)
		result = libdeflate_zlib_decompress_ex(d, s->bytes.at, s->bytes.size, unpacked->at,
						       size, &used, NULL);
	libdeflate_free_decompressor(d);
	unpacked->size = size;
	return result == LIBDEFLATE_SUCCESS && used == s->bytes.size;
}

int section_unpack(const struct section_view *s, struct strbuf *unpacked, struct span *body,
		   struct error *e)
{
	*body = s->bytes;
	if (s->size == s->bytes.size)
		return 0;
	if (s->size > PACK_BODY_MAX || s->size / RATIO_MAX > s->bytes.size)
		return error_set(e, ERROR_INPUT, "cannot be as large as it says");
	strbuf_reset(unpacked);
	if (!inflate_body(s, unpacked))
		return error_set(e, ERROR_INPUT, "does not unpack");
	*body = strbuf_peek(unpacked);
	return 0;
}
