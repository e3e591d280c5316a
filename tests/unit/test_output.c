#include "base/output.h"

#include "base/alloc.h"
#include "random.h"
#include "span_tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_bytes(void)
{
	char path[] = "/tmp/wick-output.XXXXXX";
	enum { SIZE = 3 * OUTPUT_BUFFER };
	char *bytes = xmalloc(SIZE), *got = xmalloc(SIZE);
	struct random r = { 11 };
	struct error e = ERROR_INIT;
	struct output o;
	size_t at = 0;
	FILE *f;

	close(mkstemp(path));
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (char)random_next(&r);
	is_int(output_open(&o, path, &e), 0, "opens");
	/* Mostly little pieces, and some that no buffer holds. */
	while (at < SIZE) {
		size_t size = random_below(&r, 100) ? random_below(&r, 50) : OUTPUT_BUFFER + 7;

		if (size > SIZE - at)
			size = SIZE - at;
		if (size == 1)
			output_char(&o, bytes[at]);
		else
			output_add(&o, (struct span){ .at = bytes + at, .size = size });
		at += size;
	}
	is_int(output_close(&o, &e), 0, "closes");
	f = fopen(path, "rbe");
	ok(f && fread(got, 1, SIZE, f) == SIZE && fgetc(f) == EOF && !memcmp(got, bytes, SIZE),
	   "every byte arrives, in order, and no other");
	if (f)
		fclose(f);

	output_open(&o, path, &e);
	output_add(&o, SPAN("x"));
	output_close(&o, &e);
	f = fopen(path, "rbe");
	ok(f && fgetc(f) == 'x' && fgetc(f) == EOF, "what a file held before is gone");
	if (f)
		fclose(f);
	unlink(path);
	free(bytes);
	free(got);
}

static void test_failure(void)
{
	struct error e = ERROR_INIT;
	struct output o;

	is_int(output_open(&o, "/nonexistent/x", &e), -1, "no such folder");
	like(e.text, "^/nonexistent/x: No such file or directory$", "is named");
	is_int(output_open(&o, "/dev/full", &e), 0, "a full disk opens");
	for (size_t i = 0; i < OUTPUT_BUFFER; i++)
		output_add(&o, SPAN("abc"));
	is_int(output_close(&o, &e), -1, "but does not close");
	like(e.text, "^/dev/full: No space left on device$", "and says why");
	is_int(e.kind, ERROR_SYSTEM, "the machine refused");
	output_open(&o, "/dev/full", &e);
	output_char(&o, 'x');
	is_int(output_close(&o, &e), -1, "not even when the one byte waited for the close");
}

int main(void)
{
	test_bytes();
	test_failure();
	return done();
}
