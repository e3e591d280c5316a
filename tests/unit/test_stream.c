#include "base/stream.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "packed.h"
#include "random.h"
#include "span_tap.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

static char folder[] = "/tmp/wick-stream.XXXXXX";

static const char *path_of(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static const char *write_file(const char *name, struct span bytes)
{
	const char *path = path_of(name);
	FILE *f = fopen(path, "wbe");

	if (!f || fwrite(bytes.at, 1, bytes.size, f) != bytes.size || fclose(f))
		perror(path);
	return path;
}

static void add_zstd(struct strbuf *out, struct span bytes)
{
	size_t room = ZSTD_compressBound(bytes.size);

	strbuf_reserve(out, room);
	out->size += ZSTD_compress(out->at + out->size, room, bytes.at, bytes.size, 1);
}

static void add_xz(struct strbuf *out, struct span bytes)
{
	size_t room = lzma_stream_buffer_bound(bytes.size), size = 0;

	strbuf_reserve(out, room);
	lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const uint8_t *)bytes.at, bytes.size,
				(uint8_t *)out->at + out->size, &size, room);
	out->size += size;
}

/* Everything, in pieces of odd sizes; e says why it broke off. */
static struct strbuf read_all(struct stream *s, struct error *e)
{
	struct strbuf got = { 0 };
	struct random r = { 3 };

	for (;;) {
		size_t size = 1 + random_below(&r, 300000);
		ssize_t n;

		strbuf_reserve(&got, size);
		n = stream_read(s, got.at + got.size, size, e);
		if (n < 0)
			break;
		got.size += (size_t)n;
		if ((size_t)n < size)
			break;
	}
	return got;
}

/* The same bytes, however they are packed and wherever they come from. */
static void check_bytes(struct span packed, struct span want, const char *name)
{
	struct error e = ERROR_INIT;
	const char *path = write_file("in", packed);
	struct stream *s;
	struct strbuf got;
	char what[96], again;

	snprintf(what, sizeof(what), "%s: a file gives the expected bytes", name);
	s = stream_open(path, &e);
	got = read_all(s, &e);
	ok(span_eq(strbuf_peek(&got), want) && e.kind == ERROR_NONE, what);
	snprintf(what, sizeof(what), "%s: reading after the end gives nothing", name);
	is_int(stream_read(s, &again, 1, &e), 0, what);
	snprintf(what, sizeof(what), "%s: the position is the file's size", name);
	ok(stream_position(s) == packed.size && stream_size(s) == packed.size, what);
	stream_close(s);
	strbuf_release(&got);

	snprintf(what, sizeof(what), "%s: memory gives the expected bytes", name);
	s = stream_over(packed);
	got = read_all(s, &e);
	ok(span_eq(strbuf_peek(&got), want) && e.kind == ERROR_NONE, what);
	stream_close(s);
	strbuf_release(&got);
}

static void test_packings(void)
{
	struct strbuf text = { 0 }, text16 = { 0 }, packed = { 0 };
	struct random r = { 1 };
	struct span want, half;

	/* More than any buffer on the way holds, and no two lines alike. */
	while (text.size < 1500000)
		strbuf_addf(&text, "main;f%u;g%u %u\n", random_below(&r, 1000000),
			    random_below(&r, 1000000), random_below(&r, 100));
	want = strbuf_peek(&text);
	half = span_upto(want, want.size / 2);

	check_bytes(want, want, "plain");
	add_gzip(&packed, want);
	check_bytes(strbuf_peek(&packed), want, "gzip");
	strbuf_reset(&packed);
	add_gzip(&packed, half);
	add_gzip(&packed, SPAN(""));
	add_gzip(&packed, span_from(want, half.size));
	check_bytes(strbuf_peek(&packed), want, "gzip members one after the other");
	strbuf_reset(&packed);
	add_zstd(&packed, want);
	check_bytes(strbuf_peek(&packed), want, "zstd");
	strbuf_reset(&packed);
	add_zstd(&packed, half);
	add_zstd(&packed, SPAN(""));
	add_zstd(&packed, span_from(want, half.size));
	check_bytes(strbuf_peek(&packed), want, "zstd frames one after the other");

	strbuf_reset(&packed);
	add_xz(&packed, want);
	check_bytes(strbuf_peek(&packed), want, "xz");
	strbuf_reset(&packed);
	add_xz(&packed, half);
	add_xz(&packed, SPAN(""));
	add_xz(&packed, span_from(want, half.size));
	check_bytes(strbuf_peek(&packed), want, "xz streams one after the other");
	strbuf_reset(&packed);
	strbuf_add(&packed, SPAN("\xff\xfe"));
	for (size_t i = 0; i < want.size; i++) {
		strbuf_addch(&packed, want.at[i]);
		strbuf_addch(&packed, '\0');
	}
	check_bytes(strbuf_peek(&packed), want, "UTF-16, little-endian");
	strbuf_reset(&text16);
	strbuf_add(&text16, strbuf_peek(&packed));
	strbuf_reset(&packed);
	add_gzip(&packed, strbuf_peek(&text16));
	check_bytes(strbuf_peek(&packed), want, "UTF-16 in gzip");
	strbuf_reset(&packed);
	add_zstd(&packed, strbuf_peek(&text16));
	check_bytes(strbuf_peek(&packed), want, "UTF-16 in zstd");
	strbuf_reset(&packed);
	add_xz(&packed, strbuf_peek(&text16));
	check_bytes(strbuf_peek(&packed), want, "UTF-16 in xz");

	strbuf_reset(&packed);
	add_gzip(&packed, SPAN(""));
	check_bytes(strbuf_peek(&packed), SPAN(""), "gzip of nothing");
	strbuf_reset(&packed);
	add_zstd(&packed, SPAN(""));
	check_bytes(strbuf_peek(&packed), SPAN(""), "zstd of nothing");
	check_bytes(SPAN(""), SPAN(""), "an empty file");
	check_bytes(SPAN("\x1f"), SPAN("\x1f"), "the first byte of gzip's magic alone");
	check_bytes(SPAN("\x28\xb5\x2f"), SPAN("\x28\xb5\x2f"),
		    "three bytes of zstd's magic alone");
	strbuf_release(&text);
	strbuf_release(&text16);
	strbuf_release(&packed);
}

