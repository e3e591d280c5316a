/*
 * Other programs' files → profile.
 *
 * A reader is one file, and one line in the table of readers.h: a name, a test
 * whether some bytes look like its format, and a function that turns lines into
 * stacks with the builder of build.h.  Readers know policies (how to tidy a name,
 * whether to keep addresses), never which command or drop-in asked for them.
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
	unsigned threads; /* at most; small inputs and some formats are read with one */
	bool strict;	  /* the first thing that cannot be read is an error, not a note */
	bool ticks;	  /* keep each sample, in order, with its time or else its line */
	bool cpus;	  /* keep which processor a sample was taken on, as a label */
	bool times;	  /* keep ticks if all samples have a time, as many as a page can carry */

	/* Names */
	enum tidy tidy;
	bool mangled_rust;   /* leave Rust's hashes and escapes in the names */
	bool offsets;	     /* keep +0x12 behind a name, where the format says it in the name */
	bool addresses;	     /* frames without a name are told apart by their address */
	bool srcline;	     /* frames of different source lines are told apart */
	bool inlines;	     /* perf script: ask addr2line which calls were inlined */
	bool inline_lines;   /* … and keep their source lines */
	bool drop_empty;     /* samples without a stack are noted and not counted */
	bool drop_threads;   /* the names that the input gives its threads are left out */
	bool drop_inlined;   /* of calls inlined into each other only the innermost stays */
	bool keep_zero;	     /* rows of a call tree that weigh nothing are samples too */
	bool fold_recursion; /* a function that calls itself directly is one frame */
	enum packages packages;
	const char *leave_out;		/* characters that are dropped from names; NULL: none */
	const struct image_opts *image; /* where to find the files of a recording; NULL: nowhere */
	/* NULL, or: perf.data is copied there with whole call chains, and no sample into the profile */
	struct recording *copy;
	const char *const *skip_after; /* drop the callers of these functions */
	size_t nr_skip_after;

	/* What one format alone can do */
	unsigned heading_lines; /* dtrace: lines to skip; 0: up to the first empty line */
	enum ghc_weight ghc_weight;
	bool last_counts;     /* call trees: of equal stacks only the last one counts */
	bool single_count;    /* folded: a number in front of the count is part of the name */
	bool whole_counts;    /* folded: a count with a fraction is no count */
	bool cut_fractions;   /* folded: fractions are dropped, and noted */
	bool trim_names;      /* folded: a last name of blanks is no name */
	bool dashed_wakers;   /* folded: frames behind a frame `--` are those of the waker */
	bool stack_commas;    /* bpftrace: the comma between two stacks is a frame */
	bool two_words;	      /* sample: a name is a word, or two with a dot between them */
	bool allocated_bytes; /* VTune memory consumption: bytes, not allocations */
	bool whole_ms;	      /* VTune: the time of each row is rounded to milliseconds */
	bool any_header;  /* VTune, Visual Studio: the first line is the header, whatever it says */
	bool leaf_totals; /* call trees: only rows without callees count, with their totals */
	bool call_counts; /* xdebug: weights are calls, not time */
	bool wake_stacks; /* perf sched: append the waker's stack to the sleeper's */
	bool wake_chains; /* perf sched: … and that of the waker's waker, and so on */
	bool waker_ids;	  /* perf sched: names of wakers have their pid and tid */
	bool complete_only; /* Chrome traces: only slices of one event (ph X), not pairs (B, E) */
};

struct reader {
	const char *name;		   /* as on the command line: "perf" */
	const char *title;		   /* as in a sentence: "perf script text" */
	bool (*accepts)(struct span head); /* NULL: never guessed, only asked for by name */
	int (*read)(struct build *b, struct error *e);
	enum split split; /* where the input may be cut into chunks */
	bool parallel;	  /* each thread may read some chunks, into a profile of its own */
	bool turns;	  /* it starts threads itself, which take chunks in turn: turns.h */
	bool timed;	  /* its samples have times */
	bool copies;	  /* it has perf's records, and read_opts.copy works */
	/* Which lines can begin a block, if empty lines between blocks are missing; NULL: any. */
	source_begins *begins;
	unsigned spelling; /* how its folded text is usually spelled: enum spelling of profile/ */
};

/* By name; NULL: there is none. */
const struct reader *reader_find(struct span name);

/* The reader whose format the first bytes of an input show, or NULL. */
const struct reader *reader_guess(struct span head);

/* All of them, in the order in which they are asked; NULL at the end. */
const struct reader *const *reader_list(void);

/* What an input says of itself, besides samples. */
struct read_result {
	unsigned spelling; /* of its folded text: the reader's, unless the input says otherwise */
	bool is_pack;	   /* wick wrote it: it is a whole profile */
	struct compared compared; /* … and how it shows a comparison, if it is one */
};

/* Adds what the source has to p.  What could not be read is in p->notes. */
int read_source(const struct reader *r, struct source *source, const struct read_opts *o,
		struct profile *p, struct read_result *result, struct error *e);

#endif
