/*
 * Profile → files.
 *
 * A writer is one file, and one line in the table below: its names, what its format can hold, and a
 * function that writes a profile.  perf.data has no such function: it is copied from records, not
 * written from a profile.
 */
#ifndef WICK_WRITE_WRITER_H
#define WICK_WRITE_WRITER_H

#include "base/error.h"
#include "base/intern.h"
#include "base/output.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

struct drawing;

/* The part of a profile to write. */
struct write_what {
	const struct profile *p;
	size_t nr_column;  /* 1; or 2, before and after */
	const bool *in[2]; /* by column, then by event: is it chosen? */
	bool all;	   /* also write the other events, if the format can hold several */
	bool samples;	   /* count samples, not weights */
	bool reverse;	   /* from the leaf to the root, if the format has only lines of names */
	unsigned spelling; /* enum spelling */
	struct drawing *drawing; /* of p, for svg, html and wick: render/draw.h */
};

/* What a format can hold. */
enum writer_holds {
	HOLDS_TIMES = 1 << 0,	     /* when intervals began and ended, and the order of samples */
	HOLDS_SAMPLE_TIMES = 1 << 1, /* when samples were taken */
	HOLDS_EVENTS = 1 << 2,	     /* several events */
	HOLDS_INLINED = 1 << 3,	     /* which calls are inlined */
	HOLDS_THREADS = 1 << 4,	     /* the thread of a sample */
	HOLDS_LINES = 1 << 5,	     /* files and lines */
	HOLDS_SAMPLES = 1 << 6,	     /* numbers of samples besides weights */
	HOLDS_CPUS = 1 << 7,	     /* CPUs of samples */
	HOLDS_LABELS = 1 << 8,	     /* cgroup, reason, … of samples */
	HOLDS_COMPARISON = 1 << 9,   /* before and after */
	HOLDS_FRACTIONS = 1 << 10,   /* weights that are not whole numbers */
	HOLDS_SUMS = 1 << 11,	     /* sums above 2^63: other formats stay at the limit */
	HOLDS_SERIES = 1 << 12,	     /* values over time */
	HOLDS_MODULES = 1 << 13,     /* programs and libraries */
	HOLDS_BUILD_IDS = 1 << 14,   /* of modules */
	HOLDS_LINKS = 1 << 15,	     /* the waker or starter of an interval's thread */
	HOLDS_WEIGHTS = 1 << 16,     /* of events that do not measure time */
	HOLDS_ALL = (1 << 17) - 1,
	HOLDS_TIMED_ONLY = 1 << 17, /* cannot hold samples without times */
};

typedef int writer_write(struct output *out, const struct write_what *what, struct error *e);

struct writer {
	const char *name;		   /* as on the command line: "pprof" */
	const char *title;		   /* as in a sentence: "folded stacks" */
	const char *ending, *other_ending; /* of file names; the other may be NULL */
	const char *path;		   /* by default */
	const char *reader;		   /* the reader of this format; NULL: none */
	unsigned holds;			   /* enum writer_holds */
	writer_write *write;		   /* NULL: copied, see format_is_copied() */
};

/*
 * In the order of --to and --formats: X(ID, name, title, extension, other extension, path, reader,
 * holds, write)
 */
