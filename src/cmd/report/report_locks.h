/* What is known about each lock: where threads waited for it, and who held it meanwhile. */
#ifndef WICK_CMD_REPORT_REPORT_LOCKS_H
#define WICK_CMD_REPORT_REPORT_LOCKS_H

#include "cmd/report/report_facts.h"

/* As paragraphs behind the table of locks, or in front of it as a member of a JSON object. */
void report_locks_write(const struct report *r, struct strbuf *out);

#endif
