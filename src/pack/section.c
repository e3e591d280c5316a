#include "pack/section.h"

#include "base/alloc.h"
#include "pack/huffman.h"

#include <libdeflate.h>
#include <pthread.h>
#include <stdlib.h>

enum {
	/*
	 * Smaller bodies are stored: building deflate's tables costs more time than the saved bytes
	 * are worth.
	 */
	STORED_SIZE = 256,
	/* Below this size, a thread costs more than it saves. */
	THREAD_SIZE = 32 * 1024,
	/* Deflate's maximum ratio: two bits for 258 bytes. */
	RATIO_MAX = 1032,
	/*
	 * Up to these sizes, higher levels are worth their time; level 9 would save 2 % more, in
	 * twice the time.
	 */
	SMALL_SIZE = 64 * 1024,
	LARGE_SIZE = 256 * 1024,
	/*
	 * Parts of a chunk that are deflated to estimate its ratio, spread over all of it, because
	 * columns differ.
	 */
	PROBE_PIECES = 8,
	PROBE_PIECE = 4 * 1024,
	PROBE_SIZE = PROBE_PIECES * PROBE_PIECE,
	/* Limit of chunks of one section that are deflated at a time. */
	THREADS_MAX = 8,
};

/* Large bodies are columns of numbers, which gain little from a higher level. */
static int level_of(size_t size)
{
	return size < SMALL_SIZE ? 6 : size < LARGE_SIZE ? 4 : 1;
}

struct chunk {
	struct span bytes;    /* uncompressed: in `own`, or in the section's body */
	struct strbuf own;    /* released as soon as `packed` is complete */
	struct strbuf packed; /* empty: it is stored uncompressed */
	int level;
	pthread_t thread;
	bool threaded;
};

/* Deflates bytes into p->packed; false if the result has `most` bytes or more. */
static bool deflate(struct chunk *p, struct libdeflate_compressor *c, struct span bytes,
		    size_t most)
{
	p->packed.size = libdeflate_zlib_compress(c, bytes.at, bytes.size, p->packed.at, most - 1);
	return p->packed.size != 0;
}

/* The largest acceptable result: for a few percent, a reader should not have to decompress. */
static size_t worth(size_t size)
{
	return size - size / 5;
}

/* Estimates the deflated size of a chunk; 0: not worth it. */
static size_t estimate(struct chunk *p, struct libdeflate_compressor *c)
{
	char piece[PROBE_SIZE];
	size_t step = (p->bytes.size - PROBE_PIECE) / (PROBE_PIECES - 1);

	for (size_t i = 0; i < PROBE_PIECES; i++)
		memcpy(piece + i * PROBE_PIECE, p->bytes.at + i * step, PROBE_PIECE);
	if (!deflate(p, c, (struct span){ .at = piece, .size = PROBE_SIZE }, worth(PROBE_SIZE)))
		return 0;
	return p->packed.size * p->bytes.size / PROBE_SIZE;
}

/*
 * Large bodies are columns of numbers.  Incompressible ones are stored, and those that hardly
 * repeat are not searched for matches.
 */
static bool deflate_large(struct chunk *p, struct libdeflate_compressor *c)
{
	struct huffman h;
	size_t expected;

	if (p->bytes.size <= PROBE_SIZE)
		return deflate(p, c, p->bytes, worth(p->bytes.size));
	expected = estimate(p, c);
	if (!expected)
		return false;
	huffman_init(&h, p->bytes);
	/* Accepts an eighth more bytes for the saved time. */
	if (h.size > expected + expected / 8)
		return deflate(p, c, p->bytes, p->bytes.size);
	huffman_write(&h, p->bytes, p->packed.at);
	p->packed.size = h.size;
	return true;
}

static void *deflate_chunk(void *arg)
{
	struct chunk *p = arg;
	struct libdeflate_compressor *c;

	if (p->bytes.size < STORED_SIZE)
		return NULL;
	c = libdeflate_alloc_compressor(p->level);
	strbuf_reserve(&p->packed, p->bytes.size + HUFFMAN_SLACK);
	if (c && (p->level > 1 ? deflate(p, c, p->bytes, p->bytes.size) : deflate_large(p, c))) {
		strbuf_release(&p->own);
		strbuf_trim(&p->packed);
	} else {
		strbuf_release(&p->packed);
	}
	libdeflate_free_compressor(c);
	return NULL;
}

static void join(struct chunk *p)
{
	if (p->threaded)
		pthread_join(p->thread, NULL);
	p->threaded = false;
}

/* Starts to deflate a chunk, in a thread; if THREADS_MAX run, waits for the oldest first. */
static void add_chunk(struct section *s, struct chunk *p)
{
	if (s->nr_chunk >= THREADS_MAX)
		join(s->chunk[s->nr_chunk - THREADS_MAX]);
	GROW(s->chunk, s->nr_chunk, s->cap_chunk);
	s->chunk[s->nr_chunk++] = p;
	if (p->bytes.size >= THREAD_SIZE)
		p->threaded = !pthread_create(&p->thread, NULL, deflate_chunk, p);
	if (!p->threaded)
		deflate_chunk(p);
}

/* Moves the whole body into a new chunk. */
static void take_body(struct section *s)
{
	struct chunk *p = xcalloc(1, sizeof(*p));

	p->own = s->body;
	p->bytes = strbuf_peek(&p->own);
	p->level = level_of(s->expected > p->bytes.size ? s->expected : p->bytes.size);
	s->body = (struct strbuf){ 0 };
	add_chunk(s, p);
}

void section_cut(struct section *s)
{
	if (s->body.size < PACK_CHUNK_SIZE)
		return;
	take_body(s);

	strbuf_reserve(&s->body, PACK_CHUNK_SIZE);
}

