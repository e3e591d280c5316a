/* Decompression: gzip, zstd and xz, and text in UTF-16: detected by their first bytes. */
#include "base/alloc.h"
#include "base/stream_parts.h"

/* xz -9 needs 65 MB; a file that requires much more is damaged or hostile. */
enum { XZ_MEMORY_MAX = 256 << 20 };

#define MAGIC(text) .magic = SPAN(text)

static const struct {
	struct span magic;
	enum packing packing;
} packings[] = {
	{ MAGIC("\x1f\x8b"), PACKING_GZIP },
	{ MAGIC("\x28\xb5\x2f\xfd"), PACKING_ZSTD },
	{ MAGIC("\xfd"
		"7zXZ\0"),
	  PACKING_XZ },
	/* Byte order marks */
	{ MAGIC("\xff\xfe"), PACKING_UTF16_LE },
	{ MAGIC("\xfe\xff"), PACKING_UTF16_BE },
};

/* Does the text begin with a byte order mark?  UTF-16 may lack it. */
static bool has_mark(const struct stream *s)
{
	return s->raw_size >= 2 && (s->raw[0] ^ s->raw[1]) == (0xfe ^ 0xff);
}

static int start_unpacking(struct stream *s, struct error *e)
{
	switch (s->packing) {
	case PACKING_NONE:
		return 0;
	case PACKING_GZIP:
		if (inflateInit2(&s->gzip, 15 + 16) != Z_OK)
			return error_set(e, ERROR_SYSTEM, "cannot initialize zlib");
		return 0;
	case PACKING_ZSTD:
		s->zstd = ZSTD_createDStream();
		if (!s->zstd)
			return error_set(e, ERROR_SYSTEM, "cannot initialize zstd");
		return 0;
	case PACKING_XZ:
		s->xz = (lzma_stream)LZMA_STREAM_INIT;
		if (lzma_stream_decoder(&s->xz, XZ_MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK)
			return error_set(e, ERROR_SYSTEM, "cannot initialize liblzma");
		return 0;
	case PACKING_UTF16_LE:
	case PACKING_UTF16_BE:
		if (has_mark(s))
			s->raw_at += 2;
		return 0;
	}
	return 0;
}

/*
 * A mark of two bytes proves little: it may be the beginning of a name that is not UTF-8.  In the files
 * that wick reads, most characters are ASCII, whose high byte is 0 in UTF-16.
 */
static bool is_utf16(const struct stream *s, enum packing packing)
{
	size_t high = packing == PACKING_UTF16_LE ? 1 : 0, nr = 0, nr_ascii = 0;

	for (size_t i = 2; i + 1 < s->raw_size && nr < 64; i += 2, nr++)
		nr_ascii += !s->raw[i + high];
	return nr_ascii * 2 >= nr;
}

static bool is_text(enum packing packing)
{
	return packing == PACKING_UTF16_LE || packing == PACKING_UTF16_BE;
}

static bool is_packed(const struct stream *s, size_t i)
{
	struct span magic = packings[i].magic;

	if (s->raw_size < magic.size || memcmp(s->raw, magic.at, magic.size) != 0)
		return false;
	return !is_text(packings[i].packing) || is_utf16(s, packings[i].packing);
}

/* Without a byte order mark, the first characters must all be ASCII: no binary format begins like that. */
static bool is_unmarked(const struct stream *s, size_t high)
{
	enum { FIRST = 16 };

	for (size_t i = 0; i < FIRST; i += 2) {
		unsigned char c;

		if (i + 1 >= s->raw_size || s->raw[i + high])
			return false;
		c = s->raw[i + !high];
		if (c > '~' || (c < ' ' && !is_one_of((char)c, "\t\r\n")))
			return false;
	}
	return true;
}

int stream_detect(struct stream *s, struct error *e)
{
	if (stream_refill(s, e))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(packings); i++)
		if (!is_text(packings[i].packing) && is_packed(s, i))
			s->packing = packings[i].packing;
	return s->packing == PACKING_NONE ? stream_detect_text(s, e) : start_unpacking(s, e);
}

int stream_detect_text(struct stream *s, struct error *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(packings); i++)
		if (is_text(packings[i].packing) && is_packed(s, i))
			s->packing = packings[i].packing;
	if (s->packing == PACKING_NONE && is_unmarked(s, 1))
		s->packing = PACKING_UTF16_LE;
	if (s->packing == PACKING_NONE && is_unmarked(s, 0))
		s->packing = PACKING_UTF16_BE;
	return start_unpacking(s, e);
}

static int damaged(const struct stream *s, const char *what, const char *why, struct error *e)
{
	return error_set(e, ERROR_INPUT, "%s: corrupt %s data: %s", s->name, what, why);
}

static ssize_t read_gzip(struct stream *s, void *buf, size_t size, struct error *e)
{
	s->gzip.next_out = buf;
	s->gzip.avail_out = (uInt)size;
	while (s->gzip.avail_out && !s->at_end) {
		int ret;

		if (stream_refill(s, e))
			return -1;
		if (s->raw_at == s->raw_size) {
			if (s->in_member)
				return damaged(s, "gzip", "unexpected end", e);
			s->at_end = true;
			break;
		}
		s->gzip.next_in = s->raw + s->raw_at;
		s->gzip.avail_in = (uInt)(s->raw_size - s->raw_at);
		s->in_member = true;
		ret = inflate(&s->gzip, Z_NO_FLUSH);
		s->raw_at = s->raw_size - s->gzip.avail_in;
		if (ret == Z_STREAM_END) {
			/* Another member may follow, as from `cat a.gz b.gz`. */
			s->in_member = false;
			inflateReset(&s->gzip);
		} else if (ret != Z_OK && ret != Z_BUF_ERROR) {
			return damaged(s, "gzip", s->gzip.msg ? s->gzip.msg : "invalid data", e);
		}
	}
	return (ssize_t)(size - s->gzip.avail_out);
}

