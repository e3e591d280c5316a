/* The memory of a process that runs. */
#ifndef WICK_RECORD_MEMORY_H
#define WICK_RECORD_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* As much as there is from an address on, up to that size; 0: none, or it is not allowed. */
size_t memory_read(pid_t pid, uint64_t from, char *to, size_t size);

#endif
