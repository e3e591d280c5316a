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

static bool has(const char *path, const char *want)
{
	char got[16] = "";
	FILE *f = fopen(path, "rbe");

	if (!f)
		return false;
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	return !strcmp(got, want);
}

/* A file that is there at the end, and as it was before then. */
static void test_whole(void)
{
	char folder[] = "/tmp/wick-output.XXXXXX", path[64], link[64];
	struct error e = ERROR_INIT;
	struct output o;
	struct stat st;

	ok(mkdtemp(folder), "a folder");
	snprintf(path, sizeof(path), "%s/file", folder);
	snprintf(link, sizeof(link), "%s/link", folder);
	is_int(output_open_whole(&o, path, &e), 0, "a new file opens");
	output_add(&o, SPAN("0123456789"));
	ok(access(path, F_OK), "it is not there yet");
	output_patch(&o, 2, SPAN("xx"));
	output_add(&o, SPAN("end"));
	is_int(output_close(&o, &e), 0, "it closes");
	ok(has(path, "01xx456789end"), "and has all bytes, those in the middle too");

	is_int(output_open_whole(&o, path, &e), 0, "one that is there opens");
	output_add(&o, SPAN("other"));
	output_drop(&o);
	ok(has(path, "01xx456789end"), "and stays when it is dropped");

	chmod(path, 0640);
	is_int(symlink("file", link), 0, "a link to it");
	is_int(output_open_whole(&o, link, &e), 0, "opens");
	output_add(&o, SPAN("other"));
	is_int(output_close(&o, &e), 0, "closes");
	ok(!lstat(link, &st) && S_ISLNK(st.st_mode), "stays a link");
	ok(has(path, "other"), "and leads to the new bytes");
	ok(!stat(path, &st) && (st.st_mode & 0777) == 0640, "whose mode is that of before");

	is_int(output_open_whole(&o, path, &e), 0, "once more");
	output_fail(&o, 28);
	is_int(output_close(&o, &e), -1, "what fails does not close");
	ok(has(path, "other"), "and changes nothing");
	unlink(link);
	unlink(path);
	is_int(rmdir(folder), 0, "nothing else is in the folder");

	is_int(output_open_whole(&o, "/dev/null", &e), 0, "a device opens");
	output_add(&o, SPAN("gone"));
	is_int(output_close(&o, &e), 0, "closes");
	ok(!stat("/dev/null", &st) && S_ISCHR(st.st_mode), "and stays a device");
}

int main(void)
{
	test_whole();
	test_bytes();
	test_failure();
	return done();
}
