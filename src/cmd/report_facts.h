/* What the parts of `wick report` share: what was read, how it is told, and its head. */
#ifndef WICK_CMD_REPORT_FACTS_H
#define WICK_CMD_REPORT_FACTS_H

#include "cli/term.h"
#include "cmd/collapse.h"
#include "fold/tree.h"

enum report_format { REPORT_TEXT, REPORT_MARKDOWN, REPORT_JSON };

/* How much is told, unless somebody asks for more or less. */
enum { REPORT_ROWS = 40 };
#define REPORT_LEAST 0.005 /* a share: what is narrower in a tree is one line */

struct report {
	const struct collapse_result *r;
	const struct chosen *c;
	const bool *in; /* by event: is it shown? */
	enum report_format format;
	struct term term;
	unsigned most; /* rows; 0: all */
	/* What report_facts_find() finds */
	struct span unit;
	weight_sum all;
	weight_sum unnamed; /* of samples that ended in code without a name */
	uint64_t nr_sample;
	int scale; /* sums are multiples of 10^scale */
};

void report_facts_find(struct report *r);

/* As the first lines say it, or as the first members of an object. */
void report_facts_write(const struct report *r, struct strbuf *out);

/* "12.34 %" of all. */
double report_share(const struct report *r, weight_sum sum);
void report_add_percent(struct strbuf *out, double share);

/* What is told below a table that has more rows than are shown; nothing where none are missing. */
void report_write_more(const struct report *r, size_t nr, struct strbuf *out);

#endif
