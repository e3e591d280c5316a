/* The call tree, as indented lines or as JSON. */
#ifndef WICK_CMD_REPORT_REPORT_TREE_H
#define WICK_CMD_REPORT_REPORT_TREE_H

#include "cmd/report/report_facts.h"
#include "fold/around.h"

struct report_tree_opts {
	const char *function; /* NULL: the whole tree */
	enum around what;     /* with a function: its callers, or its callees */
	double min; /* a share of the total: narrower branches are summed up in one line */
};

/* -1: there is no such function. */
int report_tree_write(const struct report *r, const struct report_tree_opts *o, struct strbuf *out,
		      struct error *e);

#endif
