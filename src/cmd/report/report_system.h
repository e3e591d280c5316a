/* System metrics during the recording: the series of a profile, one line each. */
#ifndef WICK_CMD_REPORT_REPORT_SYSTEM_H
#define WICK_CMD_REPORT_REPORT_SYSTEM_H

#include "cmd/report/report_facts.h"

/* All series, with their means and extremes; -1 if the profile has none. */
int report_system_write(const struct report *r, struct strbuf *out, struct error *e);

/* The most important ones in one line: "cpu 34 %, peak 98 %; …"; nothing if there are none. */
void report_system_add_line(const struct profile *p, struct strbuf *out);

#endif