#define WRITERS(X) \
	X(SVG, "svg", "flame graph as an SVG", ".svg", NULL, "flamegraph.svg", "page", HOLDS_ALL, \
	  svg_writer) \
	X(HTML, "html", "flame graph as an HTML page with all views", ".html", ".htm", \
	  "flamegraph.html", "page", HOLDS_ALL, html_writer) \
	X(WICK, "wick", "the profile without a picture", ".wick", NULL, "flamegraph.wick", "page", \
	  HOLDS_ALL, wick_writer) \
	X(FOLDED, "folded", "folded stacks", ".folded", ".txt", "flamegraph.folded", "folded", \
	  HOLDS_THREADS | HOLDS_INLINED | HOLDS_COMPARISON | HOLDS_FRACTIONS | HOLDS_SUMS | \
		  HOLDS_WEIGHTS, \
	  folded_writer) \
	X(DATA, "perf-data", "perf.data, from perf.data only", ".data", NULL, "perf.data", \
	  "perf-data", HOLDS_ALL & ~HOLDS_COMPARISON, NULL) \
	X(PPROF, "pprof", "pprof profile", ".pb.gz", ".pprof", "profile.pb.gz", "pprof", \
	  HOLDS_ALL & ~HOLDS_TIMES & ~HOLDS_SAMPLE_TIMES & ~HOLDS_COMPARISON & ~HOLDS_FRACTIONS & \
		  ~HOLDS_SUMS & ~HOLDS_SERIES & ~HOLDS_LINKS, \
	  pprof_writer) \
	X(SPEEDSCOPE, "speedscope", "speedscope profile", ".speedscope.json", ".speedscope", \
	  "profile.speedscope.json", "speedscope", \
	  HOLDS_EVENTS | HOLDS_THREADS | HOLDS_TIMES | HOLDS_WEIGHTS, speedscope_writer) \
	X(PERF_SCRIPT, "perf-script", "perf script text", ".perf", NULL, "out.perf", "perf", \
	  HOLDS_EVENTS | HOLDS_INLINED | HOLDS_CPUS | HOLDS_SAMPLE_TIMES | HOLDS_THREADS | \
		  HOLDS_TIMES | HOLDS_SAMPLES | HOLDS_SUMS | HOLDS_MODULES | HOLDS_WEIGHTS, \
	  perf_script_writer) \
	X(CALLGRIND, "callgrind", "callgrind call graph", ".callgrind", "callgrind.out", \
	  "callgrind.out", "callgrind", \
	  HOLDS_EVENTS | HOLDS_LINES | HOLDS_MODULES | HOLDS_WEIGHTS, callgrind_writer) \
	X(CHROME, "chrome", "Chrome trace events", ".trace.json", NULL, "profile.trace.json", \
	  "chrome-tracing", \
	  HOLDS_TIMES | HOLDS_EVENTS | HOLDS_SAMPLE_TIMES | HOLDS_THREADS | HOLDS_SERIES | \
		  HOLDS_TIMED_ONLY, \
	  chrome_writer) \
	X(FIREFOX, "firefox", "Firefox Profiler profile", ".firefox.json", NULL, \
	  "profile.firefox.json", "firefox", \
	  HOLDS_EVENTS | HOLDS_INLINED | HOLDS_SAMPLE_TIMES | HOLDS_THREADS | HOLDS_TIMES | \
		  HOLDS_LINES | HOLDS_SUMS | HOLDS_SERIES | HOLDS_MODULES | HOLDS_BUILD_IDS | \
		  HOLDS_WEIGHTS, \
	  firefox_writer) \
	X(PERFETTO, "perfetto", "Perfetto trace", ".pftrace", ".perfetto-trace", \
	  "profile.pftrace", NULL, \
	  HOLDS_TIMES | HOLDS_EVENTS | HOLDS_SAMPLE_TIMES | HOLDS_CPUS | HOLDS_THREADS | \
		  HOLDS_LINES | HOLDS_SERIES | HOLDS_MODULES | HOLDS_BUILD_IDS | HOLDS_WEIGHTS | \
		  HOLDS_TIMED_ONLY, \
	  perfetto_writer) \
	X(OTLP, "otlp", "OpenTelemetry profiles (v1development, protocol 1.10)", ".otlp", NULL, \
	  "profile.otlp", "otlp", \
	  HOLDS_ALL & ~HOLDS_COMPARISON & ~HOLDS_FRACTIONS & ~HOLDS_SAMPLES & ~HOLDS_SERIES & \
		  ~HOLDS_LINKS, \
	  otlp_writer) \
	X(CPUPROFILE, "cpuprofile", "V8 CPU profile", ".cpuprofile", NULL, "profile.cpuprofile", \
	  "v8", HOLDS_THREADS | HOLDS_TIMES | HOLDS_WEIGHTS, cpuprofile_writer) \
	X(CSV, "csv", "comma-separated values", ".csv", NULL, "profile.csv", "wick-csv", \
	  HOLDS_ALL & ~HOLDS_COMPARISON & ~HOLDS_LINES & ~HOLDS_INLINED & ~HOLDS_SERIES & \
		  ~HOLDS_MODULES & ~HOLDS_BUILD_IDS & ~HOLDS_LINKS, \
	  csv_writer) \
	X(JSON, "json", "JSON, all tables of the profile", ".json", NULL, "profile.json", \
	  "wick-json", HOLDS_ALL & ~HOLDS_COMPARISON, json_writer) \
	X(DOT, "dot", "Graphviz call graph", ".dot", ".gv", "profile.dot", NULL, \
	  HOLDS_FRACTIONS | HOLDS_SUMS | HOLDS_WEIGHTS, dot_writer) \
	X(MARKDOWN, "markdown", "Markdown table of functions", ".md", NULL, "profile.md", NULL, \
	  HOLDS_FRACTIONS | HOLDS_SUMS | HOLDS_MODULES | HOLDS_WEIGHTS, markdown_writer)

