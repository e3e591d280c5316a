/*
 * What lies on the stack of a thread while it does the rest of a call that a stop has cut short (trace_calls.c): until
 * then its pc and stack pointer are not those of the program.
 */
#ifndef WICK_RECORD_PTRACE_CUT_CALL_H
#define WICK_RECORD_PTRACE_CUT_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* No address, no small number, no text. */
#define CUT_CALL_MARK 0x9d1ec7a0f5c3b682U

struct cut_call {
	uint64_t mark;		     /* CUT_CALL_MARK */
	uint64_t done;		     /* what the call has returned so far */
	uint64_t rdi, rsi, rdx, r10; /* its arguments, as the program knows them */
	uint64_t pc;		     /* where the program goes on */
	uint64_t size;		     /* from here to the program's stack pointer */
	uint64_t code;		     /* the instructions that do the rest, CUT_CALL_CODE bytes */
};
enum { CUT_CALL_CODE = 48 };

/*
 * Does a thread at that pc do the rest of a call?  Then its stack begins with *out.  A stack may also contain what is
 * left of an earlier one.
 */
static inline bool cut_call_find(uint64_t pc, const char *stack, size_t size, struct cut_call *out)
{
	if (size < sizeof(*out))
		return false;
	memcpy(out, stack, sizeof(*out));
	return out->mark == CUT_CALL_MARK && pc - out->code < CUT_CALL_CODE;
}

#endif
