/* Numbers and bytes out, and back: whatever the bytes are. */
#include "base/bytes.h"

#include "base/base64.h"
#include "span_tap.h"

#include <stdlib.h>
#include <unistd.h>

static void check_number(uint64_t v)
{
	struct strbuf out = { 0 };
	struct bytes b;
	char what[64];

	snprintf(what, sizeof(what), "%" PRIu64 " survives encoding and decoding", v);
	bytes_add_varint(&out, v);
	bytes_add_signed(&out, (int64_t)v);
	b = bytes_over(strbuf_peek(&out));
	ok(bytes_varint(&b) == v && bytes_signed(&b) == (int64_t)v && !bytes_left(&b) && !b.failed,
	   what);
	strbuf_release(&out);
}

static void test_numbers(void)
{
	static const uint64_t number[] = { 0,	   1,	       0x7f,	  0x80,	     0x3fff,
					   0x4000, UINT32_MAX, INT64_MAX, UINT64_MAX };
	struct strbuf out = { 0 };

	for (size_t i = 0; i < sizeof(number) / sizeof(number[0]); i++)
		check_number(number[i]);
	for (int64_t v = 0; v > -3; v--)
		bytes_add_signed(&out, v);
	is_bytes(strbuf_peek(&out), SPAN("\x00\x01\x03"), "signed numbers are encoded as zigzag");
	strbuf_reset(&out);
	bytes_add_varint(&out, 300);
	is_bytes(strbuf_peek(&out), SPAN("\xac\x02"), "a varint has its lowest bits first");
	strbuf_release(&out);
}

static void check_failed(struct span s, const char *what)
{
	struct bytes b = bytes_over(s);

	ok(!bytes_varint(&b) && b.failed && !bytes_left(&b), what);
}

static void test_failures(void)
{
	struct bytes b;

	check_failed(SPAN(""), "a varint of no bytes fails");
	check_failed(SPAN("\x80"), "a truncated varint fails");
	check_failed(SPAN("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
		     "a varint above 64 bits fails");
	check_failed(SPAN("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"),
		     "a varint of more than ten bytes fails");
	b = bytes_over(SPAN("\x05"
			    "ab"));
	is_bytes(bytes_take(&b, bytes_varint(&b)), SPAN(""),
		 "bytes_take() returns nothing if fewer bytes are left");
	ok(b.failed, "bytes_take() sets failed if fewer bytes are left");
	b = bytes_over(SPAN("\x03xy"));
	is_int(bytes_count(&b), 0, "bytes_count() returns 0 if the count exceeds the bytes left");
	ok(b.failed, "bytes_count() sets failed if the count exceeds the bytes left");
	b = bytes_over(SPAN("\x09"));
	is_int(bytes_upto(&b, 8), 0, "bytes_upto() returns 0 above its maximum");
	ok(b.failed, "bytes_upto() sets failed above its maximum");
}

static void test_column(void)
{
	struct bytes b = bytes_over(SPAN("\x01\x81\x01\x02rest")), column = bytes_column(&b, 3);

	is_int(bytes_varint(&column), 1, "a column has its first number");
	is_int(bytes_varint(&column), 129, "a column has its second number");
	is_int(bytes_varint(&column), 2, "a column has its last number");
	ok(!bytes_varint(&column) && column.failed,
	   "a read past the last number of a column fails");
	is_bytes(bytes_take(&b, 4), SPAN("rest"),
		 "bytes_column() moves the cursor behind the column");
	b = bytes_over(SPAN("\x01\x81"));
	column = bytes_column(&b, 2);
	ok(column.failed && b.failed,
	   "a truncated column sets failed in the column and in its cursor");
}

/* What base64_write() makes of it. */
static void encode(struct strbuf *text, struct span bytes)
{
	char path[] = "/tmp/wick-test.XXXXXX", part[4096];
	int fd = mkstemp(path);
	struct error e = ERROR_INIT;
	struct output out;
	ssize_t n;

	if (fd < 0 || output_open(&out, path, &e))
		return;
	base64_write(&out, bytes);
	(void)output_close(&out, &e);
	while ((n = read(fd, part, sizeof(part))) > 0)
		strbuf_add(text, (struct span){ part, (size_t)n });
	close(fd);
	unlink(path);
}

static void test_base64(void)
{
	struct strbuf text = { 0 }, back = { 0 }, bytes = { 0 };
	bool same = true;

	for (size_t size = 0; size < 10000; size = size < 9 ? size + 1 : size * 3) {
		strbuf_reset(&text);
		strbuf_reset(&back);
		strbuf_reset(&bytes);
		for (size_t i = 0; i < size; i++)
			strbuf_addch(&bytes, (char)(i * 37));
		encode(&text, strbuf_peek(&bytes));
		same &= !base64_parse(&back, strbuf_peek(&text)) &&
			span_eq(strbuf_peek(&back), strbuf_peek(&bytes));
	}
	ok(same, "base64_parse() decodes what base64_write() encodes, at all sizes");
	strbuf_reset(&text);
	encode(&text, SPAN("\x89wick\r\n\x01"));
	is_span(strbuf_peek(&text),
		"iXdpY2sNCgE=", "base64_write() uses the standard alphabet, padded");
	strbuf_reset(&back);
	is_int(base64_parse(&back, SPAN(" YWJj\nZA =\t=\n")), 0,
	       "base64_parse() accepts blanks anywhere");
	is_span(strbuf_peek(&back), "abcd", "base64_parse() ignores blanks");
	is_int(base64_parse(&back, SPAN("YW-j")), -1,
	       "base64_parse() rejects characters outside of the alphabet");
	is_int(base64_parse(&back, SPAN("YWJ")), -1, "base64_parse() rejects missing padding");
	is_int(base64_parse(&back, SPAN("YWJjZ===")), -1, "base64_parse() rejects excess padding");
	is_int(base64_parse(&back, SPAN("YW==YW==")), -1,
	       "base64_parse() rejects padding in the middle");
	strbuf_release(&text);
	strbuf_release(&back);
	strbuf_release(&bytes);
}

int main(void)
{
	test_numbers();
	test_failures();
	test_column();
	test_base64();
	return done();
}