writer_write svg_writer, html_writer, wick_writer, folded_writer, pprof_writer, speedscope_writer,
	perf_script_writer, callgrind_writer, chrome_writer, firefox_writer, cpuprofile_writer,
	csv_writer, json_writer, dot_writer, markdown_writer, perfetto_writer, otlp_writer;

/* By event: is it written, in a format that can hold several?  The caller frees it. */
bool *write_events(const struct write_what *what);

/* The event that is shown first. */
uint32_t write_first_event(const struct write_what *what, const bool *in);

/* The unit of an event, spelled out as in pprof and speedscope; "count": its weights are samples. */
struct span write_unit(const struct profile *p, uint32_t event);

/* A weight as a whole number of these units: times are all in nanoseconds. */
int64_t write_whole(const struct profile *p, uint32_t event, int64_t weight);

/*
 * The average weight of a sample of an event, in these units; 0: unknown, or the event is measured.
 */
uint64_t write_period(const struct profile *p, uint32_t event);

/* Adds to a sum; an overflow stays at the limit. */
static inline void write_add(int64_t *sum, int64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = value < 0 ? INT64_MIN : INT64_MAX;
}

/* Does write_whole() round the weights of this event? */
bool write_rounds(const struct profile *p, uint32_t event);

/* Do the weights of an event add up to more than 2^63? */
bool write_overflows(const struct profile *p);

/* The table of an event's samples: one row per sample, with times, or sums per stack. */
enum write_table { WRITE_TICKS, WRITE_INTERVALS, WRITE_COUNTS };

/* The samples of one event and thread, which are adjacent in write_order.row. */
struct write_run {
	uint32_t event;
	thread_id thread;
	enum write_table table; /* ticks and intervals are sorted by time */
	size_t begin, end;	/* in write_order.row */
};

struct write_order {
	uint32_t *row;
	struct write_run *run;
	size_t nr_run;
};

/* A sample, from any of the tables. */
struct write_sample {
	uint64_t time, end; /* ns; both 0 if unknown, and equal if it has no length */
	stack_id stack;
	label_id labels;
	int64_t weight;
	uint64_t nr; /* the number of samples that it represents */
};
struct write_sample write_sample_at(const struct profile *p, enum write_table table, uint32_t row);

/*
 * The samples of these events: one by one if the event has a complete table of ticks or intervals,
 * else as sums per stack.  The event that is shown first comes first.
 */
void write_order_make(struct write_order *o, const struct write_what *what, const bool *in,
		      bool by_thread);
void write_order_release(struct write_order *o);

/*
 * The intervals of these events during which a thread does something: not allocations, which
 * outlive it, nor intervals without an end.  Sorted by event, thread and time, outer ones before
 * inner ones; the caller frees the array.
 */
uint32_t *write_spans(const struct profile *p, const bool *in, size_t *nr);

/*
 * Locations, for formats in which one address has several functions: inlined calls (FRAME_INLINED)
 * share a location with the frame that they are inlined into.  A frame without them is the location
 * with the frame's number; shared locations have larger numbers.
 */
struct write_locations {
	struct intern groups; /* arrays of frames, the innermost first */
	frame_id *frame;
	size_t cap;
};

/* The location of the stack's leaf; *stack becomes the caller of that location. */
uint32_t write_location(struct write_locations *l, const struct profile *p, stack_id *stack);

/*
 * The frames of a location, the innermost first, valid until the next call; returns their number.
 */
size_t write_location_frames(struct write_locations *l, const struct profile *p, uint32_t location,
			     const frame_id **frame);

size_t write_nr_locations(const struct write_locations *l, const struct profile *p);
void write_locations_release(struct write_locations *l);

/* Does an event have samples without times? */
bool write_untimed(const struct profile *p);

#endif
