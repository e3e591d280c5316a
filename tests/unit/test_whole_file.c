/* Files as a whole: of any size, cut off, missing, and such that never end. */
#include "base/whole_file.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of so many bytes, read up to max. */
static void check_size(size_t nr, size_t max)
{
	int fd = memfd_create("whole", MFD_CLOEXEC);
	char *bytes, *text = xmalloc(nr + 1), name[64];
	size_t size, want = nr < max ? nr : max;

	for (size_t i = 0; i < nr; i++)
		text[i] = (char)(i * 7 % 251);
	is_int(write(fd, text, nr), (ssize_t)nr, "the test writes a file");
	lseek(fd, 0, SEEK_SET);
	bytes = whole_file_of(fd, max, &size);
	snprintf(name, sizeof(name), "%zu of %zu bytes are read", want, nr);
	is_int(size, want, name);
	ok(size <= nr && !memcmp(bytes, text, size),
	   "whole_file_of() returns the bytes of the file");
	is_int(bytes[size], 0, "whole_file_of() adds a NUL after the last byte");
	free(bytes);
	free(text);
}

static void test_unlike_others(void)
{
	char folder[] = "/tmp/wick-whole-XXXXXX", path[64];
	size_t size = 1;
	char *bytes;

	ok(!whole_file("/nowhere/at/all", 100, &size),
	   "whole_file() returns NULL for a missing file");
	is_int(size, 0, "whole_file() sets the size of a missing file to 0");
	ok(!whole_file_of(-1, 100, &size), "whole_file_of() returns NULL for a descriptor of -1");
	bytes = whole_file("/proc/self/status", 1 << 20, &size);
	ok(size > 100, "a file below /proc is read, though its size is 0");
	free(bytes);
	bytes = whole_file("/dev/zero", 100000, &size);
	is_int(size, 100000, "a file without an end is truncated at the limit");
	free(bytes);
	if (!ok(mkdtemp(folder) != NULL, "the test creates a directory"))
		return;
	snprintf(path, sizeof(path), "%s/fifo", folder);
	mkfifo(path, 0600);
	bytes = whole_file(path, 100, &size);
	is_int(size, 0, "a FIFO without a writer is empty, and does not block");
	free(bytes);
	bytes = whole_file(folder, 100, &size);
	is_int(size, 0, "a directory is read as an empty file");
	free(bytes);
	unlink(path);
	rmdir(folder);
}

int main(void)
{
	static const size_t sizes[] = { 0, 1, 16383, 16384, 16385, 40000 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		check_size(sizes[i], 1 << 20);
		check_size(sizes[i], 16384);
		check_size(sizes[i], 20000);
	}
	check_size(5, 0);
	test_unlike_others();
	return done();
}
