/* wick collapse: convert a profile to folded stacks. */
#ifndef WICK_CMD_COLLAPSE_H
#define WICK_CMD_COLLAPSE_H

#include "load/load.h"
#include "write/folded.h"

/* Called between reading and writing; -1: an error, and nothing is written. */
typedef int collapse_check(const struct load_result *r, struct error *e);

struct collapse_opts {
	struct load_opts in;
	struct choose_opts choose;
	collapse_check *check; /* NULL: none */
	const char *output;    /* NULL: standard output */
	enum folded_order order;
	enum folded_number number;
	bool reverse; /* lines begin with the leaf */
};

/*
 * All steps: reads, folds and writes.  Sets *nr_line, unless it is NULL, to the number of lines
 * written.  Prints no messages: notes are in r->p.  The result must be released, even after -1.
 */
int collapse(const struct collapse_opts *o, struct load_result *r, size_t *nr_line,
	     struct error *e);

/* The command. */
int collapse_main(int argc, char **argv);
extern const struct option_table collapse_table;

#endif
