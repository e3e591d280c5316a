/*
 * Other people's files → profile.
 *
 * A reader is one file and one line in the table of read.c: a name, a test
 * whether some bytes look like its format, and a function that turns lines
 * into stacks with the builder of build.h.  Readers know policies (how to tidy
 * a name, whether to keep addresses), never who asked for them.
 */
#ifndef WICK_READ_READ_H
#define WICK_READ_READ_H

#include "base/error.h"
#include "base/source.h"
#include "base/span.h"
#include "profile/profile.h"
#include "read/compared.h"

#include <stdbool.h>
#include <stddef.h>

struct build;
struct image_opts;
struct recording;

/* How much of a function's signature stays in its name. */
enum tidy {
	TIDY_BALANCED,	  /* cut the parameters: the first ( outside of all brackets */
	TIDY_FIRST_PAREN, /* cut at the first (, drop quotes: what the Perl scripts do */
	TIDY_NONE,
};

/* What a row of a Haskell profile weighs. */
enum ghc_weight { GHC_TIME, GHC_TICKS, GHC_BYTES };

/* What to do with Java packages. */
enum packages { PACKAGES_KEEP, PACKAGES_SHORTEN, PACKAGES_DROP };

struct read_opts {
	unsigned threads; /* as many as pay, at most this */
	bool strict;	  /* the first thing that cannot be read is an error */
	bool ticks;	  /* keep the order and times of the samples */
	bool cpus;	  /* keep which processor a sample was taken on */
	bool times;	  /* keep the times of those that have one, as many as a page can carry */

	/* Names */
	enum tidy tidy;
	bool mangled_rust;   /* leave Rust's hashes and escapes in the names */
	bool offsets;	     /* keep +0x12 behind a name, where the format says it in the name */
	bool addresses;	     /* frames without a name are told apart by their address */
	bool srcline;	     /* frames of different source lines are told apart */
	bool inlines;	     /* ask addr2line which calls were inlined */
	bool inline_lines;   /* … and where in the source they are */
	bool drop_empty;     /* samples without a stack are noted and not counted */
	bool drop_threads;   /* the names that the input gives its threads are left out */
	bool drop_inlined;   /* of calls inlined into each other only the innermost stays */
	bool keep_zero;	     /* rows of a call tree that weigh nothing are samples too */
	bool fold_recursion; /* a function that calls itself directly is one frame */
	enum packages packages;
	const char *leave_out; /* these characters, wherever they stand in a name; NULL: none */
	const struct image_opts *image; /* where to find the files of a recording; NULL: nowhere */
	struct recording *
		copy; /* perf.data goes there, with call chains finished, and its samples not into the profile */
	const char *const *skip_after; /* drop the callers of these functions */
	size_t nr_skip_after;

	/* What one format alone can do */
	unsigned heading_lines; /* dtrace: that many; 0: the first empty line ends the heading */
	enum ghc_weight ghc_weight;
	bool last_counts;     /* call trees: of equal stacks only the last one counts */
	bool single_count;    /* folded: a number in front of the count is part of the name */
	bool whole_counts;    /* folded: a count with a fraction is no count */
	bool cut_fractions;   /* folded: fractions are dropped, and noted */
	bool trim_names;      /* folded: a last name of blanks is no name */
	bool dashed_wakers;   /* folded: what is behind a frame `--` is of who woke the thread */
	bool stack_commas;    /* bpftrace: what stands between two stacks is a frame */
	bool two_words;	      /* sample: a name is a word, or two with a dot between them */
	bool allocated_bytes; /* VTune memory consumption: bytes, not allocations */
	bool whole_ms;	      /* VTune: the time of each row is rounded to milliseconds */
	bool any_header;      /* VTune, Visual Studio: the first line is one, whatever it says */
	bool leaf_totals;     /* call trees: rows that call nothing count, and all they have */
	bool call_counts;     /* xdebug: calls, not time */
	bool wake_stacks;     /* perf sched: also who woke the thread */
	bool wake_chains;     /* perf sched: also who woke that one, and so on */
	bool waker_ids;	      /* perf sched: those who woke are told apart by their ids */
	bool complete_only;   /* Chrome traces: no slices of a begin and an end event */
};

struct reader {
	const char *name;  /* as on the command line: "perf" */
	const char *title; /* as in a sentence: "perf script text" */
	bool (*accepts)(struct span head);
	int (*read)(struct build *b, struct error *e);
	enum split split; /* where a chunk of it may end; readers of one thread see no chunks */
	bool parallel;	  /* chunks can be read apart */
	bool turns;	  /* it takes the chunks itself, in threads of its own: turns.h */
	bool timed;	  /* its samples have times */
	bool copies;	  /* has records: can be written as a recording, see read_opts.copy */
	/* With which lines a block can begin where empty lines are missing; NULL: with any. */
	source_begins *begins;
	unsigned spelling; /* how its folded text is usually spelled: enum spelling of fold/ */
};

const struct reader *reader_find(struct span name);

/* The reader whose format the first bytes show, or NULL. */
const struct reader *reader_guess(struct span head);

/* All of them, in the order in which they are asked; NULL at the end. */
const struct reader *const *reader_list(void);

/* What an input says of itself, beside its rows. */
struct read_result {
	unsigned
		spelling; /* how its folded text is spelled: the reader's, unless it knows better */
	bool is_pack;	  /* a profile that wick wrote, with all its facts */
	struct compared compared; /* … how it shows a comparison, if it is one */
};

/* Fills p from the source.  What was left out is in p->notes. */
int read_source(const struct reader *r, struct source *source, const struct read_opts *o,
		struct profile *p, struct read_result *result, struct error *e);

#endif
