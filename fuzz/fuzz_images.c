/*
 * Executables of any bytes: what is in them is damaged, or was never right.  Names
 * may be missing then, and nothing worse.
 */
#include "fuzz.h"

#include "image/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void die(const char *why)
{
	fprintf(stderr, "%s\n", why);
	abort();
}

/* Texts are the file's own, or a few of them in a row: read to the end, and no longer than that. */
static void check_text(const char *s, size_t size)
{
	enum { LONGEST_SCOPED_NAME = 16 * 1024 };

	if (s && strlen(s) > 2 * size + LONGEST_SCOPED_NAME)
		die("a text that no file has");
}

static void look_up(struct image *m, uint64_t offset, size_t size)
{
	struct source_line line[INLINED_MAX];
	size_t nr = image_lines(m, offset, line);

	if (nr > INLINED_MAX || (nr && !line[nr - 1].function))
		die("more lines than there is room for, or a function without a name");
	for (size_t i = 0; i < nr; i++) {
		check_text(line[i].function, size);
		check_text(line[i].file, size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	enum image_state state;
	struct image *m;
	char path[64];

	if (fd < 0 || (size && write(fd, data, size) != (ssize_t)size))
		die("no memory for a file");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	m = image_open(span_of(path), SPAN(""), &(struct image_opts){ .lines = true }, &state);
	if (!m != (state != IMAGE_OPEN))
		die("open or not open");
	for (uint64_t offset = 0; m && offset < size; offset += 3)
		look_up(m, offset, size);
	image_close(m);
	close(fd);
	return 0;
}
