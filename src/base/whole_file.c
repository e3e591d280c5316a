#include "base/whole_file.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

char *whole_file(const char *path, size_t max, size_t *size)
{
	return whole_file_at(AT_FDCWD, path, max, size);
}

char *whole_file_at(int folder, const char *path, size_t max, size_t *size)
{
	return whole_file_of(openat(folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), max, size);
}

char *whole_file_of(int fd, size_t max, size_t *size)
{
	const size_t first = (size_t)16 * 1024;
	size_t cap = max < first ? max : first;
	char *bytes;

	*size = 0;
	if (fd < 0)
		return NULL;
	bytes = xmalloc(cap + 1);
	while (*size < max) {
		ssize_t n = read(fd, bytes + *size, cap - *size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		*size += (size_t)n;
		if (*size == cap && cap < max) {
			cap = cap < max / 2 ? cap * 2 : max;
			bytes = xreallocarray(bytes, cap + 1, 1);
		}
	}
	bytes[*size] = '\0';
	close(fd);
	return bytes;
}
