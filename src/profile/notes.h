/*
 * What went wrong on the way, as data: a code, where, and the text it was
 * about.  Every note is counted; the first few of each code are kept whole, so
 * hostile input cannot fill the memory with complaints.  Stages add notes, and
 * only the command line shows them.
 */
#ifndef WICK_PROFILE_NOTES_H
#define WICK_PROFILE_NOTES_H

#include "base/span.h"

#include <stddef.h>
#include <stdint.h>

/* code, what is counted: "3 lines that are no event" */
#define NOTE_CODES(X) \
	X(NOTE_BAD_LINE, "lines that make no sense") \
	X(NOTE_BAD_EVENT, "lines that are no event") \
	X(NOTE_BAD_STACK_LINE, "lines that are no stack frame") \
	X(NOTE_BAD_COUNT, "counts that are no number") \
	X(NOTE_BAD_INDENT, "lines with an odd indentation") \
	X(NOTE_SKIPPED_INDENT, "lines that skip a level of indentation") \
	X(NOTE_NO_FUNCTION, "lines without a function name") \
	X(NOTE_BAD_REF, "references to what is not there") \
	X(NOTE_NO_HEADER, "inputs that end before their header does") \
	X(NOTE_BAD_HEADER, "inputs whose header is not the expected one") \
	X(NOTE_NO_START, "inputs that end before the data begins") \
	X(NOTE_NO_END, "inputs that end before the data does") \
	X(NOTE_CUT_SHORT, "stacks cut short by the end of the input") \
	X(NOTE_NO_END_EVENT, "events that never end") \
	X(NOTE_LINE_TOO_LONG, "lines too long to read") \
	X(NOTE_TOO_DEEP, "stacks deeper than wick keeps") \
	X(NOTE_NAME_TOO_LONG, "names longer than wick keeps") \
	X(NOTE_COUNT_TOO_LARGE, "counts too large to add up") \
	X(NOTE_FRACTION, "counts whose fraction is dropped") \
	X(NOTE_NO_PROGRAM, "programs that do not run here") \
	X(NOTE_NO_DEBUG_INFO, "files that addr2line does not read") \
	X(NOTE_NO_STACK, "samples without a stack") \
	X(NOTE_WAITING, "stacks of threads that were not running") \
	X(NOTE_LOST, "samples lost while recording") \
	X(NOTE_TICKS_COARSE, "times made coarser to fit in memory") \
	X(NOTE_FILTERED, "samples of other events left out")

enum note_code {
#define X(code, what) code,
	NOTE_CODES(X)
#undef X
		NR_NOTE_CODES
};

enum { NOTES_KEPT = 100, NOTE_TEXT_MAX = 200 };

struct note {
	enum note_code code;
	uint64_t line; /* 0: nowhere in particular */
	struct span text;
};

struct notes {
	uint64_t count[NR_NOTE_CODES]; /* of all of them */
	struct note *note;	       /* the first NOTES_KEPT of each code */
	size_t nr, cap;
	size_t kept[NR_NOTE_CODES]; /* how many of them are of a code */
};

/* Adds `count` things of one code at a place; text is copied. */
void notes_add(struct notes *n, enum note_code code, uint64_t count, uint64_t line,
	       struct span text);
void notes_merge(struct notes *into, const struct notes *from);
void notes_release(struct notes *n);

/* "lines that are no event" */
const char *note_what(enum note_code code);

#endif
