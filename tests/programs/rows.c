/*
 * A JIT compiler whose code keeps no frame pointer, and tells in a dump how one gets from there to the caller:
 * main → narrow → spin, then in the same memory main → wide → spin, then the first one elsewhere.
 *
 * usage: rows FOLDER [ROUNDS]
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* sub $N,%rsp; call *%rsi; add $N,%rsp; ret */
enum { CODE_SIZE = 11, CODE_ROOM = 16, N = 3, N_AGAIN = 9, AFTER_SUB = 4, AFTER_ADD = 6 };
static const unsigned char x86[CODE_SIZE] = { 0x48, 0x83, 0xec, 8, 0xff, 0xd6,
					      0x48, 0x83, 0xc4, 8, 0xc3 };

enum { LOAD, MOVE, CLOSE = 3, ROWS };

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

/* As Python 3.13 does it: no machine. */
static void header(void)
{
	u32(0x4a695444);
	u32(1);
	u32(40);
	u32(0);
	u32(0);
	u32((uint32_t)getpid());
	u64(now());
	u64(0);
}

/* .eh_frame of one function with a frame of so many bytes, and its .eh_frame_hdr. */
static void rows(unsigned frame)
{
	unsigned char eh_frame[] = {
		20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,
		/* The CFA is %rsp + 8, where the return address is below it. */
		0x0c, 7, 8, 0x90, 1, 0, 0,
		/* From 48 bytes before here on … */
		20, 0, 0, 0, 28, 0, 0, 0, 0xd0, 0xff, 0xff, 0xff, CODE_SIZE, 0, 0, 0, 0,
		/* … it is further away between the two instructions. */
		0x40 | AFTER_SUB, 0x0e, (unsigned char)(frame + 8), 0x40 | AFTER_ADD, 0x0e, 8, 0
	};
	const uint32_t index[] = { 0x3b031b01, (uint32_t) - (int)(sizeof(eh_frame) + 4), 1,
				   (uint32_t) - (int)(CODE_ROOM + sizeof(eh_frame)),
				   (uint32_t) - (int)(sizeof(eh_frame) - 24) };

	begin(ROWS, 24 + sizeof(eh_frame) + sizeof(index) + 4);
	u64(sizeof(eh_frame) + sizeof(index));
	u64(sizeof(index));
	u64(80);
	fwrite(eh_frame, sizeof(eh_frame), 1, dump);
	fwrite(index, sizeof(index), 1, dump);
	u32(0);
}

static void load(char *code, uint64_t number, const char *name, unsigned frame)
{
	memcpy(code, x86, sizeof(x86));
	code[N] = code[N_AGAIN] = (char)frame;
	rows(frame);
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

static void move(char *from, char *to, uint64_t number, unsigned frame)
{
	memcpy(to, x86, sizeof(x86));
	to[N] = to[N_AGAIN] = (char)frame;
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

__attribute__((noinline)) void spin(uint64_t rounds)
{
	for (volatile uint64_t i = 0; i < rounds; i++)
		;
}

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : 20000000;
	void (*volatile generated)(uint64_t, void (*)(uint64_t));
	char path[4096], *code;

	if (argc < 2)
		return 1;
	snprintf(path, sizeof(path), "%s/jit-%d.dump", argv[1], (int)getpid());
	dump = fopen(path, "w+");
	code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	if (!dump || code == MAP_FAILED ||
	    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		return 1;
	header();
	load(code, 1, "narrow", 8);
	generated = (void (*)(uint64_t, void (*)(uint64_t)))(void *)code;
	generated(rounds, spin);
	load(code, 2, "wide", 104);
	generated(rounds, spin);
	move(code, code + 4096, 1, 8);
	generated = (void (*)(uint64_t, void (*)(uint64_t)))(void *)(code + 4096);
	generated(rounds, spin);
	begin(CLOSE, 0);
	return fclose(dump) != 0;
}
