/*
 * A JIT compiler whose code keeps no frame pointer, and tells in a dump how one gets from there to the caller:
 * main → narrow → spin, then in the same memory main → wide → spin, then the first one elsewhere.
 *
 * usage: rows FOLDER [ROUNDS]
 */
#include "jitdump_writer.h"

#include <stdlib.h>

/* sub $N,%rsp; call *%rsi; add $N,%rsp; ret */
enum { CODE_SIZE = 11, CODE_ROOM = 16, N = 3, N_AGAIN = 9, AFTER_SUB = 4, AFTER_ADD = 6 };
static const unsigned char x86[CODE_SIZE] = { 0x48, 0x83, 0xec, 8, 0xff, 0xd6,
					      0x48, 0x83, 0xc4, 8, 0xc3 };

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

static void make(char *code, unsigned frame)
{
	memcpy(code, x86, sizeof(x86));
	code[N] = code[N_AGAIN] = (char)frame;
}

static void load(char *code, uint64_t number, const char *name, unsigned frame)
{
	make(code, frame);
	rows(frame);
	dump_load(code, sizeof(x86), number, name);
}

static void move(const char *from, char *to, uint64_t number, unsigned frame)
{
	make(to, frame);
	dump_move(from, to, sizeof(x86), number);
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
	/* As Python 3.13 does it: no machine. */
	char *code = argc > 1 ? dump_open(argv[1], 0) : NULL;

	if (!code)
		return 1;
	load(code, 1, "narrow", 8);
	generated = (void (*)(uint64_t, void (*)(uint64_t)))(void *)code;
	generated(rounds, spin);
	load(code, 2, "wide", 104);
	generated(rounds, spin);
	move(code, code + 4096, 1, 8);
	generated = (void (*)(uint64_t, void (*)(uint64_t)))(void *)(code + 4096);
	generated(rounds, spin);
	return !dump_close();
}
