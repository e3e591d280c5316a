/*
 * What went wrong while a profile was built, as data: a code, a line of the input, and a text.  All
 * are counted, but only the first NOTES_KEPT of each code are stored, so that hostile input cannot
 * fill the memory with notes.  All stages add notes; only the command line prints them.
 */
#ifndef WICK_PROFILE_NOTES_H
#define WICK_PROFILE_NOTES_H

#include "base/span.h"

#include <stddef.h>
#include <stdint.h>

/* code, singular, plural: "1 line that is not an event", "3 lines that are not events" */
#define NOTE_CODES(X) \
	X(NOTE_BAD_LINE, "malformed line", "malformed lines") \
	X(NOTE_BAD_EVENT, "line that is not an event", "lines that are not events") \
	X(NOTE_BAD_STACK_LINE, "line that is not a stack frame", \
	  "lines that are not stack frames") \
	X(NOTE_BAD_COUNT, "invalid count", "invalid counts") \
	X(NOTE_BAD_INDENT, "line with unexpected indentation", \
	  "lines with unexpected indentation") \
	X(NOTE_SKIPPED_INDENT, "line that skips a level of indentation", \
	  "lines that skip a level of indentation") \
	X(NOTE_NO_FUNCTION, "line without a function name", "lines without a function name") \
	X(NOTE_BAD_REF, "reference to a missing entry", "references to missing entries") \
	X(NOTE_NO_HEADER, "input truncated in its header", "inputs truncated in their header") \
	X(NOTE_BAD_HEADER, "input with an unexpected header", "inputs with an unexpected header") \
	X(NOTE_NO_START, "input that ends before its data begins", \
	  "inputs that end before their data begins") \
	X(NOTE_NO_END, "truncated input", "truncated inputs") \
	X(NOTE_CUT_SHORT, "stack truncated at the end of the input", \
	  "stacks truncated at the end of the input") \
	X(NOTE_NO_END_EVENT, "event without an end, which lasts until the trace ends", \
	  "events without an end, which last until the trace ends") \
	X(NOTE_CROSSING, "slice that ends after the slice around it, split in two", \
	  "slices that end after the slice around them, split in two") \
	X(NOTE_BAD_TIME, "out-of-order event", "out-of-order events") \
	X(NOTE_FLOWS_MANY, "flow event dropped: limit reached", \
	  "flow events dropped: limit reached") \
	X(NOTE_NO_PAIR, "marker dropped: its start or end is missing", \
	  "markers dropped: their start or end is missing") \
	X(NOTE_LINE_TOO_LONG, "line too long to read", "lines too long to read") \
	X(NOTE_TOO_DEEP, "stack deeper than the limit", "stacks deeper than the limit") \
	X(NOTE_NAME_TOO_LONG, "name longer than the limit", "names longer than the limit") \
	X(NOTE_EVENTS_MANY, "use of an event beyond the limit, counted as another event", \
	  "uses of events beyond the limit, counted as another event") \
	X(NOTE_COUNT_TOO_LARGE, "count too large to add up", "counts too large to add up") \
	X(NOTE_FRACTION, "count truncated to a whole number", "counts truncated to whole numbers") \
	X(NOTE_NO_PROGRAM, "program that could not be run", "programs that could not be run") \
	X(NOTE_NO_DEBUG_INFO, "file that addr2line cannot read", \
	  "files that addr2line cannot read") \
	X(NOTE_NO_STACK, "sample without a stack", "samples without a stack") \
	X(NOTE_WAITING, "stack of a thread that was not running", \
	  "stacks of threads that were not running") \
	X(NOTE_LOST, "sample lost while recording", "samples lost while recording") \
	X(NOTE_SWITCHES_LOST, \
	  "context switch lost while recording: the times of a thread are wrong", \
	  "context switches lost while recording: the times of threads are wrong") \
	X(NOTE_SWITCHES_MANY, "pause in recording waits: too many context switches", \
	  "pauses in recording waits: too many context switches") \
	X(NOTE_PARALLELISM, "sample without a thread count, counted with its full weight", \
	  "samples without a thread count, counted with their full weight") \
	X(NOTE_WAIT_NO_STACK, "wait whose stack was only sampled: too many context switches", \
	  "waits whose stacks were only sampled: too many context switches") \
	X(NOTE_WAIT_NO_REASON, "wait that was not sampled, shown as [other]", \
	  "waits that were not sampled, shown as [other]") \
	X(NOTE_WAIT_NOT_WRITTEN, "sample of a wait dropped from the .data file: limit reached", \
	  "samples of waits dropped from the .data file: limit reached") \
	X(NOTE_WAIT_TRUNCATED, "truncated stack of a wait", "truncated stacks of waits") \
	X(NOTE_WAKERS_MANY, "recording of wakers ended early: too many wakeups on this machine", \
	  "recordings of wakers ended early: too many wakeups on this machine") \
	X(NOTE_THROTTLED, "time the kernel throttled sampling", \
	  "times the kernel throttled sampling") \
	X(NOTE_STACK_TRUNCATED, "truncated stack: longer than its copy", \
	  "truncated stacks: longer than their copies") \
	X(NOTE_STACK_ROOTED, "truncated stack whose root is known", \
	  "truncated stacks whose root is known") \
	X(NOTE_STACK_NO_COPY, "sample without a user stack", "samples without a user stack") \
	X(NOTE_STACK_32_BIT, "stack of a 32-bit program, unwound by frame pointers", \
	  "stacks of 32-bit programs, unwound by frame pointers") \
	X(NOTE_STACK_NO_ROW, "stack that could not be unwound to its root", \
	  "stacks that could not be unwound to their root") \
	X(NOTE_BAD_FRAME_INFO, "invalid unwind entry", "invalid unwind entries") \
	X(NOTE_DERIVED, \
	  "call graph with derived stacks: the cost of each function is distributed among its callers", \
	  "call graphs with derived stacks: the cost of each function is distributed among its callers") \
	X(NOTE_CYCLE, "recursive call, which ends a derived stack", \
	  "recursive calls, which end derived stacks") \
	X(NOTE_GIVEN_UP, "call dropped: limit reached", "calls dropped: limit reached") \
	X(NOTE_BAD_TOTAL, "total that does not match the sum", "totals that do not match the sum") \
	X(NOTE_BAD_RECORD, "malformed record", "malformed records") \
	X(NOTE_UNKNOWN_RECORD, "record of an unknown type", "records of unknown types") \
	X(NOTE_HARDWARE_TRACE, \
	  "hardware trace (Intel PT, Arm SPE) not decoded: convert it with perf script --itrace=i100usg", \
	  "hardware traces (Intel PT, Arm SPE) not decoded: convert them with perf script --itrace=i100usg") \
	X(NOTE_LATE_RECORD, "record too late to be sorted", "records too late to be sorted") \
	X(NOTE_NO_FILE, "address in a missing file", "addresses in missing files") \
	X(NOTE_NO_LIBRARY, "address whose recorded file is needed to resolve it", \
	  "addresses whose recorded files are needed to resolve them") \
	X(NOTE_OTHER_FILE, "address in a file whose build ID has changed since recording", \
	  "addresses in files whose build ID has changed since recording") \
	X(NOTE_FILE_CHANGED, "file changed since recording: its names may be wrong", \
	  "files changed since recording: their names may be wrong") \
	X(NOTE_FILE_BY_PATH, "file matched by path only: the recording has no build ID for it", \
	  "files matched by path only: the recording has no build IDs for them") \
	X(NOTE_NO_SYMBOLS, "address without symbols", "addresses without symbols") \
	X(NOTE_BAD_DEBUG_INFO, "invalid debug info entry", "invalid debug info entries") \
	X(NOTE_NO_SPLIT_FILE, "source file whose debug info (.dwo) is missing", \
	  "source files whose debug info (.dwo) is missing") \
	X(NOTE_NO_SHARED_FILE, "inlined call dropped: its name is in a missing dwz file", \
	  "inlined calls dropped: their names are in a missing dwz file") \
	X(NOTE_NO_JIT_MAP, "unresolved address of JIT-compiled code", \
	  "unresolved addresses of JIT-compiled code") \
	X(NOTE_NO_KERNEL, "address in a kernel that may not be the running one", \
	  "addresses in a kernel that may not be the running one") \
	X(NOTE_KERNEL_HIDDEN, "address in the kernel, whose symbols are hidden", \
	  "addresses in the kernel, whose symbols are hidden") \
	X(NOTE_NO_SERVER, "debuginfod server that does not answer", \
	  "debuginfod servers that do not answer") \
	X(NOTE_ADVICE, "hint to resolve more symbols", "hints to resolve more symbols") \
	X(NOTE_TICKS_COARSE, "timestamp rounded to fit in memory", \
	  "timestamps rounded to fit in memory") \
	X(NOTE_TICKS_PARTIAL, "timestamp dropped: other samples of its event have none", \
	  "timestamps dropped: other samples of their events have none") \
	X(NOTE_NO_TIMES, "sample left out of the time range: its event has no timestamps", \
	  "samples left out of the time range: their events have no timestamps") \
	X(NOTE_INTERVALS_COARSE, "interval merged with others to fit in memory", \
	  "intervals merged with others to fit in memory") \
	X(NOTE_INTERVALS_PARTIAL, "interval dropped: other samples of its event have none", \
	  "intervals dropped: other samples of their events have none") \
	X(NOTE_FILTERED, "sample of another event left out", "samples of other events left out") \
	X(NOTE_OTHER_UNIT, "sample of the same event in another unit left out", \
	  "samples of the same event in another unit left out") \
	X(NOTE_SUMMED, "sum of different events", "sums of different events") \
	X(NOTE_NOT_DRAWN, "sample in frames too narrow to draw", \
	  "samples in frames too narrow to draw") \
	X(NOTE_ONLY_AFTER, "comparison reduced to its after side", \
	  "comparisons reduced to their after side") \
	X(NOTE_FOREIGN, "problem reported by another version of wick", \
	  "problems reported by another version of wick")

