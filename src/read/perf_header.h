/*
 * The line that `perf script` prints over each stack:
 *
 *     V8 WorkerThread 24636/25607 [000] 94564.109216:  250000 cpu-clock:u:
 *
 * Every part may be missing (`perf script -F`), names may hold blanks and
 * digits, and tracepoints print their arguments behind.
 */
#ifndef WICK_READ_PERF_HEADER_H
#define WICK_READ_PERF_HEADER_H

#include "base/span.h"
#include "read/build.h"
#include "read/memo.h"

#include <stdbool.h>
#include <stdint.h>

struct perf_header {
	struct span comm;
	struct span who;   /* all that identifies the thread: comm and ids, as written */
	uint32_t pid, tid; /* THREAD_UNKNOWN: not told */
	struct span cpu;   /* its digits; empty: not told */
	uint64_t time;	   /* nanoseconds */
	bool has_time;
	uint64_t period;   /* 0: not told */
	struct span event; /* without its last colon; empty: not told */
	struct span tail;  /* what stands behind the event, with the blanks before it */
	uint64_t lost;	   /* of a PERF_RECORD_LOST line */
	bool record;	   /* a PERF_RECORD_… line: no sample */
};

/* False when the line is no such header. */
bool perf_header_parse(struct span line, struct perf_header *h);

/*
 * Headers of the same threads come again and again, with another time: what is
 * in front of it and the event behind are compared before anything is parsed.
 */
struct perf_headers {
	struct known_header {
		char who[64]; /* the line up to the end of the ids */
		char event[64];
		size_t who_size, event_size;
		size_t comm_at, comm_size, who_at;
		uint32_t pid, tid;
	} known[8];
	unsigned last, next; /* found last, overwritten next */
};

/* The same as perf_header_parse(), faster for a header like one before. */
bool perf_headers_parse(struct perf_headers *k, struct span line, struct perf_header *h);

/* Do enough fields fit together that it can be nothing else? */
bool perf_header_is_sure(const struct perf_header *h);

/* The thread it names, remembered by how it is written. */
thread_id perf_header_thread(struct build *b, struct memo *threads, const struct perf_header *h);

/*
 * The event without the class of processor cores it was counted on:
 * `cpu_core/cycles/u` and `cpu_atom/cycles/u` are both `cycles:u`, written
 * into buf when they have to be changed.
 */
struct span perf_event_name(struct span event, char *buf, size_t size);

/* Does it tick at a fixed rate, its period in nanoseconds? */
bool perf_event_is_clock(struct span event);

/* The event without its modifiers: `cycles` of `cycles:u`, but all of `sched:sched_switch`. */
struct span perf_event_base(struct span event);

/* The event of the profile that goes by this name of perf's. */
uint32_t perf_event_add(struct profile *p, struct span event);

#endif
