/* The memory of a running process. */
#ifndef WICK_RECORD_TARGETS_PROCESS_MEMORY_H
#define WICK_RECORD_TARGETS_PROCESS_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads up to that many bytes; returns their number.  0: none, or no permission. */
size_t memory_read(pid_t pid, uint64_t from, char *to, size_t size);

#endif