enum note_code {
#define X(code, one, many) code,
	NOTE_CODES(X)
#undef X
		NR_NOTE_CODES
};

enum { NOTES_KEPT = 100, NOTE_TEXT_MAX = 400 /* bytes; longer texts are truncated */ };

struct note {
	enum note_code code;
	const char *input; /* its name, if there are several; borrowed; or NULL */
	uint64_t line;	   /* 0: it does not concern a line */
	struct span text;
};

struct notes {
	uint64_t count[NR_NOTE_CODES]; /* of all, stored or not */
	struct note *note;	       /* the first NOTES_KEPT of each code */
	size_t nr, cap;
	size_t kept[NR_NOTE_CODES]; /* by code: number of notes stored */
};

/* Adds a note that represents `count` occurrences; text is copied. */
void notes_add(struct notes *n, enum note_code code, uint64_t count, uint64_t line,
	       struct span text);

/* Sets the input of all notes from index `begin` on; the name must outlive them. */
void notes_name_input(struct notes *n, size_t begin, const char *input);

/* Removes all notes of a code, and their count. */
void notes_forget(struct notes *n, enum note_code code);

void notes_merge(struct notes *into, const struct notes *from);
void notes_release(struct notes *n);

/* "line that is not an event" for one, "lines that are not events" for more */
const char *note_what(enum note_code code, uint64_t count);

/* "BAD_EVENT": the name of a code in packs */
const char *note_name(enum note_code code);

#endif
