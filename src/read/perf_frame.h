/*
 * The lines below a header of `perf script`, one frame each:
 *
 *     	    7f1e2215d058 malloc+0x12 (/usr/lib/libc.so.6)
 *
 * The address is new almost every time, the text behind it repeats: it is
 * worked on once and remembered.  Lines wait in a queue until the sample ends,
 * so that the memory can be asked for what they need side by side.
 */
#ifndef WICK_READ_PERF_FRAME_H
#define WICK_READ_PERF_FRAME_H

#include "base/strbuf.h"
#include "read/addr2line.h"
#include "read/frame_runs.h"
#include "read/memo.h"

/* A line taken apart. */
struct perf_frame {
	uint64_t address;
	struct span symbol; /* with its offset */
	struct span dso;    /* without its parentheses; empty: not told */
};

/* False when the line does not begin with an address. */
bool perf_frame_parse(struct span line, struct perf_frame *f);

enum frame_kind perf_frame_kind(struct span dso);

struct perf_frames {
	struct build *b;
	struct addr2line *addr2line; /* is asked what was inlined; NULL: nobody is */
	bool is_java;		     /* the process is Java's: names are tidied for it */
	bool skip_callers;	     /* a function came whose callers are to be dropped */
	struct memo lines[2];	     /* by is_java */
	struct memo symbols[2];	     /* the same without offsets */
	uint32_t *seen;		     /* hashes of lines that were met once */
	struct frame_runs runs;	     /* what the memos' values mean */
	struct strbuf rust, tidy, key;
	bool dropped; /* the line read last, since its callee was one of those */
	struct queued_line {
		struct span text; /* behind the address; with it where it is asked for */
		struct span pc;
		uint64_t hash;
	} queue[64];
	size_t nr_queue;
};

void perf_frames_release(struct perf_frames *f);

/*
 * Queues a line; false when it does not begin as a frame does, or does not end
 * in a dso and could be something else.
 */
bool perf_frames_line(struct perf_frames *f, struct span line);

/* Pushes what is queued: before the sample ends, and before the lines' bytes go away. */
void perf_frames_flush(struct perf_frames *f);

/* "7f1234 main+0x12 (/bin/a)" or "7f1234 main": pushed at once; false when it is none. */
enum perf_dso { DSO_NEEDED, DSO_OPTIONAL };
bool perf_frames_push(struct perf_frames *f, struct span line, enum perf_dso dso);

/* Gives the frame pushed last its place in the source. */
void perf_frames_source(struct perf_frames *f, struct span file, uint32_t line);

/* Does the line look like an address, a symbol and a dso? */
bool perf_is_frame(struct span line);

#endif