/* Whatever is missing at the end: an error, never a shorter text. */
static void check_cut(struct span packed, size_t magic, const char *name)
{
	bool errors = true, words = true;
	char what[96];

	for (size_t n = magic; n < packed.size; n++) {
		struct error e = ERROR_INIT;
		struct stream *s = stream_over(span_upto(packed, n));
		struct strbuf got = read_all(s, &e);

		errors &= e.kind == ERROR_INPUT;
		words &= strstr(e.text, name) != NULL;
		stream_close(s);
		strbuf_release(&got);
	}
	snprintf(what, sizeof(what), "%s data truncated anywhere is an error", name);
	ok(errors, what);
	snprintf(what, sizeof(what), "the error of truncated data names %s", name);
	ok(words, what);
}

static void test_utf16(void)
{
	check_bytes(SPAN("\xfe\xff\0a\0\xe9\0b\0c\x20\xac\xd8\x3d\xde\x00"),
		    SPAN("a\xc3\xa9"
			 "bc\xe2\x82\xac\xf0\x9f\x98\x80"),
		    "UTF-16, big-endian, with characters of all lengths");
	check_bytes(SPAN("\xfe\xff\0b\xd8\x3d\0a\xde\x00"),
		    SPAN("b\xef\xbf\xbd"
			 "a\xef\xbf\xbd"),
		    "halves of a pair in UTF-16 are replaced");
	check_bytes(SPAN("\xfe\xff\0a\xd8\x3d"), SPAN("a\xef\xbf\xbd"),
		    "half of a pair at the end of UTF-16 is replaced");
	check_bytes(SPAN("\xfe\xff\0a\0"), SPAN("a\xef\xbf\xbd"),
		    "half of a unit at the end of UTF-16 is replaced");
	check_bytes(SPAN("\xff\xfe"), SPAN(""), "UTF-16 of nothing");
	check_bytes(SPAN("a\0;\0b\0 \0\x31\0\n\0a\0 \0\x32\0\n\0"), SPAN("a;b 1\na 2\n"),
		    "UTF-16, little-endian, without a byte order mark");
	check_bytes(SPAN("\0a\0;\0b\0 \0\x31\0\n\0a\0 \0\x32\0\n"), SPAN("a;b 1\na 2\n"),
		    "UTF-16, big-endian, without a byte order mark");
	check_bytes(SPAN("\1\0\2\0\3\0\4\0\5\0\6\0\7\0\x08\0"),
		    SPAN("\1\0\2\0\3\0\4\0\5\0\6\0\7\0\x08\0"), "small numbers are no UTF-16");
	check_bytes(SPAN("\xff\xfe"
			 "name 12"),
		    SPAN("\xff\xfe"
			 "name 12"),
		    "a name that begins as UTF-16 does stays as it is");
}

static void test_damage(void)
{
	struct span text = SPAN("main;a 1\nmain;b 2\nmain;a;c 3\n");
	struct strbuf packed = { 0 }, got;
	struct error e = ERROR_INIT;
	struct stream *s;

	add_gzip(&packed, text);
	check_cut(strbuf_peek(&packed), 2, "gzip");
	packed.at[packed.size - 8] ^= 1;
	s = stream_open(write_file("damaged.gz", strbuf_peek(&packed)), &e);
	got = read_all(s, &e);
	is_int(e.kind, ERROR_INPUT, "a wrong checksum of gzip is an error");
	like(e.text,
	     "/damaged.gz: corrupt gzip data: ", "the error of a wrong checksum names the file");
	stream_close(s);
	strbuf_release(&got);

	strbuf_reset(&packed);
	add_zstd(&packed, text);
	check_cut(strbuf_peek(&packed), 4, "zstd");
	memset(packed.at + 4, 0xff, packed.size - 4);
	e = (struct error)ERROR_INIT;
	s = stream_over(strbuf_peek(&packed));
	got = read_all(s, &e);
	like(e.text, "corrupt zstd data: ", "corrupt zstd data is an error");
	stream_close(s);
	strbuf_release(&got);
	strbuf_reset(&packed);
	add_xz(&packed, text);
	check_cut(strbuf_peek(&packed), 6, "xz");
	memset(packed.at + 6, 0xff, packed.size - 6);
	e = (struct error)ERROR_INIT;
	s = stream_over(strbuf_peek(&packed));
	got = read_all(s, &e);
	like(e.text, "corrupt xz data: ", "corrupt xz data is an error");
	stream_close(s);
	strbuf_release(&got);
	strbuf_release(&packed);
}

