/* What the views of `wick report` share: the profile, the format, and the facts at the top. */
#ifndef WICK_CMD_REPORT_REPORT_FACTS_H
#define WICK_CMD_REPORT_REPORT_FACTS_H

#include "cli/term.h"
#include "fold/chosen.h"
#include "fold/tree.h"

enum report_format { REPORT_TEXT, REPORT_MARKDOWN, REPORT_JSON };

/* Defaults of --rows and --min. */
enum { REPORT_ROWS = 40 };
#define REPORT_LEAST 0.005 /* a share of the total: narrower branches of a tree are summed up */

struct report {
	const struct profile *p;
	const struct chosen *c;
	const bool *in;	  /* by event: is it shown? */
	bool counts_lost; /* the recorder counted lost samples, so 0 means none */
	enum report_format format;
	struct term term;
	unsigned most; /* rows; 0: all */
	/* Set by report_facts_find(): */
	struct span unit;
	weight_sum all;	    /* the total of the shown events */
	weight_sum unnamed; /* … of samples whose leaf has no name */
	uint64_t nr_sample;
	int scale; /* all sums are in units of 10^scale */
};

void report_facts_find(struct report *r);

/* Writes the facts: as the first lines of text, or as the first members of a JSON object. */
void report_facts_write(const struct report *r, struct strbuf *out);

/* The share of the total, 0 to 1; a share as "12.34 %". */
double report_share(const struct report *r, weight_sum sum);
void report_add_percent(struct strbuf *out, double share);

/* The line below a table of nr rows, if not all are shown. */
void report_write_more(const struct report *r, size_t nr, struct strbuf *out);

#endif
