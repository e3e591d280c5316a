/* Decompression: gzip and zstd, detected by their first bytes. */
#include "base/stream_parts.h"

int stream_detect(struct stream *s, struct error *e)
{
	static const unsigned char gzip[] = { 0x1f, 0x8b };
	static const unsigned char zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };

	if (stream_refill(s, e))
		return -1;
	if (s->raw_size >= sizeof(gzip) && !memcmp(s->raw, gzip, sizeof(gzip))) {
		s->packing = PACKING_GZIP;
		if (inflateInit2(&s->gzip, 15 + 16) != Z_OK)
			return error_set(e, ERROR_SYSTEM, "zlib does not start");
	} else if (s->raw_size >= sizeof(zstd) && !memcmp(s->raw, zstd, sizeof(zstd))) {
		s->packing = PACKING_ZSTD;
		s->zstd = ZSTD_createDStream();
		if (!s->zstd)
			return error_set(e, ERROR_SYSTEM, "zstd does not start");
	}
	return 0;
}

static int damaged(const struct stream *s, const char *what, const char *why, struct error *e)
{
	return error_set(e, ERROR_INPUT, "%s: damaged %s data: %s", s->name, what, why);
}

ssize_t stream_read_gzip(struct stream *s, void *buf, size_t size, struct error *e)
{
	s->gzip.next_out = buf;
	s->gzip.avail_out = (uInt)size;
	while (s->gzip.avail_out && !s->at_end) {
		int ret;

		if (stream_refill(s, e))
			return -1;
		if (s->raw_at == s->raw_size) {
			if (s->in_member)
				return damaged(s, "gzip", "it ends in the middle", e);
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
			return damaged(s, "gzip", s->gzip.msg ? s->gzip.msg : "it makes no sense",
				       e);
		}
	}
	return (ssize_t)(size - s->gzip.avail_out);
}

ssize_t stream_read_zstd(struct stream *s, void *buf, size_t size, struct error *e)
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
				return damaged(s, "zstd", "it ends in the middle", e);
			s->at_end = true;
		}
		if (in.pos != s->raw_at || out.pos != before)
			s->in_member = ret != 0;
		s->raw_at = in.pos;
	}
	return (ssize_t)out.pos;
}

void stream_end_unpacking(struct stream *s)
{
	if (s->packing == PACKING_GZIP)
		inflateEnd(&s->gzip);
	ZSTD_freeDStream(s->zstd);
	s->zstd = NULL;
	s->packing = PACKING_NONE;
}