static void test_open(void)
{
	struct error e = ERROR_INIT;

	ok(!stream_open(path_of("missing"), &e), "a missing file does not open");
	is_int(e.kind, ERROR_SYSTEM, "a missing file is a system error");
	like(e.text, "/missing: No such file or directory$",
	     "the error of a missing file names it");
	e = (struct error)ERROR_INIT;
	ok(!stream_open(folder, &e), "a directory does not open");
	like(e.text, "^/tmp/wick-stream\\.......: is a directory$",
	     "the error of a directory says what it is");
}

static void test_folder(void)
{
	struct error e = ERROR_INIT;
	struct strbuf got;
	struct span beside;
	struct stream *s;

	write_file("data", SPAN("main;a 1\n"));
	write_file("data.0", SPAN("main;b 2\n"));
	s = stream_open(folder, &e);
	got = read_all(s, &e);
	is_span(strbuf_peek(&got), "main;a 1\n", "a folder is read as its file 'data'");
	ok(stream_beside(s, "data.0", &beside), "stream_beside() finds another file of the folder");
	is_span(beside, "main;b 2\n", "stream_beside() maps all bytes of the file");
	ok(!stream_beside(s, "data.1", &beside), "stream_beside() finds no file that is missing");
	stream_close(s);
	strbuf_release(&got);
	s = stream_open(path_of("data"), &e);
	ok(!stream_beside(s, "data.0", &beside),
	   "stream_beside() finds nothing if a file was opened");
	stream_close(s);
	unlink(path_of("data"));
	unlink(path_of("data.0"));
}

/* Standard input, fed through a pipe in small pieces: reads are short, stream_read() is not. */
static void test_stdin(void)
{
	struct error e = ERROR_INIT;
	int end[2], saved = dup(STDIN_FILENO);
	struct stream *s;
	char buf[16];
	pid_t child;

	if (pipe2(end, O_CLOEXEC))
		return;
	child = fork();
	if (!child) {
		for (const char *c = "main;a 1\n"; *c; c++)
			(void)!write(end[1], c, 1);
		_exit(0);
	}
	close(end[1]);
	dup2(end[0], STDIN_FILENO);
	close(end[0]);
	s = stream_open("-", &e);
	is_int(stream_read(s, buf, sizeof(buf), &e), 9, "'-' is standard input, read to its end");
	ok(!memcmp(buf, "main;a 1\n", 9), "standard input is read as the bytes of the pipe");
	is_int(stream_size(s), 0, "a pipe has a size of 0");
	is_int(stream_position(s), 9, "a pipe has a position");
	stream_close(s);
	ok(fcntl(STDIN_FILENO, F_GETFD) >= 0, "standard input is still open after stream_close()");
	dup2(saved, STDIN_FILENO);
	close(saved);
}

static void test_spool(void)
{
	static char bytes[100000];
	struct strbuf packed = { 0 };
	struct error e = ERROR_INIT;
	struct span all;
	struct stream *s;

	memset(bytes, 'a', sizeof(bytes));
	add_gzip(&packed, (struct span){ .at = bytes, .size = sizeof(bytes) });
	s = stream_open(write_file("in", strbuf_peek(&packed)), &e);
	is_int(stream_spool(s, SPAN(""), sizeof(bytes) - 1, &e), -1,
	       "stream_spool() rejects a stream that decompresses to more than the limit");
	ok(strstr(e.text, "larger than"), "stream_spool() reports that the limit is exceeded");
	stream_close(s);
	s = stream_open(path_of("in"), &e);
	is_int(stream_spool(s, SPAN(""), sizeof(bytes), &e), 0,
	       "stream_spool() accepts a stream that decompresses to the limit");
	ok(stream_map(s, &all), "a spooled stream can be mapped");
	is_int((intmax_t)all.size, sizeof(bytes), "a mapped stream has all its bytes");
	stream_forget(s, all);
	ok(!memcmp(all.at, bytes, sizeof(bytes)), "the bytes of a forgotten page are read again");
	stream_close(s);
	strbuf_release(&packed);
}

int main(void)
{
	if (!mkdtemp(folder))
		return 1;
	test_packings();
	test_utf16();
	test_damage();
	test_open();
	test_folder();
	test_stdin();
	test_spool();
	unlink(path_of("in"));
	unlink(path_of("damaged.gz"));
	rmdir(folder);
	return done();
}
