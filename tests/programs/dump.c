/*
 * A JIT compiler that keeps a dump for perf: main → code that is called first, then
 * other code in the same memory that is called second, and the first one moved.
 *
 * usage: dump FOLDER [ROUNDS]
 */
#include "jitdump_writer.h"

#include <stdlib.h>

/* push %rbp; mov %rsp,%rbp; 1: dec %rdi; jnz 1b; pop %rbp; ret */
static const unsigned char x86[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff,
				     0xcf, 0x75, 0xfb, 0x5d, 0xc3 };

enum { EM_X86_64 = 62 };

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
	char *code = argc > 1 ? dump_open(argv[1], EM_X86_64) : NULL, *elsewhere;

	if (!code)
		return 1;
	memcpy(code + 64, x86, sizeof(x86));
	lines(code + 64, 10);
	dump_load(code + 64, sizeof(x86), 1, "called first");
	run(code + 64, 6, rounds);
	lines(code + 64, 20);
	dump_load(code + 64, sizeof(x86), 2, "called second");
	run(code + 64, 2, rounds);
	elsewhere = code + 4096;
	memcpy(elsewhere, x86, sizeof(x86));
	dump_move(code + 64, elsewhere, sizeof(x86), 1);
	run(elsewhere, 4, rounds);
	return !dump_close();
}
