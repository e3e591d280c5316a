/*
 * A profile in a few lines, for CI logs and language models: what was recorded, where the time
 * went, the uncertainty, what was lost, system metrics, and the command that shows more.  The same
 * profile gives the same text, of at most BRIEF_MAX bytes.
 */
#ifndef WICK_CMD_REPORT_REPORT_BRIEF_H
#define WICK_CMD_REPORT_REPORT_BRIEF_H

#include "cmd/report/report_facts.h"

enum { BRIEF_MAX = 4096 };

/* file: the input, for the commands that show more; NULL: standard input. */
void report_brief_write(const struct report *r, const char *file, struct strbuf *out);

#endif
