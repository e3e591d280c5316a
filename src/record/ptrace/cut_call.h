/*
 * The frame on the stack of a thread that finishes a system call which a ptrace stop has interrupted (trace_calls.c).
 * Until it is done, the thread's pc and stack pointer are not those of the program.  If that takes several calls, one
 * after the other, the frame of each is below that of the next.
 */
#ifndef WICK_RECORD_PTRACE_CUT_CALL_H
#define WICK_RECORD_PTRACE_CUT_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Not a valid address, a small number or text. */
#define CUT_CALL_MARK 0x9d1ec7a0f5c3b682U

struct cut_call {
	uint64_t mark;	 /* CUT_CALL_MARK */
	uint64_t nr;	 /* the number of the system call to make */
	uint64_t done;	 /* what it has returned so far */
	uint64_t whole;	 /* what it must return in total, if another call follows */
	uint64_t sum_to; /* the address of an int that is set to what it has returned */
	/* Arguments of the next call, or the program's registers. */
	uint64_t rdi, rsi, rdx, r10, r8, r9;
	uint64_t pc;	      /* where to continue, … */
	uint64_t pc_if_short; /* … if this call did not return the whole */
	uint64_t size;	      /* from here to the stack pointer to continue with */
	uint64_t code; /* the address of the instructions that finish it, CUT_CALL_CODE bytes */
};
enum { CUT_CALL_CODE = 80, CUT_CALLS_MAX = 3 };

/*
 * Does a thread at that pc finish an interrupted call?  Then its stack begins with a struct cut_call: sets *pc to the pc
 * of the program, and *size to the distance of its stack pointer.  A stack may also contain remains of an earlier struct,
 * so the pc is checked, too.
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
