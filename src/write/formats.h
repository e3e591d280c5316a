/*
 * File formats by name: the table of formats that wick writes, and the options --from and --to,
 * which override detection by content and by extension.
 */
#ifndef WICK_WRITE_FORMATS_H
#define WICK_WRITE_FORMATS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "write/writer.h"

#include <stdbool.h>

enum format {
#define X(id, ...) FORMAT_##id,
	WRITERS(X)
#undef X
};

/* "svg|html|…": a | precedes each name; the first one is skipped. */
#define FORMAT_CHOICE(id, name, ...) "|" name
#define FORMAT_CHOICES		     (&(WRITERS(FORMAT_CHOICE))[1])

enum { FORMAT_BY_NAME = -1 }; /* no --to: the extension of the file decides */

/*
 * Rows of an option table: `field` is a const char *, and an int that is FORMAT_BY_NAME at first.
 */
#define FORMAT_FROM_OPTION(field) \
	{ \
		"from", 0, OPTION_STRING, AT(field), "FORMAT", \
			"format of the input [detected]; `wick convert --formats` lists them", 0 \
	}
/*
 * For comparisons: the formats with HOLDS_COMPARISON, which are the first of the table
 * (tests/unit/test_writers.c).
 */
#define FORMAT_COMPARISON_CHOICES "svg|html|wick|folded"
#define FORMAT_COMPARISON_TO_OPTION(field) \
	{ \
		"to", 0, OPTION_CHOICE, AT(field), FORMAT_COMPARISON_CHOICES, \
			"format of the output [by the extension of FILE]", 0 \
	}
#define FORMAT_TO_OPTION(field) \
	{ \
		"to", 0, OPTION_CHOICE, AT(field), FORMAT_CHOICES, \
			"format of the output [by the extension of FILE]; `wick convert --formats` lists them", \
			0 \
	}

/* For completion: the values of FORMAT.  tests/cli/completions.sh compares them with --formats. */
#define FORMAT_FROM_WORDS \
	{ \
		"FORMAT", \
			"perf-data|page|wick-json|wick-csv|jfr-binary|jfr-json|jfr-xml|gperftools|heap-text|pprof|otlp|chrome-tracing|v8|v8-log|speedscope|firefox|stackprof|bpftrace|bcc|perf-trace|perf-timehist|perf-sched|perf|" \
			"perf-packages|stap|dtrace|sample|vtune|vtune-mc|vsprof|ghcprof|xctrace|ibmjava|jstack|" \
			"jfr|xdebug|callgrind|go|goroutine|elfutils|gdb|faulthandler|wcp|aix|pmc|instruments|" \
			"ljp|java-exceptions|folded" \
	}

/* Finds the format by the file's extension; false if there is none, or an unknown one. */
bool format_find(const char *path, enum format *format);

/* The length of a file's extension, known or not: 6 for app.pb.gz, 0 for app. */
size_t format_ending_size(const char *path);

/*
 * The format of an output: `to`, or by its extension; that of standard output ("-") is `piped`.
 * -1: it is unknown; the hint has the nearest extension.
 */
int format_choose(const char *path, int to, int piped, enum format *format, struct error *e);

/* The default output: flamegraph.svg, or as --to says. */
const char *format_default_path(int to);

/* The format's row of the table. */
const struct writer *format_writer(enum format format);

/* Is it a picture, which also embeds the whole profile? */
bool format_is_picture(enum format format);

/* Is it a copy of the input's records, not written from the profile?  That is perf.data. */
bool format_is_copied(enum format format);

/* Does it show every event?  An SVG and folded stacks show the chosen ones. */
bool format_shows_all(enum format format);

/* Appends what the profile has and the format cannot hold: "times, labels"; false: nothing. */
bool format_loses(enum format format, const struct profile *p, struct strbuf *text);

/* -1: perf.data, whose header is written last, would go to a pipe. */
int format_check_data(const char *path, struct error *e);

/*
 * The reader of a format by its name, or by the name of the writer of the same format.  -1: there
 * is none.
 */
struct reader;
int format_reader(const char *name, const struct reader **reader, struct error *e);

/* Prints all formats that can be read, and all that can be written. */
void format_list_read(void);
void format_list_written(void);

#endif
