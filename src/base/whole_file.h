/* The contents of a file in memory, even if stat() does not know its size: /proc, pipes. */
#ifndef WICK_BASE_WHOLE_FILE_H
#define WICK_BASE_WHOLE_FILE_H

#include <stddef.h>

/*
 * Truncated to max bytes, NUL-terminated.  NULL: it cannot be opened.  The caller frees it.  Of a file
 * that would block, such as a FIFO, the result is empty.
 */
char *whole_file(const char *path, size_t max, size_t *size);

/* The same for a path relative to a directory's descriptor. */
char *whole_file_at(int folder, const char *path, size_t max, size_t *size);

/* The same for a descriptor, which is closed; NULL if it is -1. */
char *whole_file_of(int fd, size_t max, size_t *size);

#endif