void section_cut_even(struct section *s)
{
	struct chunk *p;

	if (s->body.size < 2 * (size_t)PACK_CHUNK_SIZE)
		return;
	p = xcalloc(1, sizeof(*p));
	strbuf_add(&p->own, span_upto(strbuf_peek(&s->body), PACK_CHUNK_SIZE));
	p->bytes = strbuf_peek(&p->own);
	p->level = level_of(s->body.size);
	s->body.size -= PACK_CHUNK_SIZE;
	memmove(s->body.at, s->body.at + PACK_CHUNK_SIZE, s->body.size);
	s->even = true;
	add_chunk(s, p);
}

void section_append(struct section *s, struct section *behind)
{
	if (!behind->nr_chunk) {
		strbuf_add(&s->body, strbuf_peek(&behind->body));
		strbuf_release(&behind->body);
		return;
	}
	if (s->body.size)
		take_body(s);
	for (size_t i = 0; i < behind->nr_chunk; i++) {
		GROW(s->chunk, s->nr_chunk, s->cap_chunk);
		s->chunk[s->nr_chunk++] = behind->chunk[i];
	}
	s->body = behind->body;
	free(behind->chunk);
	*behind = (struct section){ 0 };
}

void section_end(struct section *s)
{
	struct span left = strbuf_peek(&s->body);

	if (!s->expected)
		s->expected = left.size;
	if (s->even)
		s->expected += LARGE_SIZE;
	else if (left.size && left.size < 2 * (size_t)PACK_CHUNK_SIZE) {
		take_body(s);
		return;
	}
	for (; left.size; left = span_from(left, PACK_CHUNK_SIZE)) {
		struct chunk *p = xcalloc(1, sizeof(*p));

		p->bytes = span_upto(left, PACK_CHUNK_SIZE);
		p->level = level_of(s->expected);
		add_chunk(s, p);
	}
}

static void write_chunk(struct chunk *p, char tag, struct strbuf *out)
{
	struct span bytes = p->bytes;

	join(p);
	if (p->packed.size)
		bytes = strbuf_peek(&p->packed);
	strbuf_addch(out, tag);
	bytes_add_varint(out, p->bytes.size);
	bytes_add_varint(out, bytes.size);
	strbuf_add(out, bytes);
	strbuf_release(&p->own);
	strbuf_release(&p->packed);
	free(p);
}

void section_write(struct section *s, char tag, struct strbuf *out)
{
	for (size_t i = 0; i < s->nr_chunk; i++)
		write_chunk(s->chunk[i], tag, out);
	strbuf_release(&s->body);
	free(s->chunk);
	*s = (struct section){ 0 };
}

/* One chunk of a section, as stored in the pack. */
struct chunk_view {
	uint64_t size; /* uncompressed */
	struct span bytes;
};

static struct chunk_view next_chunk(struct bytes *b)
{
	struct chunk_view p;

	(void)bytes_u8(b);
	p.size = bytes_varint(b);
	p.bytes = bytes_text(b);
	return p;
}

bool section_next(struct bytes *b, struct section_view *s)
{
	if (!bytes_left(b))
		return false;
	*s = (struct section_view){ .tag = (char)*b->at, .chunks = *b };
	do {
		uint64_t size = next_chunk(b).size;

		/* Once too large, it stays too large: it must not wrap around. */
		s->size = size > PACK_BODY_MAX ? UINT64_MAX : s->size + size;
		s->nr_chunk++;
	} while (!b->failed && s->size <= PACK_BODY_MAX && bytes_left(b) && (char)*b->at == s->tag);
	return !b->failed;
}

static bool inflate_chunk(const struct chunk_view *p, struct strbuf *unpacked)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	enum libdeflate_result result = LIBDEFLATE_BAD_DATA;
	size_t used = 0, size = (size_t)p->size;

	strbuf_reserve(unpacked, size);
	if (d)
		result = libdeflate_zlib_decompress_ex(d, p->bytes.at, p->bytes.size,
						       unpacked->at + unpacked->size, size, &used,
						       NULL);
	libdeflate_free_decompressor(d);
	unpacked->size += size;
	return result == LIBDEFLATE_SUCCESS && used == p->bytes.size;
}

static int unpack_chunk(const struct chunk_view *p, struct strbuf *unpacked, struct error *e)
{
	if (p->size == p->bytes.size) {
		strbuf_add(unpacked, p->bytes);
		return 0;
	}
	if (p->size / RATIO_MAX > p->bytes.size)
		return error_set(e, ERROR_INPUT, "declared size is out of range");
	return inflate_chunk(p, unpacked) ? 0
					  : error_set(e, ERROR_INPUT, "corrupt compressed data");
}

int section_unpack(const struct section_view *s, struct strbuf *unpacked, struct span *body,
		   struct error *e)
{
	struct bytes b = s->chunks;

	if (s->size > PACK_BODY_MAX)
		return error_set(e, ERROR_INPUT, "declared size is out of range");
	if (s->nr_chunk == 1) {
		struct chunk_view only = next_chunk(&b);

		*body = only.bytes;
		if (only.size == only.bytes.size)
			return 0;
		b = s->chunks;
	}
	strbuf_reset(unpacked);
	for (size_t i = 0; i < s->nr_chunk; i++) {
		struct chunk_view p = next_chunk(&b);

		if (unpack_chunk(&p, unpacked, e))
			return -1;
	}
	*body = strbuf_peek(unpacked);
	return 0;
}

int section_wrong(struct error *e, const char *what)
{
	return error_set(e, ERROR_INPUT, "%s", what);
}

int section_cut_short(struct error *e)
{
	return section_wrong(e, "truncated, or a number is out of range");
}
