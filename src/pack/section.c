#include "pack/section.h"

#include "base/alloc.h"

#include <zlib.h>

enum {
	/* Below this a thread costs more than it saves. */
	THREAD_SIZE = 256 * 1024,
	/* Deflate makes 258 bytes of two bits at best. */
	RATIO_MAX = 1032,
	LEVEL = 6,
};

static void *deflate_body(void *arg)
{
	struct section *s = arg;
	uLongf size = compressBound(s->body.size);

	strbuf_reserve(&s->packed, size);
	if (compress2((Bytef *)s->packed.at, &size, (const Bytef *)s->body.at, s->body.size,
		      LEVEL) == Z_OK &&
	    size < s->body.size)
		s->packed.size = size;
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

int section_unpack(const struct section_view *s, struct strbuf *unpacked, struct span *body,
		   struct error *e)
{
	uLongf size = s->size;

	*body = s->bytes;
	if (s->size == s->bytes.size)
		return 0;
	if (s->size > PACK_BODY_MAX || s->size / RATIO_MAX > s->bytes.size)
		return error_set(e, ERROR_INPUT, "cannot be as large as it says");
	strbuf_reset(unpacked);
	strbuf_reserve(unpacked, s->size);
	if (uncompress((Bytef *)unpacked->at, &size, (const Bytef *)s->bytes.at, s->bytes.size) !=
		    Z_OK ||
	    size != s->size)
		return error_set(e, ERROR_INPUT, "does not unpack");
	unpacked->size = size;
	*body = strbuf_peek(unpacked);
	return 0;
}
