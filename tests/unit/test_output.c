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
	is_int(output_open(&o, path, &e), 0, "output_open opens a file");
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
	is_int(output_close(&o, &e), 0, "output_close closes a file");
	f = fopen(path, "rbe");
	ok(f && fread(got, 1, SIZE, f) == SIZE && fgetc(f) == EOF && !memcmp(got, bytes, SIZE),
	   "every byte of an output arrives, in order, and no other");
	if (f)
		fclose(f);

	output_open(&o, path, &e);
	output_add(&o, SPAN("x"));
	output_close(&o, &e);
	f = fopen(path, "rbe");
	ok(f && fgetc(f) == 'x' && fgetc(f) == EOF, "output_open drops what a file held before");
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

	is_int(output_open(&o, "/nonexistent/x", &e), -1,
	       "output_open fails in a missing directory");
	like(e.text, "^/nonexistent/x: No such file or directory$",
	     "the error for a missing directory has the path and the reason");
	is_int(output_open(&o, "/dev/full", &e), 0, "output_open opens a full device");
	for (size_t i = 0; i < OUTPUT_BUFFER; i++)
		output_add(&o, SPAN("abc"));
	is_int(output_close(&o, &e), -1, "output_close fails if the device is full");
	like(e.text, "^/dev/full: No space left on device$",
	     "the error for a full device has the path and the reason");
	is_int(e.kind, ERROR_SYSTEM, "the error for a full device is of the system");
	output_open(&o, "/dev/full", &e);
	output_char(&o, 'x');
	is_int(output_close(&o, &e), -1,
	       "output_close fails if the device is full when it flushes a single byte");
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

	ok(mkdtemp(folder), "a temporary directory is created");
	snprintf(path, sizeof(path), "%s/file", folder);
	snprintf(link, sizeof(link), "%s/link", folder);
	is_int(output_open_whole(&o, path, &e), 0, "output_open_whole opens a new file");
	output_add(&o, SPAN("0123456789"));
	ok(access(path, F_OK), "a file of output_open_whole does not exist before output_close");
	output_patch(&o, 2, SPAN("xx"));
	output_add(&o, SPAN("end"));
	is_int(output_close(&o, &e), 0, "output_close closes a new file of output_open_whole");
	ok(has(path, "01xx456789end"),
	   "a file of output_open_whole has all bytes, patched ones too");

	is_int(output_open_whole(&o, path, &e), 0, "output_open_whole opens an existing file");
	output_add(&o, SPAN("other"));
	output_drop(&o);
	ok(has(path, "01xx456789end"), "output_drop leaves an existing file as it was");

	chmod(path, 0640);
	is_int(symlink("file", link), 0, "a symbolic link to the file is created");
	is_int(output_open_whole(&o, link, &e), 0, "output_open_whole opens a symbolic link");
	output_add(&o, SPAN("other"));
	is_int(output_close(&o, &e), 0, "output_close closes the target of a symbolic link");
	ok(!lstat(link, &st) && S_ISLNK(st.st_mode),
	   "output_close leaves a symbolic link in place");
	ok(has(path, "other"), "output_close replaces the file that a symbolic link leads to");
	ok(!stat(path, &st) && (st.st_mode & 0777) == 0640,
	   "output_close keeps the mode of an existing file");

	is_int(output_open_whole(&o, path, &e), 0,
	       "output_open_whole opens a file whose output will fail");
	output_fail(&o, 28);
	is_int(output_close(&o, &e), -1, "output_close fails after output_fail");
	ok(has(path, "other"), "output_fail leaves an existing file as it was");
	unlink(link);
	unlink(path);
	is_int(rmdir(folder), 0, "output_open_whole leaves no temporary file behind");

	is_int(output_open_whole(&o, "/dev/null", &e), 0, "output_open_whole opens a device");
	output_add(&o, SPAN("gone"));
	is_int(output_close(&o, &e), 0, "output_close closes a device");
	ok(!stat("/dev/null", &st) && S_ISCHR(st.st_mode),
	   "output_open_whole does not replace a device");
}

int main(void)
{
	test_whole();
	test_bytes();
	test_failure();
	return done();
}
