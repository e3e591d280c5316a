/*
 * What went wrong while a profile was made, as data: a code, a line of the input, and a text.
 * All are counted, but only the first NOTES_KEPT of each code are kept, so that hostile input
 * cannot fill the memory with complaints.  All stages add notes; only the command line shows
 * them.
 */
#ifndef WICK_PROFILE_NOTES_H
#define WICK_PROFILE_NOTES_H

#include "base/span.h"

#include <stddef.h>
#include <stdint.h>

/* code, singular, plural: "1 line that is no event", "3 lines that are no event" */
#define NOTE_CODES(X) \
	X(NOTE_BAD_LINE, "line that makes no sense", "lines that make no sense") \
	X(NOTE_BAD_EVENT, "line that is no event", "lines that are no event") \
	X(NOTE_BAD_STACK_LINE, "line that is no stack frame", "lines that are no stack frame") \
	X(NOTE_BAD_COUNT, "count that is no number", "counts that are no number") \
	X(NOTE_BAD_INDENT, "line with an odd indentation", "lines with an odd indentation") \
	X(NOTE_SKIPPED_INDENT, "line that skips a level of indentation", \
	  "lines that skip a level of indentation") \
	X(NOTE_NO_FUNCTION, "line without a function name", "lines without a function name") \
	X(NOTE_BAD_REF, "reference to what is not there", "references to what is not there") \
	X(NOTE_NO_HEADER, "input that ends before its header does", \
	  "inputs that end before their header does") \
	X(NOTE_BAD_HEADER, "input whose header is not the expected one", \
	  "inputs whose header is not the expected one") \
	X(NOTE_NO_START, "input that ends before the data begins", \
	  "inputs that end before the data begins") \
	X(NOTE_NO_END, "input that ends before the data does", \
	  "inputs that end before the data does") \
	X(NOTE_CUT_SHORT, "stack cut short by the end of the input", \
	  "stacks cut short by the end of the input") \
	X(NOTE_NO_END_EVENT, "event that never ends", "events that never end") \
	X(NOTE_LINE_TOO_LONG, "line too long to read", "lines too long to read") \
	X(NOTE_TOO_DEEP, "stack deeper than wick keeps", "stacks deeper than wick keeps") \
	X(NOTE_NAME_TOO_LONG, "name longer than wick keeps", "names longer than wick keeps") \
	X(NOTE_COUNT_TOO_LARGE, "count too large to add up", "counts too large to add up") \
	X(NOTE_FRACTION, "count whose fraction is dropped", "counts whose fraction is dropped") \
	X(NOTE_NO_PROGRAM, "program that does not run here", "programs that do not run here") \
	X(NOTE_NO_DEBUG_INFO, "file that addr2line does not read", \
	  "files that addr2line does not read") \
	X(NOTE_NO_STACK, "sample without a stack", "samples without a stack") \
	X(NOTE_WAITING, "stack of a thread that was not running", \
	  "stacks of threads that were not running") \
	X(NOTE_LOST, "sample lost while recording", "samples lost while recording") \
	X(NOTE_THROTTLED, "time that sampling was throttled", "times that sampling was throttled") \
	X(NOTE_STACK_CUT, "stack that is longer than what was copied of it", \
	  "stacks that are longer than what was copied of them") \
	X(NOTE_STACK_ROOTED, "cut stack that stands below the root of its thread", \
	  "cut stacks that stand below the root of their thread") \
	X(NOTE_STACK_NO_COPY, "stack that was not there to be copied", \
	  "stacks that were not there to be copied") \
	X(NOTE_STACK_32_BIT, "stack of a 32-bit program, followed by frame pointers", \
	  "stacks of 32-bit programs, followed by frame pointers") \
	X(NOTE_STACK_NO_ROW, "stack that could not be followed to its root", \
	  "stacks that could not be followed to their root") \
	X(NOTE_BAD_FRAME_INFO, "description of a stack frame that makes no sense", \
	  "descriptions of stack frames that make no sense") \
	X(NOTE_DERIVED, \
	  "call graph whose stacks are derived: what a function costs is shared out among its callers", \
	  "call graphs whose stacks are derived: what a function costs is shared out among its callers") \
	X(NOTE_CYCLE, "recursive call, which ends a derived stack", \
	  "recursive calls, which end derived stacks") \
	X(NOTE_GIVEN_UP, "call that is left out, as too many cost more", \
	  "calls that are left out, as too many cost more") \
	X(NOTE_BAD_TOTAL, "total that is not what was counted", \
	  "totals that are not what was counted") \
	X(NOTE_BAD_RECORD, "record that makes no sense", "records that make no sense") \
	X(NOTE_UNKNOWN_RECORD, "record of a kind that wick does not know", \
	  "records of kinds that wick does not know") \
	X(NOTE_LATE_RECORD, "record that came too late to be put in order", \
	  "records that came too late to be put in order") \
	X(NOTE_NO_FILE, "address in a file that is not here", \
	  "addresses in files that are not here") \
	X(NOTE_NO_LIBRARY, "address that only the file which was recorded could name", \
	  "addresses that only the files which were recorded could name") \
	X(NOTE_OTHER_FILE, "address in a file that was another one when it was recorded", \
	  "addresses in files that were others when they were recorded") \
	X(NOTE_FILE_CHANGED, \
	  "file that was changed since it was recorded: its names may be wrong", \
	  "files that were changed since they were recorded: their names may be wrong") \
	X(NOTE_FILE_BY_PATH, \
	  "file that is known by its path alone, as the recording has no build-id of it", \
	  "files that are known by their paths alone, as the recording has no build-ids of them") \
	X(NOTE_NO_SYMBOLS, "address in a file without symbols for it", \
	  "addresses in files without symbols for them") \
	X(NOTE_BAD_DEBUG_INFO, "piece of debug info that makes no sense", \
	  "pieces of debug info that make no sense") \
	X(NOTE_NO_SPLIT_FILE, "source whose debug info (.dwo) is not here", \
	  "sources whose debug info (.dwo) is not here") \
	X(NOTE_NO_JIT_MAP, "address of generated code that nobody named", \
	  "addresses of generated code that nobody named") \
	X(NOTE_NO_KERNEL, "address in a kernel that is not known to be the one that runs here", \
	  "addresses in a kernel that is not known to be the one that runs here") \
	X(NOTE_KERNEL_HIDDEN, "address in the kernel, which hides its symbols", \
	  "addresses in the kernel, which hides its symbols") \
	X(NOTE_NO_SERVER, "server of debug files (DEBUGINFOD_URLS) that does not answer", \
	  "servers of debug files (DEBUGINFOD_URLS) that do not answer") \
	X(NOTE_ADVICE, "way to more names", "ways to more names") \
	X(NOTE_TICKS_COARSE, "time made coarser to fit in memory", \
	  "times made coarser to fit in memory") \
	X(NOTE_FILTERED, "sample of another event left out", "samples of other events left out") \
	X(NOTE_SUMMED, "sum of different events", "sums of different events") \
	X(NOTE_NOT_DRAWN, "sample of frames too narrow to be drawn", \
	  "samples of frames too narrow to be drawn") \
	X(NOTE_ONLY_AFTER, "comparison of which only what it became counts", \
	  "comparisons of which only what they became counts") \
	X(NOTE_FOREIGN, "problem that another version of wick met", \
	  "problems that another version of wick met")

