/* For each lock: where threads waited for it, and which threads held it meanwhile. */
#ifndef WICK_CMD_REPORT_REPORT_LOCKS_H
#define WICK_CMD_REPORT_REPORT_LOCKS_H

#include "cmd/report/report_facts.h"

/* As paragraphs after the table of locks, or before it as a member of a JSON object. */
void report_locks_write(const struct report *r, struct strbuf *out);

#endif
