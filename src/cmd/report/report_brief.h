/*
 * A profile in a few lines, for CI logs and language models: what was recorded, where the time
 * went, the uncertainty, what was lost, system metrics, and the command that shows more.  The same
 * profile gives the same text, of at most BRIEF_MAX bytes.
 */
#ifndef WICK_CMD_REPORT_REPORT_BRIEF_H
#define WICK_CMD_REPORT_REPORT_BRIEF_H

#include "cmd/report/report_facts.h"
#include "cmd/wait_summary.h"

enum { BRIEF_MAX = 4096 };

struct report_brief_opts {
	const char *
		file; /* the input, for the command that shows more; NULL: standard input, or several */
	struct span options; /* … and the options that selected what is shown, quoted */
	bool selects_event;  /* one of these selects the event */
	const struct wait_summary *waits; /* of the whole profile; NULL: it has none */
};

void report_brief_write(const struct report *r, const struct report_brief_opts *o,
			struct strbuf *out);

/* Appends the text as a quoted word of a shell. */
void report_brief_quote(struct strbuf *out, struct span text);

#endif
