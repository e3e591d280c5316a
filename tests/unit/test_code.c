/* Code that nobody wrote rows for: how long instructions are, and how functions get back to their callers. */
#include "image/code/code_text.h"

#include "image/code/x86_insn.h"
#include "random.h"
#include "tap.h"

#include <stdio.h>
#include <unistd.h>

#define BYTES(text) ((struct span){ "" text, sizeof(text) - 1 })

static void test_length(void)
{
	static const struct {
		const char *what;
		struct span bytes;
	} rows[] = {
		{ "x86_decode() decodes ret", BYTES("\xc3") },
		{ "x86_decode() decodes push %r12", BYTES("\x41\x54") },
		{ "x86_decode() decodes mov (%rax), %eax", BYTES("\x8b\x00") },
		{ "x86_decode() decodes mov 0x10(%rsp), %rax", BYTES("\x48\x8b\x44\x24\x10") },
		{ "x86_decode() decodes mov 0x12345(%rip), %eax",
		  BYTES("\x8b\x05\x45\x23\x01\x00") },
		{ "x86_decode() decodes mov 0x0(,%rax,8), %eax", BYTES("\x8b\x04\xc5\0\0\0\0") },
		{ "x86_decode() decodes mov $5, %eax", BYTES("\xb8\x05\0\0\0") },
		{ "x86_decode() decodes movabs $5, %rax", BYTES("\x48\xb8\x05\0\0\0\0\0\0\0") },
		{ "x86_decode() decodes movw $5, (%rax)", BYTES("\x66\xc7\x00\x05\x00") },
		{ "x86_decode() decodes test $1, %al", BYTES("\xf6\xc0\x01") },
		{ "x86_decode() decodes not %al", BYTES("\xf6\xd0") },
		{ "x86_decode() decodes enter $16, $0", BYTES("\xc8\x10\x00\x00") },
		{ "x86_decode() decodes movabs 0x0, %al", BYTES("\xa0\0\0\0\0\0\0\0\0") },
		{ "x86_decode() decodes jne far", BYTES("\x0f\x85\0\0\0\0") },
		{ "x86_decode() decodes pshufd $0, %xmm0, %xmm0", BYTES("\x66\x0f\x70\xc0\x00") },
		{ "x86_decode() decodes pshufb %xmm0, %xmm0", BYTES("\x66\x0f\x38\x00\xc0") },
		{ "x86_decode() decodes palignr $1, %xmm0, %xmm0",
		  BYTES("\x66\x0f\x3a\x0f\xc0\x01") },
		{ "x86_decode() decodes vzeroupper", BYTES("\xc5\xf8\x77") },
		{ "x86_decode() decodes vpxor %ymm0, %ymm0, %ymm0", BYTES("\xc5\xfd\xef\xc0") },
		{ "x86_decode() decodes vpermq $0, %ymm0, %ymm0",
		  BYTES("\xc4\xe3\xfd\x00\xc0\x00") },
		{ "x86_decode() decodes vmovdqu64 0x40(%rsi), %zmm0",
		  BYTES("\x62\xf1\xfe\x48\x6f\x46\x01") },
		{ "x86_decode() decodes cs nopw 0x0(%rax,%rax,1)",
		  BYTES("\x66\x2e\x0f\x1f\x84\0\0\0\0\0") },
	};
	struct x86_insn i;

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		struct span b = rows[k].bytes;

		ok(x86_decode(b, &i) && i.size == b.size, rows[k].what);
		ok(!x86_decode(span_upto(b, b.size - 1), &i),
		   "x86_decode() rejects an instruction without its last byte");
	}
	ok(!x86_decode(BYTES("\x06"), &i), "x86_decode() rejects an invalid opcode");
	ok(!x86_decode(BYTES("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90"),
		       &i),
	   "x86_decode() rejects an instruction of more than 15 bytes");
}

/* Code in a file of its own, from 16 on. */
enum { BEGIN = 16, SIZE = 512 };

struct made {
	FILE *f;
	struct cfi_code code;
	struct text_file t;
};

static void make(struct made *m, struct span code)
{
	char bytes[BEGIN + SIZE];

	memset(bytes, 0xcc, sizeof(bytes));
	memcpy(bytes + BEGIN, code.at, code.size);
	m->f = tmpfile();
	ok(m->f && write(fileno(m->f), bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes),
	   "the test writes a file with code");
	m->code = (struct cfi_code){ .size = BEGIN + SIZE };
	m->t = (struct text_file){ .fd = fileno(m->f), .code = &m->code, .nr_code = 1 };
}

/* "rsp+16 3:-16": where the caller's stack was, and where its registers are. */
static const char *text_of(bool found, const struct cfi_state *s)
{
	static char text[200];
	size_t size;

	if (!found)
		return "nothing";
	size = (size_t)snprintf(text, sizeof(text), "%s%+d", s->base == 7 ? "rsp" : "rbp",
				s->offset);
	for (unsigned i = 0; i < 16; i++)
		if (s->saved >> i & 1)
			size += (size_t)snprintf(text + size, sizeof(text) - size, " %u:%d", i,
						 s->reg[i].value);
	return text;
}

