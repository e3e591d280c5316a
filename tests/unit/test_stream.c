#include "base/stream.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "packed.h"
#include "random.h"
#include "span_tap.h"

#include <errno.h>
#include <fcntl.h>
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

	snprintf(what, sizeof(what), "%s: from a file", name);
	s = stream_open(path, &e);
	got = read_all(s, &e);
	ok(span_eq(strbuf_peek(&got), want) && e.kind == ERROR_NONE, what);
	snprintf(what, sizeof(what), "%s: the end stays the end", name);
	is_int(stream_read(s, &again, 1, &e), 0, what);
	snprintf(what, sizeof(what), "%s: the position is all of the file's size", name);
	ok(stream_position(s) == packed.size && stream_size(s) == packed.size, what);
	stream_close(s);
	strbuf_release(&got);

	snprintf(what, sizeof(what), "%s: from memory", name);
	s = stream_over(packed);
	got = read_all(s, &e);
	ok(span_eq(strbuf_peek(&got), want) && e.kind == ERROR_NONE, what);
	stream_close(s);
	strbuf_release(&got);
}

static void test_packings(void)
{
	struct strbuf text = { 0 }, packed = { 0 };
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
	add_gzip(&packed, SPAN(""));
	check_bytes(strbuf_peek(&packed), SPAN(""), "gzip of nothing");
	strbuf_reset(&packed);
	add_zstd(&packed, SPAN(""));
	check_bytes(strbuf_peek(&packed), SPAN(""), "zstd of nothing");
	check_bytes(SPAN(""), SPAN(""), "an empty file");
	check_bytes(SPAN("\x1f"), SPAN("\x1f"), "the first byte of gzip's two");
	check_bytes(SPAN("\x28\xb5\x2f"), SPAN("\x28\xb5\x2f"), "the first bytes of zstd's four");
	strbuf_release(&text);
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
	snprintf(what, sizeof(what), "%s cut short anywhere is an error", name);
	ok(errors, what);
	snprintf(what, sizeof(what), "that names %s", name);
	ok(words, what);
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
	is_int(e.kind, ERROR_INPUT, "a wrong checksum is an error");
	like(e.text, "/damaged.gz: damaged gzip data: ", "that names the file");
	stream_close(s);
	strbuf_release(&got);

	strbuf_reset(&packed);
	add_zstd(&packed, text);
	check_cut(strbuf_peek(&packed), 4, "zstd");
	memset(packed.at + 4, 0xff, packed.size - 4);
	e = (struct error)ERROR_INIT;
	s = stream_over(strbuf_peek(&packed));
	got = read_all(s, &e);
	like(e.text, "damaged zstd data: ", "zstd that makes no sense is an error");
	stream_close(s);
	strbuf_release(&got);
	strbuf_release(&packed);
}

static void test_open(void)
{
	struct error e = ERROR_INIT;

	ok(!stream_open(path_of("missing"), &e), "a missing file does not open");
	is_int(e.kind, ERROR_SYSTEM, "because of the machine");
	like(e.text, "/missing: No such file or directory$", "and the message names it");
	e = (struct error)ERROR_INIT;
	ok(!stream_open(folder, &e), "a directory does not open");
	like(e.text, "^/tmp/wick-stream\\.......: is a directory$", "and is called one");
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
	is_span(strbuf_peek(&got), "main;a 1\n", "a folder stands for its data");
	ok(stream_beside(s, "data.0", &beside), "others of it are found");
	is_span(beside, "main;b 2\n", "with all that they have");
	ok(!stream_beside(s, "data.1", &beside), "but not those that are not there");
	stream_close(s);
	strbuf_release(&got);
	s = stream_open(path_of("data"), &e);
	ok(!stream_beside(s, "data.0", &beside), "beside a file there is nothing");
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
	is_int(stream_read(s, buf, sizeof(buf), &e), 9, "- is standard input, read to its end");
	ok(!memcmp(buf, "main;a 1\n", 9), "with its bytes");
	is_int(stream_size(s), 0, "a pipe has no size");
	is_int(stream_position(s), 9, "but a position");
	stream_close(s);
	ok(fcntl(STDIN_FILENO, F_GETFD) >= 0, "and it is still open afterwards");
	dup2(saved, STDIN_FILENO);
	close(saved);
}

int main(void)
{
	if (!mkdtemp(folder))
		return 1;
	test_packings();
	test_damage();
	test_open();
	test_folder();
	test_stdin();
	unlink(path_of("in"));
	unlink(path_of("damaged.gz"));
	rmdir(folder);
	return done();
}