enum note_code {
#define X(code, one, many) code,
	NOTE_CODES(X)
#undef X
		NR_NOTE_CODES
};

enum { NOTES_KEPT = 100, NOTE_TEXT_MAX = 200 /* bytes; the rest is cut off */ };

struct note {
	enum note_code code;
	const char *input; /* its name, if there are several; borrowed; or NULL */
	uint64_t line;	   /* 0: it is about no line */
	struct span text;
};

struct notes {
	uint64_t count[NR_NOTE_CODES]; /* of all, kept or not */
	struct note *note;	       /* the first NOTES_KEPT of each code */
	size_t nr, cap;
	size_t kept[NR_NOTE_CODES]; /* how many are in note[] */
};

/* Adds one note that counts for `count` things; text is copied. */
void notes_add(struct notes *n, enum note_code code, uint64_t count, uint64_t line,
	       struct span text);

/* Sets the input of all notes from index `begin` on; the name must outlive them. */
void notes_name_input(struct notes *n, size_t begin, const char *input);

/* Removes all notes of a code, and their count. */
void notes_forget(struct notes *n, enum note_code code);

void notes_merge(struct notes *into, const struct notes *from);
void notes_release(struct notes *n);

/* "line that is no event" for one, "lines that are no event" for more */
const char *note_what(enum note_code code, uint64_t count);

/* "BAD_EVENT": the name of a code in packs */
const char *note_name(enum note_code code);

#endif