static const char *by_return(struct made *m, uint64_t at)
{
	struct cfi_state s;

	return text_of(code_find_return(&m->t, BEGIN + at, &s), &s);
}

static const char *by_start(struct made *m, uint64_t start, uint64_t at)
{
	struct cfi_state s;

	return text_of(code_from_start(&m->t, BEGIN + start, BEGIN + at, &s), &s);
}

static void test_return(void)
{
	/* 0 push %rbx; 1 sub $16, %rsp; 5 call; 10 add $16, %rsp; 14 pop %rbx; 15 ret */
	static const struct span plain =
		BYTES("\x53\x48\x83\xec\x10\xe8\0\0\0\0\x48\x83\xc4\x10\x5b\xc3");
	/* 0 push %rbp; 1 mov %rsp, %rbp; 4 sub $64, %rsp; 8 nop; 9 leave; 10 ret */
	static const struct span framed = BYTES("\x55\x48\x89\xe5\x48\x83\xec\x40\x90\xc9\xc3");
	/* 0 push %r12; 2 test; 4 je 8; 6 jmp 2; 8 pop %r12; 10 ret */
	static const struct span loop = BYTES("\x41\x54\x85\xc0\x74\x02\xeb\xfa\x41\x5c\xc3");
	/* 0 and $-16, %rsp; 4 ret; 5 jmp *%rax; 7 ud2; 9 jmp 9; 11 pop %rsp; 12 ret */
	static const struct span odd =
		BYTES("\x48\x83\xe4\xf0\xc3\xff\xe0\x0f\x0b\xeb\xfe\x5c\xc3");
	/* 0 sub $16, %rsp; 4 mov %rbp, 8(%rsp); 9 nop; 10 mov 8(%rsp), %rbp; 15 add $16, %rsp; 19 ret */
	static const struct span go = BYTES("\x48\x83\xec\x10\x48\x89\x6c\x24\x08\x90"
					    "\x48\x8b\x6c\x24\x08\x48\x83\xc4\x10\xc3");
	struct made m;

	make(&m, go);
	is_str(by_return(&m, 9), "rsp+24 6:-16",
	       "a register that is loaded before the return, as in Go, is on the stack");
	is_str(by_return(&m, 15), "rsp+24",
	       "a register that was loaded before the place is not on the stack");
	fclose(m.f);
	make(&m, plain);
	is_str(by_return(&m, 0), "rsp+8",
	       "at the start of a function the return address is on top of the stack");
	is_str(by_return(&m, 1), "rsp+16 3:-16", "behind a push the register is on the stack");
	is_str(by_return(&m, 5), "rsp+32 3:-16",
	       "behind a sub of the stack pointer the CFA is further away by that much");
	is_str(by_return(&m, 10), "rsp+32 3:-16", "behind a call the CFA is the same as before it");
	is_str(by_return(&m, 15), "rsp+8", "at the return no register is on the stack");
	fclose(m.f);
	make(&m, framed);
	is_str(by_return(&m, 0), "rsp+8", "before the push of the frame pointer the CFA is rsp+8");
	is_str(by_return(&m, 1), "rsp+16 6:-16",
	       "behind the push of the frame pointer it is on the stack");
	is_str(by_return(&m, 8), "rbp+16 6:-16",
	       "behind the setup of the frame pointer the CFA is relative to it");
	is_str(by_return(&m, 10), "rsp+8", "behind leave the CFA is relative to the stack pointer");
	fclose(m.f);
	make(&m, loop);
	is_str(by_return(&m, 6), "rsp+16 12:-16", "a return behind a loop is found");
	fclose(m.f);
	make(&m, odd);
	is_str(by_return(&m, 0), "nothing", "no return is found behind an aligned stack pointer");
	is_str(by_return(&m, 5), "nothing", "no return is found behind an indirect jump");
	is_str(by_return(&m, 7), "nothing", "no return is found behind ud2");
	is_str(by_return(&m, 9), "nothing", "no return is found in an endless loop");
	is_str(by_return(&m, 11), "nothing",
	       "no return is found behind a pop of the stack pointer");
	is_str(by_return(&m, SIZE), "nothing", "no return is found outside of the code");
	fclose(m.f);
}

