/*
 * Files → one symbolized, filtered profile: the first step of every command that reads profiles.
 *
 *	load()		opens, detects the format, reads, and resolves symbols
 *	choose_events()	chooses the events to show, and filters: choose.h
 */
#ifndef WICK_LOAD_LOAD_H
#define WICK_LOAD_LOAD_H

#include "base/error.h"
#include "base/source.h"
#include "cli/progress.h"
#include "load/choose.h"
#include "load/naming.h"
#include "profile/profile.h"
#include "read/read.h"

struct load_opts {
	const char *from;		   /* the name of a format (--from); NULL: `reader` */
	const struct reader *reader;	   /* NULL: detect it from the content */
	const struct reader *const *among; /* candidates for detection; NULL: all */
	const char *const *file;	   /* none: standard input */
	size_t nr_file;
	bool joined;  /* the files are consecutive parts of one input */
	bool several; /* the caller reads more inputs: notes include file names */
	struct read_opts read;
	struct naming naming;
	bool anonymize;		 /* see profile_anonymize() */
	source_watcher *watcher; /* called while inputs are read; NULL: none */
	void *watcher_arg;
};

struct load_result {
	struct profile p;
	const struct reader *reader; /* of the last input; NULL: none accepts it */
	struct choose_hints hints;   /* joined from all inputs */
	size_t nr_input;	     /* read */
	struct compared compared;    /* how the last input shows a comparison */
};

/*
 * Shows progress on a terminal while inputs are read; p must outlive o, and needs progress_end().
 */
void load_watch(struct load_opts *o, struct progress *p);

/* -1 if there is no file and standard input is a terminal; the hint says how to use `called`. */
int load_check_input(const struct load_opts *o, const char *called, struct error *e);

/* Reads all inputs into r, and resolves their symbols.  Release r even after -1. */
int load(const struct load_opts *o, struct load_result *r, struct error *e);

void load_release(struct load_result *r);

/* The number of CPUs that this process may run on. */
unsigned load_threads(void);

#endif
