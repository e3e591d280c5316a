/*
 * Code made at run time, named in the list that perf reads: main → generated.
 *
 * usage: jit [TIMES [BEFORE]]
 *
 * Numbers of the list have BEFORE in front of them: 0x, as Java has it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* push %rbp; mov %rsp,%rbp; 1: dec %rdi; jnz 1b; pop %rbp; ret */
static const unsigned char x86[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff,
				     0xcf, 0x75, 0xfb, 0x5d, 0xc3 };

int main(int argc, char **argv)
{
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*generated)(uint64_t);
	const char *before = argc > 2 ? argv[2] : "";
	char path[64];
	FILE *map;

	if (code == MAP_FAILED)
		return 1;
	memcpy(code + 64, x86, sizeof(x86));
	if (mprotect(code, 4096, PROT_READ | PROT_EXEC))
		return 1;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	if (!map)
		return 1;
	fprintf(map, "%s%016llx %s%zx generated code [opt]\n", before,
		(unsigned long long)(uintptr_t)code + 64, before, sizeof(x86));
	fclose(map);
	*(void **)&generated = code + 64;
	for (long i = argc > 1 ? strtol(argv[1], NULL, 10) : 20; i > 0; i--)
		generated(10000000);
	puts(path);
	return 0;
}