static void test_start(void)
{
	/*
	 * 0 push %rbx; 1 sub $8, %rsp; 5 je 13; 7 add $8, %rsp; 11 pop %rbx; 12 ret;
	 * 13 call; 18 nopl; 23 … the next one, at 32: push %rbx; pop %rbx; ret
	 */
	static const struct span code =
		BYTES("\x53\x48\x83\xec\x08\x74\x06\x48\x83\xc4\x08\x5b\xc3"
		      "\xe8\1\2\3\4\x0f\x1f\x44\0\0\x66\x0f\x1f\x84\0\0\0\0\0\x53\x5b\xc3");
	/* 0 sub $16, %rsp; 4 mov %rbp, 8(%rsp); 9 xor %ebp, %ebp; 11 mov %rbp, (%rsp); 15 jmp 15 */
	static const struct span endless =
		BYTES("\x48\x83\xec\x10\x48\x89\x6c\x24\x08\x31\xed\x48\x89\x2c\x24\xeb\xfe");
	uint64_t start[CODE_STARTS];
	struct made m;

	make(&m, endless);
	is_str(by_start(&m, 0, 4), "rsp+24",
	       "a register is not on the stack before it is stored there");
	is_str(by_start(&m, 0, 9), "rsp+24 6:-16",
	       "a register is on the stack once it is stored there");
	is_str(by_start(&m, 0, 15), "rsp+24 6:-16", "a second store of a register does not count");
	fclose(m.f);
	make(&m, code);
	is_str(by_return(&m, 18), "rsp+8", "padding leads to the return of the next function");
	is_str(by_return(&m, 13), "nothing", "a call before padding does not return");
	is_str(by_start(&m, 0, 18), "rsp+24 3:-16",
	       "what the code from the start to the place pushed is on the stack");
	is_str(by_start(&m, 0, 13), "rsp+24 3:-16",
	       "code behind a return is reached through the jump to it");
	is_str(by_start(&m, 0, 12), "rsp+8",
	       "what the code from the start to the place popped is not on the stack");
	is_str(by_start(&m, 0, 15), "nothing",
	       "a place in the middle of an instruction is not reached");
	is_int((long long)code_find_starts(&m.t, BEGIN + 18, start), 1,
	       "a place in the first function has one possible start");
	is_int((long long)start[0], BEGIN, "the possible start is where the function begins");
	is_int((long long)code_find_starts(&m.t, BEGIN + 34, start), 2,
	       "a place in the second function has two possible starts");
	is_int((long long)start[0], BEGIN + 32, "the nearest possible start comes first");
	fclose(m.f);
}

static void test_calls(void)
{
	/* 0 call 64; 5 call *%rax; 7 call *0x10(%rax); 10 nop; 11 mov $15, %rax; syscall */
	static const struct span code =
		BYTES("\xe8\x3b\0\0\0\xff\xd0\xff\x50\x10\x90\x48\xc7\xc0\x0f\0\0\0\x0f\x05"
		      "\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\x90\xe8\0\0\0\0");
	struct text_call call;
	struct made m;

	make(&m, code);
	ok(text_call_before(&m.t, BEGIN + 5, &call) && call.is_direct && call.target == BEGIN + 64,
	   "text_call_before() finds a direct call and its target");
	ok(text_call_before(&m.t, BEGIN + 7, &call) && !call.is_direct,
	   "text_call_before() finds a call through a register");
	ok(text_call_before(&m.t, BEGIN + 10, &call) && !call.is_direct,
	   "text_call_before() finds a call through memory");
	ok(!text_call_before(&m.t, BEGIN + 11, &call),
	   "text_call_before() finds no call behind a nop");
	ok(text_call_before(&m.t, BEGIN + 32, &call) && !call.is_direct,
	   "text_call_before() finds what Go's goroutines return to");
	ok(!text_call_before(&m.t, 3, &call),
	   "text_call_before() finds no call before the beginning of the file");
	ok(text_is_signal_return(&m.t, BEGIN + 11),
	   "text_is_signal_return() accepts the trampoline of signal handlers");
	ok(!text_is_signal_return(&m.t, BEGIN + 10), "text_is_signal_return() rejects other code");
	fclose(m.f);
}

/* Any bytes do no harm, and what comes of them is a place on the stack. */
static void test_any(void)
{
	struct random random = { 7 };
	uint64_t start[CODE_STARTS];
	bool sound = true;

	for (int round = 0; round < 200; round++) {
		char bytes[SIZE];
		struct cfi_state s;
		struct made m;

		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (char)(random_below(&random, 256));
		m.f = tmpfile();
		sound = sound && m.f && write(fileno(m.f), bytes, SIZE) == SIZE;
		m.code = (struct cfi_code){ .size = SIZE + 100 };
		m.t = (struct text_file){ .fd = fileno(m.f), .code = &m.code, .nr_code = 1 };
		for (uint64_t at = 0; at < SIZE + 32; at++) {
			if (code_find_return(&m.t, at, &s) && s.base == 7)
				sound = sound && s.offset >= 8;
			for (size_t i = code_find_starts(&m.t, at, start); i-- > 0;)
				if (code_from_start(&m.t, start[i], at, &s))
					sound = sound && s.offset >= 8;
		}
		fclose(m.f);
	}
	ok(sound, "random bytes never give a CFA below the return address");
}

int main(void)
{
	test_length();
	test_return();
	test_start();
	test_calls();
	test_any();
	return done();
}
