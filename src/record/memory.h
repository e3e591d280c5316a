/* The memory of a process that runs. */
#ifndef WICK_RECORD_MEMORY_H
#define WICK_RECORD_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads up to that many bytes; returns how many there are.  0: none, or we may not read them. */
size_t memory_read(pid_t pid, uint64_t from, char *to, size_t size);

#endif
