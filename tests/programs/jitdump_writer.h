/* What dump.c and rows.c share: a dump as perf specifies it, written while code is made. */
#ifndef JITDUMP_WRITER_H
#define JITDUMP_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LOAD, MOVE, LINES, CLOSE, ROWS };

static FILE *dump;

static void u32(uint32_t v)
{
	fwrite(&v, sizeof(v), 1, dump);
}

static void u64(uint64_t v)
{
	fwrite(&v, sizeof(v), 1, dump);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void begin(uint32_t kind, size_t size)
{
	u32(kind);
	u32((uint32_t)size + 16);
	u64(now());
}

/* Room for code in two pages, and a dump in that folder that a recording learns of; NULL: it cannot be. */
static char *dump_open(const char *folder, uint32_t machine)
{
	char path[4096], *code;

	snprintf(path, sizeof(path), "%s/jit-%d.dump", folder, (int)getpid());
	dump = fopen(path, "w+");
	code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	/* That it is mapped is how one learns of it. */
	if (!dump || code == MAP_FAILED ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		return NULL;
	u32(0x4a695444);
	u32(1);
	u32(40);
	u32(machine);
	u32(0);
	u32((uint32_t)getpid());
	u64(now());
	u64(0);
	return code;
}

static void dump_load(const char *code, size_t size, uint64_t number, const char *name)
{
	begin(LOAD, 40 + strlen(name) + 1 + size);
	u32((uint32_t)getpid());
	u32((uint32_t)getpid());
	u64((uintptr_t)code);
	u64((uintptr_t)code);
	u64(size);
	u64(number);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(code, size, 1, dump);
	fflush(dump);
}

static void dump_move(const char *from, const char *to, size_t size, uint64_t number)
{
	begin(MOVE, 48);
	u32((uint32_t)getpid());
	u32((uint32_t)getpid());
	u64((uintptr_t)to);
	u64((uintptr_t)from);
	u64((uintptr_t)to);
	u64(size);
	u64(number);
	fflush(dump);
}

static bool dump_close(void)
{
	begin(CLOSE, 0);
	return !fclose(dump);
}

#endif
