/*
 * The line that `perf script` prints above each stack:
 *
 *	V8 WorkerThread 24636/25607 [000] 94564.109216:  250000 cpu-clock:u:
 *
 * Every part may be missing (`perf script -F`), names may contain blanks and digits, and
 * tracepoints print their arguments after it.
 */
#ifndef WICK_READ_PERF_SCRIPT_SCRIPT_HEADER_H
#define WICK_READ_PERF_SCRIPT_SCRIPT_HEADER_H

#include "base/span.h"
#include "read/build.h"
#include "read/text/memo.h"

#include <stdbool.h>
#include <stdint.h>

struct script_header {
	struct span comm;
	struct span who;   /* everything that identifies the thread: comm and IDs, as written */
	uint32_t pid, tid; /* THREAD_UNKNOWN: not printed */
	struct span cpu;   /* its digits; empty: not printed */
	uint64_t time;	   /* ns */
	bool has_time;
	uint64_t period;   /* 0: not printed */
	struct span event; /* without its last colon; empty: not printed */
	struct span tail;  /* the line after the event, with leading blanks */
	uint64_t lost;	   /* of a PERF_RECORD_LOST line: the number of records */
	bool record;	   /* a PERF_RECORD_… line: not a sample */
};

/* False if the line is not such a header. */
bool script_header_parse(struct span line, struct script_header *h);

/*
 * A cache of headers: those of one thread usually differ only in CPU, time and period.  If the text
 * before these and the event after them are those of an earlier header, they are not parsed again.
 */
struct perf_headers {
	struct known_header {
		char who[64]; /* the line up to the end of the ids */
		uint32_t hash;
		uint32_t event; /* of events */
		uint32_t pid, tid;
		uint8_t who_size;		    /* 0: empty */
		uint8_t comm_at, comm_size, who_at; /* offsets in who */
	} * known;	      /* by a hash of the start of the line; NULL before the first */
	uint32_t nr_known;    /* a power of two */
	uint32_t nr_replaced; /* since that was doubled */
	struct intern events;
};

/* The same as script_header_parse(), with the cache. */
bool perf_headers_parse(struct perf_headers *all, struct span line, struct script_header *h);
void perf_headers_release(struct perf_headers *all);

/* Does it have at least two of time, tid and event?  Then the line can hardly be anything else. */
bool script_header_is_sure(const struct script_header *h);

/* The profile's thread; `threads` caches it by h->who. */
thread_id script_header_thread(struct build *b, struct memo *threads,
			       const struct script_header *h);

/*
 * The event without the type of the core that counted it: `cpu_core/cycles/u` and `cpu_atom/cycles/u`
 * are both `cycles:u`, written into buf if the name changes.
 */
struct span perf_event_name(struct span event, char *buf, size_t size);

/* Is it a clock, sampled at a fixed rate, with its period in ns? */
bool perf_event_is_clock(struct span event);

/* Does it sample time on CPU, as the event `cpu` of wick record does? */
bool perf_event_is_cpu(struct span event);

/* The event without its modifiers: `cycles` of `cycles:u`, but all of `sched:sched_switch`. */
struct span perf_event_base(struct span event);

/* The profile's event for an event of perf, added with its unit if it is new. */
uint32_t perf_event_add(struct profile *p, struct span event);

#endif
