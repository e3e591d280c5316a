/*
 * The lines below a header of `perf script`, one frame each:
 *
 *	    7f1e2215d058 malloc+0x12 (/usr/lib/libc.so.6)
 *
 * The address is almost always new, and the offset often; without them, lines repeat: each is parsed
 * once and cached.
 * Lines are queued until the sample ends, so that the cache misses of their lookups overlap.  If
 * the whole sample is in the queue, its stack is looked up instead, and lines only if it is new.
 */
#ifndef WICK_READ_PERF_SCRIPT_SCRIPT_FRAME_H
#define WICK_READ_PERF_SCRIPT_SCRIPT_FRAME_H

#include "base/strbuf.h"
#include "read/perf_script/addr2line.h"
#include "read/perf_script/frame_runs.h"
#include "read/text/print_memo.h"

/* A parsed line. */
struct script_frame {
	uint64_t address;
	struct span symbol; /* with its offset */
	struct span dso;    /* without its parentheses; empty: not printed */
};

/* False if the line does not begin with an address. */
bool script_frame_parse(struct span line, struct script_frame *f);

/* Is it code of the kernel, of a JIT compiler, or of a program? */
enum frame_kind script_frame_kind(struct span dso);

struct perf_frames {
	struct build *b;
	struct addr2line *addr2line; /* finds inlined calls; NULL: not requested */
	bool is_java;		     /* the sample is of a Java process: affects names */
	bool skip_callers; /* a function of script_policy.skip_after was found: drop its callers */
	struct print_memo lines[2]; /* by is_java: queued_line.print → value of runs */
	uint64_t seed;		    /* of their fingerprints; 0: none yet */
	struct frame_runs runs;	    /* the frames of these values */
	/* Ends of lines, ` (/usr/lib/libc.so.6)`, by a hash of their last bytes. */
	struct line_tail {
		struct strbuf text;
		uint64_t seed; /* for the fingerprints of what comes before it */
		bool has_frame;
		struct frame frame; /* in that DSO, without names */
	} tail[16];
	struct strbuf rust, tidy;
	bool dropped; /* the last line was dropped because of skip_callers */
	struct queued_line {
		struct span text; /* after the address; with addr2line, from the address on */
		struct span pc;	  /* the address, as written */
		struct print
			print; /* of text without the symbol's offset; with addr2line, of text */
	} queue[128];
	size_t nr_queue;
	struct print queue_print; /* of the fingerprints of all lines in the queue */
	struct print_memo stacks; /* … → number of the stack */
	struct print missed;	  /* what perf_frames_find() did not find */
	bool has_missed;
	size_t nr_hit, nr_miss; /* lookups of stacks */
};

void perf_frames_release(struct perf_frames *f);

/*
 * Queues a line; false if it does not start like a frame, or does not end in a DSO and could be
 * something else.
 */
bool perf_frames_line(struct perf_frames *f, struct span line);

/*
 * At the end of a sample: the stack of the queued lines, if it is cached; else stack 0, and the lines
 * are pushed.
 */
stack_id perf_frames_find(struct perf_frames *f);

/* Caches the stack that was built from the lines that perf_frames_find() pushed. */
void perf_frames_keep(struct perf_frames *f, stack_id stack);

/* Pushes the queued lines: to be called before the sample ends, and before the chunk is freed. */
void perf_frames_flush(struct perf_frames *f);

/* "7f1234 main+0x12 (/bin/a)" or "7f1234 main": pushes it at once; false if it is not a frame. */
enum perf_dso { DSO_NEEDED, DSO_OPTIONAL };
bool perf_frames_push(struct perf_frames *f, struct span line, enum perf_dso dso);

/* Sets the source line of the frame pushed last. */
void perf_frames_source(struct perf_frames *f, struct span file, uint32_t line);

/* Does the line look like an address, a symbol and a dso? */
bool perf_is_frame(struct span line);

#endif
