/*
 * Other programs' files → profile.
 *
 * A reader is one file, and one line in the table of readers.h: a name, a function that detects its
 * format from the first bytes, and a function that turns lines into stacks with the builder of
 * build.h.  Readers know policies (how to simplify a name, whether to keep addresses), never which
 * command or drop-in uses them.
 */
#ifndef WICK_READ_READ_H
#define WICK_READ_READ_H

#include "base/error.h"
#include "base/source.h"
#include "base/span.h"
#include "profile/profile.h"
#include "read/folded/folded_policy.h"
#include "read/perf_script/script_policy.h"
#include "read/pictures/compared.h"
#include "read/text/rows_policy.h"

#include <stdbool.h>
#include <stddef.h>

struct build;
struct image_opts;
struct recording;

/* How much of a function's signature is part of its name. */
enum tidy {
	TIDY_BALANCED,	  /* drop the parameters: from the first ( outside of all brackets */
	TIDY_FIRST_PAREN, /* cut at the first (, drop quotes: as the Perl scripts do */
	TIDY_NONE,
};

/* The weight of a row of a Haskell profile. */
enum ghc_weight { GHC_TIME, GHC_TICKS, GHC_BYTES };

/* What to do with Java packages. */
enum packages { PACKAGES_KEEP, PACKAGES_SHORTEN, PACKAGES_DROP };

struct read_opts {
	unsigned threads; /* at most; small inputs and some formats are read with one */
	bool strict;	  /* anything that cannot be read is an error, not a note */
	bool ticks;	  /* keep each sample, in order, with its time or else its line */
	bool cpus;	  /* keep the CPU of a sample, and how many threads ran then, as labels */
	bool times;	  /* keep ticks if all samples have a time, as many as a page stores */

	/* Names */
	enum tidy tidy;
	bool mangled_rust;   /* leave Rust's hashes and escapes in names */
	bool offsets;	     /* keep +0x12 after a name, if the format has it */
	bool addresses;	     /* unresolved frames with different addresses are distinct */
	bool srcline;	     /* frames with different source lines are distinct */
	bool drop_empty;     /* samples without a stack are noted and not counted */
	bool drop_threads;   /* thread names of the input are ignored */
	bool drop_inlined;   /* of nested inlined calls, keep only the innermost */
	bool keep_zero;	     /* rows of a call tree with weight 0 are samples too */
	bool fold_recursion; /* a function that calls itself directly is one frame */
	enum packages packages;
	const struct image_opts *image; /* where to find the files of a recording; NULL: nowhere */
	/*
	 * NULL, or: perf.data is copied there with complete call chains, and no samples are added
	 * to the profile
	 */
	struct recording *copy;

	/* Options of a single family of formats, declared beside its readers */
	struct folded_policy folded;
	struct script_policy script;
	struct rows_policy rows;
	unsigned heading_lines; /* dtrace: lines to skip; 0: up to the first empty line */
	enum ghc_weight ghc_weight;
	bool stack_commas;  /* bpftrace: the comma between two stacks is a frame */
	bool call_counts;   /* xdebug: weights are calls, not time */
	bool first_type;    /* go: the first column is shown first, not the default one */
	bool complete_only; /* Chrome traces: only slices of one event (ph X), not pairs (B, E) */
};

struct reader {
	const char *name;		   /* as on the command line: "perf" */
	const char *title;		   /* as in a sentence: "perf script text" */
	bool (*accepts)(struct span head); /* NULL: not detected, only chosen by name */
	int (*read)(struct build *b, struct error *e);
	enum split split; /* where the input may be split into chunks */
	bool parallel;	  /* each thread may read some chunks, into a profile of its own */
	bool turns;	  /* it starts threads itself, which take chunks in turn: turns.h */
	bool timed;	  /* its samples have times */
	bool copies;	  /* it has perf's records, and read_opts.copy works */
	/* Which lines can begin a block, if empty lines between blocks are missing; NULL: any. */
	source_begins *begins;
	/* how its folded stacks are usually spelled: enum spelling of profile/ */
	unsigned spelling;
};

/* By name; NULL: there is none. */
const struct reader *reader_find(struct span name);

/* The reader that accepts the first bytes of an input, or NULL. */
const struct reader *reader_guess(struct span head);

/* All of them, in the order of detection; NULL at the end. */
const struct reader *const *reader_list(void);

/* What an input says about itself, besides samples. */
struct read_result {
	unsigned spelling; /* of its folded stacks: the reader's, unless the input says otherwise */
	bool is_pack;	   /* written by wick: it is a complete profile */
	struct compared compared; /* … and how it shows a comparison, if it is one */
};

/* Adds the contents of the source to p.  Malformed parts are counted in p->notes. */
int read_source(const struct reader *r, struct source *source, const struct read_opts *o,
		struct profile *p, struct read_result *result, struct error *e);

#endif