static ssize_t read_zstd(struct stream *s, void *buf, size_t size, struct error *e)
{
	ZSTD_outBuffer out = { .dst = buf, .size = size };

	while (out.pos < out.size && !s->at_end) {
		ZSTD_inBuffer in;
		size_t ret, before = out.pos;

		if (stream_refill(s, e))
			return -1;
		in = (ZSTD_inBuffer){ .src = s->raw, .size = s->raw_size, .pos = s->raw_at };
		ret = ZSTD_decompressStream(s->zstd, &out, &in);
		if (ZSTD_isError(ret))
			return damaged(s, "zstd", ZSTD_getErrorName(ret), e);
		if (in.pos == s->raw_at && out.pos == before) {
			if (s->in_member)
				return damaged(s, "zstd", "unexpected end", e);
			s->at_end = true;
		}
		if (in.pos != s->raw_at || out.pos != before)
			s->in_member = ret != 0;
		s->raw_at = in.pos;
	}
	return (ssize_t)out.pos;
}

static ssize_t read_xz(struct stream *s, void *buf, size_t size, struct error *e)
{
	s->xz.next_out = buf;
	s->xz.avail_out = size;
	while (s->xz.avail_out && !s->at_end) {
		lzma_ret ret;

		if (stream_refill(s, e))
			return -1;
		s->xz.next_in = s->raw + s->raw_at;
		s->xz.avail_in = s->raw_size - s->raw_at;
		ret = lzma_code(&s->xz, s->xz.avail_in ? LZMA_RUN : LZMA_FINISH);
		s->raw_at = s->raw_size - s->xz.avail_in;
		if (ret == LZMA_STREAM_END)
			s->at_end = true;
		else if (ret == LZMA_BUF_ERROR)
			return damaged(s, "xz", "unexpected end", e);
		else if (ret == LZMA_MEMLIMIT_ERROR)
			return damaged(s, "xz", "decompression needs more than 256 MiB of memory",
				       e);
		else if (ret != LZMA_OK)
			return damaged(s, "xz", "invalid data", e);
	}
	return (ssize_t)(size - s->xz.avail_out);
}

ssize_t stream_decompress(struct stream *s, void *buf, size_t size, struct error *e)
{
	switch (s->packing) {
	case PACKING_GZIP:
		return read_gzip(s, buf, size, e);
	case PACKING_ZSTD:
		return read_zstd(s, buf, size, e);
	case PACKING_XZ:
		return read_xz(s, buf, size, e);
	case PACKING_NONE:
	case PACKING_UTF16_LE:
	case PACKING_UTF16_BE:
		break;
	}
	return 0;
}

/* UTF-16 */

static void add_character(struct stream *s, uint32_t c)
{
	char *to = s->character + s->character_size;

	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	s->character_size = (size_t)(to - s->character);
}

enum { NO_CHARACTER = 0xfffd };

/* Adds a unit of 16 bits; an unpaired surrogate is invalid. */
static void add_unit(struct stream *s, uint32_t unit)
{
	bool is_high = unit >= 0xd800 && unit < 0xdc00, is_low = unit >= 0xdc00 && unit < 0xe000;

	s->character_at = s->character_size = 0;
	if (s->high && is_low) {
		unit = 0x10000 + ((s->high - 0xd800) << 10) + (unit - 0xdc00);
		is_low = false;
	} else if (s->high) {
		add_character(s, NO_CHARACTER);
	}
	s->high = is_high ? unit : 0;
	if (!is_high)
		add_character(s, is_low ? NO_CHARACTER : unit);
}

/* The next byte of the file, or -1 at its end; -2: error. */
static int next_byte(struct stream *s, struct error *e)
{
	if (stream_refill(s, e))
		return -2;
	return s->raw_at < s->raw_size ? s->raw[s->raw_at++] : -1;
}

static int next_unit(struct stream *s, struct error *e)
{
	int first = next_byte(s, e), second = first < 0 ? first : next_byte(s, e);

	if (first == -2 || second == -2)
		return -1;
	if (second < 0) {
		s->at_end = true;
		s->character_at = s->character_size = 0;
		if (s->high || first >= 0)
			add_character(s, NO_CHARACTER);
		return 0;
	}
	add_unit(s, s->packing == PACKING_UTF16_LE ? (uint32_t)(second << 8 | first)
						   : (uint32_t)(first << 8 | second));
	return 0;
}

ssize_t stream_read_utf16(struct stream *s, void *buf, size_t size, struct error *e)
{
	char *to = buf;
	size_t done = 0;

	for (;;) {
		while (done < size && s->character_at < s->character_size)
			to[done++] = s->character[s->character_at++];
		if (done == size || s->at_end)
			return (ssize_t)done;
		if (next_unit(s, e))
			return -1;
	}
}

void stream_end_unpacking(struct stream *s)
{
	if (s->packing == PACKING_GZIP)
		inflateEnd(&s->gzip);
	if (s->packing == PACKING_XZ)
		lzma_end(&s->xz);
	ZSTD_freeDStream(s->zstd);
	s->zstd = NULL;
	s->packing = PACKING_NONE;
}
