/*
 * A JIT compiler that keeps a dump for perf: main → code that is called first, then
 * other code in the same memory that is called second, and the first one moved.
 *
 * usage: dump FOLDER [ROUNDS]
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* push %rbp; mov %rsp,%rbp; 1: dec %rdi; jnz 1b; pop %rbp; ret */
static const unsigned char x86[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff,
				     0xcf, 0x75, 0xfb, 0x5d, 0xc3 };

enum { LOAD, MOVE, LINES, CLOSE, EM_X86_64 = 62 };

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

static void header(void)
{
	u32(0x4a695444);
	u32(1);
	u32(40);
	u32(EM_X86_64);
	u32(0);
	u32((uint32_t)getpid());
	u64(now());
	u64(0);
}

static void lines(const char *code, uint32_t line)
{
	static const char file[] = "/src/made.lang";

	begin(LINES, 16 + 16 + sizeof(file) + 16 + 2);
	u64((uintptr_t)code);
	u64(2);
	u64((uintptr_t)code);
	u32(line);
	u32(0);
	fwrite(file, sizeof(file), 1, dump);
	/* The loop, in the same file. */
	u64((uintptr_t)code + 4);
	u32(line + 1);
	u32(0);
	fwrite("\xff", 2, 1, dump);
}

static void load(const char *code, uint64_t number, const char *name)
{
	begin(LOAD, 40 + strlen(name) + 1 + sizeof(x86));
	u32((uint32_t)getpid());
	u32((uint32_t)getpid());
	u64((uintptr_t)code);
	u64((uintptr_t)code);
	u64(sizeof(x86));
	u64(number);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(code, sizeof(x86), 1, dump);
	fflush(dump);
}

static void move(const char *from, const char *to, uint64_t number)
{
	begin(MOVE, 48);
	u32((uint32_t)getpid());
	u32((uint32_t)getpid());
	u64((uintptr_t)to);
	u64((uintptr_t)from);
	u64((uintptr_t)to);
	u64(sizeof(x86));
	u64(number);
	fflush(dump);
}

static void run(char *code, int times, uint64_t rounds)
{
	void (*generated)(uint64_t);

	*(void **)&generated = code;
	while (times--)
		generated(rounds);
}

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : 20000000;
	char path[4096], *code, *elsewhere;

	if (argc < 2)
		return 1;
	snprintf(path, sizeof(path), "%s/jit-%d.dump", argv[1], (int)getpid());
	dump = fopen(path, "w+");
	code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	/* How a recording learns of the dump. */
	if (!dump || code == MAP_FAILED ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		return 1;
	header();
	memcpy(code + 64, x86, sizeof(x86));
	lines(code + 64, 10);
	load(code + 64, 1, "called first");
	run(code + 64, 6, rounds);
	lines(code + 64, 20);
	load(code + 64, 2, "called second");
	run(code + 64, 2, rounds);
	elsewhere = code + 4096;
	memcpy(elsewhere, x86, sizeof(x86));
	move(code + 64, elsewhere, 1);
	run(elsewhere, 4, rounds);
	begin(CLOSE, 0);
	return fclose(dump) != 0;
}
