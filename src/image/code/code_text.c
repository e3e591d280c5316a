#include "image/code/code_text.h"

#include "image/code/x86_insn.h"

#include <unistd.h>

/*
 * Reads the file instead of mapping it: if a mapped file shrinks, access ends the program by
 * SIGBUS.
 */
struct span text_bytes(struct text_file *t, uint64_t place, size_t size)
{
	if (place < t->begin || place - t->begin > t->size || t->size - (place - t->begin) < size) {
		ssize_t got = pread(t->fd, t->window, sizeof(t->window), (off_t)place);

		t->begin = place;
		t->size = got > 0 ? (size_t)got : 0;
	}
	return span_upto((struct span){ t->window + (place - t->begin),
					t->size - (size_t)(place - t->begin) },
			 size);
}

bool text_is_code(const struct text_file *t, uint64_t place)
{
	for (size_t i = 0; i < t->nr_code; i++)
		if (place - t->code[i].offset < t->code[i].size)
			return true;
	return false;
}

bool text_call_before(struct text_file *t, uint64_t place, struct text_call *call)
{
	enum { CALL_MAX = 7 }; /* bytes, without prefixes: call *disp32(base,index) */
	struct span code;

	*call = (struct text_call){ 0 };
	if (place < CALL_MAX || !text_is_code(t, place - 1))
		return false;
	/* Goroutines return to goexit + 1: after a nop, before the call that ends them. */
	if (span_starts(text_bytes(t, place - 1, 2), "\x90\xe8"))
		return true;
	code = text_bytes(t, place - CALL_MAX, CALL_MAX);
	for (size_t n = 2; n <= CALL_MAX && code.size == CALL_MAX; n++) {
		struct x86_insn i;

		if (!x86_decode(span_from(code, CALL_MAX - n), &i) || i.size != n ||
		    i.map != X86_ONE)
			continue;
		call->is_direct = i.opcode == 0xe8;
		call->target = place + (uint64_t)i.imm;
		/* call rel32, or call through a register or memory (ff /2) */
		if (call->is_direct || (i.opcode == 0xff && (i.modrm >> 3 & 7) == 2))
			return true;
	}
	return false;
}

bool text_is_signal_return(struct text_file *t, uint64_t place)
{
	/* mov $SYS_rt_sigreturn, %rax; syscall: debuggers rely on exactly these bytes, too. */
	static const char code[] = "\x48\xc7\xc0\x0f\0\0\0\x0f\x05";

	return span_eq(text_bytes(t, place, sizeof(code) - 1),
		       (struct span){ code, sizeof(code) - 1 });
}
