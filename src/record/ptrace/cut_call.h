/*
 * What lies on the stack of a thread while it does the rest of a call that a stop has cut short (trace_calls.c): until
 * then its pc and stack pointer are not those of the program.  The rest may be several calls, one after the other: then
 * each one's struct lies below that of the next.
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
	uint64_t mark;	 /* CUT_CALL_MARK */
	uint64_t nr;	 /* of the call to make */
	uint64_t done;	 /* what it has returned so far */
	uint64_t whole;	 /* what it returns in all, if another one follows */
	uint64_t sum_to; /* the address of an int that is set to what it has returned */
	uint64_t rdi, rsi, rdx, r10, r8,
		r9;	      /* arguments of what follows: as the program knows them */
	uint64_t pc;	      /* where that goes on */
	uint64_t pc_if_short; /* … if this call did not return the whole */
	uint64_t size;	      /* from here to its stack pointer */
	uint64_t code;	      /* the instructions that do the rest, CUT_CALL_CODE bytes */
};
enum { CUT_CALL_CODE = 80, CUT_CALLS_MAX = 3 };

/*
 * Does a thread at that pc do the rest of a call?  Then its stack begins with a struct cut_call, and the program is at
 * *pc, and its stack *size bytes further up.  A stack may also contain what is left of an earlier one.
 */
static inline bool cut_call_find(uint64_t *pc, const char *stack, size_t stack_size, uint64_t *size)
{
	struct cut_call c;

	*size = 0;
	for (int i = 0;
	     i < CUT_CALLS_MAX && stack_size >= sizeof(c) && *size <= stack_size - sizeof(c); i++) {
		memcpy(&c, stack + *size, sizeof(c));
		if (c.mark != CUT_CALL_MARK || *pc - c.code >= CUT_CALL_CODE)
			break;
		*pc = c.pc;
		*size += c.size;
	}
	return *size > 0;
}

#endif
